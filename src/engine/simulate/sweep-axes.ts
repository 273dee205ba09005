/** `--sweep max-tool-calls=0..10`: which option of which step, and the values to try. */
import { TranscriptError } from '../../errors.js';
import type { Axis } from '../../measure/simulation/sweep.js';
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
  const named = sweeps.map(parsed);
  const steps = [...given];
  for (const sweep of named)
    if (!isForAll(sweep) && !steps.some((step) => isMeant(step, sweep)))
      steps.push(await stepOf(sweep.id ?? onlyOneWith(sweep, transforms)));
  const axes: Axis[] = [];
  for (const sweep of named) {
    const meant = steps.flatMap((step, index) => (isMeant(step, sweep) ? [index] : []));
    const own = isForAll(sweep) ? meant : meant.slice(0, 1);
    const id = steps[own[0] ?? -1]?.transform.id ?? sweep.id ?? onlyOneWith(sweep, transforms);
    const { name, key } = sweep;
    if (axes.some((axis) => axis.key === key && axis.steps.some((index) => own.includes(index))))
      throw wrong(sweep.text, 'the option is given twice: write all its values in one list');
    const values: unknown[] = [];
    for (const text of valuesIn(sweep)) values.push((await stepOf(`${id}:${name}=${text}`)).values[key]);
    axes.push({ name, steps: own, key, values });
  }
  const count = axes.reduce((product, { values }) => product * values.length, 1);
  if (count === 0 || count > MOST)
    throw new TranscriptError('usage', `--sweep makes ${count} policies; it compares 1 to ${MOST}`);
  return { steps, axes };
}

/** `filter:max-tool-calls=0..10`, parsed. */
interface Sweep {
  readonly text: string;
  /** The transform, if it is named. */
  readonly id: string | undefined;
  /** The option as a flag and as a key. */
  readonly name: string;
  readonly key: string;
  readonly values: string;
}

function parsed(text: string): Sweep {
  const { id, name, values } = /^(?:(?<id>[a-z-]+):)?(?<name>[a-z-]+)=(?<values>.+)$/.exec(text)?.groups ?? {};
  if (name === undefined || values === undefined)
    throw wrong(text, 'expected an option and its values, such as max-tool-calls=0..10');
  return { text, id, name, key: name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), values };
}

/** The prompt cache is lost when any step moves, so `every` without a step is for all steps. */
function isForAll({ id, key }: Sweep): boolean {
  return id === undefined && key === 'every';
}

function isMeant({ transform }: Step, { id, key }: Sweep): boolean {
  return (id === undefined || transform.id === id) && Object.hasOwn(transform.options, key);
}

function onlyOneWith({ key, name, text }: Sweep, transforms: readonly Transform[]): string {
  const having = transforms.filter(({ options }) => Object.hasOwn(options, key));
  if (having.length === 1) return having[0]!.id;
  throw wrong(
    text,
    having.length === 0
      ? `no step has an option \`${name}\``
      : `several steps have it; write ${having.map(({ id }) => `${id}:${name}=…`).join(' or ')}`,
  );
}

/** `0..10`, `0..100..10` (every tenth), `1,2,5`. */
function valuesIn({ values, text }: Sweep): string[] {
  const [, from, to, step = '1'] = /^(\d+)\.\.(\d+)(?:\.\.(\d+))?$/.exec(values) ?? [];
  if (from === undefined || to === undefined) return values.split(',');
  const by = Number(step);
  if (by === 0) throw wrong(text, 'the third number is by how much a value exceeds the one before: at least 1');
  const count = Math.floor((Number(to) - Number(from)) / by) + 1;
  return Array.from({ length: Math.min(MOST + 1, Math.max(0, count)) }, (_, index) =>
    String(Number(from) + index * by),
  );
}

function wrong(sweep: string, what: string): TranscriptError {
  return new TranscriptError('usage', `--sweep \`${sweep}\`: ${what}`);
}
