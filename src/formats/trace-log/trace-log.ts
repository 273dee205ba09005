/**
 * Traces of observability platforms: calls of Weave, spans of Braintrust and MLflow, lists of Helicone's requests. Each
 * span has its input and output in the format of the API or library that was traced.
 */
import { defineFormat } from '../format.js';
import { embeddedFormat } from '../shared/embedded-messages.js';
import { runBundle } from '../shared/run-bundle.js';
import { modelOf, runsIn, toolsOf } from './trace-runs.js';

export default defineFormat({
  ...embeddedFormat,
  id: 'trace-log',
  explainEmpty(record) {
    const [run] = runsIn([record]);
    return run && `no input or output of a ${run.shape.name} span holds messages`;
  },
  bundle: runBundle({
    runsIn,
    aboutOf(run) {
      const id = run.trace.slice(run.shape.name.length + 1);
      const model = modelOf(run);
      const tools = toolsOf(run);
      return {
        ...(id.startsWith('#') ? {} : { id }),
        ...(model === undefined ? {} : { model }),
        ...(tools && { tools }),
      };
    },
  }),
});
