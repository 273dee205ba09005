/**
 * LangSmith runs: batches as its SDKs send them (`post` when a run begins, `patch` when it ends), and rows of exported
 * runs. The messages of a run are in `inputs` and `outputs`, in the format of the library that was traced.
 * https://github.com/langchain-ai/langsmith-sdk/blob/main/python/langsmith/schemas.py
 */
import { type Json, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { embeddedFormat } from '../shared/embedded-messages.js';
import { type Run, runBundle } from '../shared/run-bundle.js';
import { modelIn, runsIn } from './langsmith-runs.js';

export default defineFormat({
  ...embeddedFormat,
  id: 'langsmith',
  explainEmpty: (record) =>
    runsIn([record]).length === 0 ? undefined : 'no run has messages in its `inputs` or `outputs`',
  bundle: runBundle({
    runsIn,
    aboutOf,
    afterEdit: (value, node) => (value.is(node.get('events')) ? withoutTokens(value) : undefined),
  }),
});

function aboutOf({ trace, input, nodes }: Run) {
  const extra = nodes.map((node) => node.get('extra')).find((each) => each !== undefined);
  const tools = [input?.get('tools'), extra?.get('invocation_params')?.get('tools')].find((list) => list?.isArray);
  const model = modelIn(extra) ?? input?.get('model')?.string;
  return { id: trace || undefined, ...(model === undefined ? {} : { model }), ...(tools && { tools }) };
}

/** The pieces of a streamed reply, which repeat a text that was edited. */
function withoutTokens(events: JsonNode): Json {
  return patchEach(events, (event) => (event.get('name')?.string === 'new_token' ? undefined : event));
}
