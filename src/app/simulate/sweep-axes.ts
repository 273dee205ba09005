/** `--sweep max-tool-calls=0..10`: which option of which step, and the values to try. */
import { TranscriptError } from '../../errors.js';
import type { Axis } from '../../simulation/sweep.js';
import type { Step } from '../../transforms/pipeline.js';
import type { Transform } from '../../transforms/transform.js';

/** What the command line made of its words, and what it knows of steps. */
export interface Steps {
  readonly steps: readonly Step[];
  /** The same as they were written. */
  readonly written: string;
  readonly transforms: readonly Transform[];
  /** The step that a text stands for: `filter:max-tool-calls=3`. */
  stepOf(text: string): Promise<Step>;
}

/** No more combinations than this: each is a play of all recordings. */
const MOST = 1000;

/** The axes, and the steps with those that only a sweep names behind them. */
export async function axesOf(
  sweeps: readonly string[],
  { steps: given, transforms, stepOf }: Steps,
): Promise<{ readonly steps: readonly Step[]; readonly axes: readonly Axis[] }> {
  const steps = [...given];
  const axes: Axis[] = [];
  for (const sweep of sweeps) {
    const [, id, name, texts] = /^(?:([a-z]+):)?([a-z-]+)=(.+)$/.exec(sweep) ?? [];
    if (name === undefined || texts === undefined)
      throw wrong(sweep, 'expected an option and its values, such as max-tool-calls=0..10');
    const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const transform =
      steps
        .map((step) => step.transform)
        .find((own) => (id === undefined || own.id === id) && Object.hasOwn(own.options, key))?.id ??
      id ??
      onlyOneWith(key, name, transforms, sweep);
    const values: unknown[] = [];
    for (const text of valuesIn(texts)) values.push((await stepOf(`${transform}:${name}=${text}`)).values[key]);
    let step = steps.findIndex((own) => own.transform.id === transform);
    if (step < 0) step = steps.push(await stepOf(transform)) - 1;
    axes.push({ name, step, key, values });
  }
  const count = axes.reduce((product, { values }) => product * values.length, 1);
  if (count === 0 || count > MOST)
    throw new TranscriptError('usage', `--sweep makes ${count} policies; from 1 to ${MOST} are compared`);
  return { steps, axes };
}

function onlyOneWith(key: string, name: string, transforms: readonly Transform[], sweep: string): string {
  const having = transforms.filter(({ options }) => Object.hasOwn(options, key));
  if (having.length === 1) return having[0]!.id;
  throw wrong(
    sweep,
    having.length === 0
      ? `no step has an option \`${name}\``
      : `several steps have it; write ${having.map(({ id }) => `${id}:${name}=…`).join(' or ')}`,
  );
}

/** `0..10`, `0..100..10` (every tenth), `1,2,5`. */
function valuesIn(text: string): string[] {
  const [, from, to, step = '1'] = /^(\d+)\.\.(\d+)(?:\.\.(\d+))?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return text.split(',');
  const by = Math.max(1, Number(step));
  const count = Math.floor((Number(to) - Number(from)) / by) + 1;
  return Array.from({ length: Math.min(MOST + 1, Math.max(0, count)) }, (_, index) =>
    String(Number(from) + index * by),
  );
}

function wrong(sweep: string, what: string): TranscriptError {
  return new TranscriptError('usage', `--sweep \`${sweep}\`: ${what}`);
}
