/**
 * Requests to OpenAI's Responses API that continue a history on the server: what they hold is a delta, whose results
 * may answer calls that only the server has. https://platform.openai.com/docs/guides/conversation-state (2026-11-24)
 */
import { TranscriptError } from '../errors.js';
import type { Declared, StepOf } from '../transforms/declared.js';

/** As the API, the AI SDK's provider options and the OpenAI Agents SDK (`ModelRequest`) name them. */
const KEYS = ['previous_response_id', 'conversation', 'previousResponseId', 'conversationId'];

/** The setting of a request that says so; undefined if the request holds the whole history. */
export function continuedBy(request: object | undefined): string | undefined {
  return KEYS.find((key) => Boolean((request as Readonly<Record<string, unknown>> | undefined)?.[key]));
}

/** Whether these items can only be a delta: results, and no calls that they could answer. */
export function isOnlyResults(items: readonly Item[]): boolean {
  return items.some(isResult) && !items.some(({ type }) => String(type).endsWith('_call'));
}

/** The steps that neither add nor drop messages, and so may change a delta. `print` hears once of the others. */
export function deltaSteps(
  steps: readonly StepOf<Declared>[],
  print: (text: string) => void,
): (setting: string) => readonly StepOf<Declared>[] {
  const able = steps.filter((step) => !isWhole(step));
  const unable = [...new Set(steps.filter(isWhole).map(({ transform }) => transform.id))];
  let isSaid = unable.length === 0;
  return (setting) => {
    if (!isSaid) print(`the request continues a history on the server (${setting}): ${unable.join(', ')} did not run`);
    isSaid = true;
    return able;
  };
}

/** New entries of a session come without those before: a result would have no call, and a call no result. */
export function rejectWhole(steps: readonly StepOf<Declared>[], option: string): void {
  const whole = steps.find(isWhole);
  if (whole !== undefined)
    throw new TranscriptError('usage', `\`${option}\`: ${whole.transform.id} needs a whole session, not new entries`);
}

function isWhole({ transform }: StepOf<Declared>): boolean {
  return transform.perMessage !== true;
}

/**
 * Puts reasoning back that items after it need: "Item 'fc_…' of type 'function_call' was provided without its required
 * 'reasoning' item". https://github.com/cline/cline/issues/12242
 */
export function withNeededReasoning<M extends Item>(before: readonly M[], after: M[]): M[] {
  const kept = new Set(after.map(({ id }) => id));
  const needed = new Map<string | undefined, readonly M[]>(); // by the id of the first item after it
  let reasoning: readonly M[] = [];
  for (const item of before) {
    const { type, id, role } = item;
    if (type === 'reasoning') reasoning = id === undefined || kept.has(id) ? reasoning : [...reasoning, item];
    else if (reasoning.length === 0) continue;
    else if (role === 'user' || isResult(item)) reasoning = [];
    else if (id !== undefined && kept.has(id)) {
      needed.set(id, reasoning);
      reasoning = [];
    }
  }
  return needed.size === 0 ? after : after.flatMap((item) => [...(needed.get(item.id) ?? []), item]);
}

/** What this needs of an item of the Responses API or the OpenAI Agents SDK. */
interface Item {
  readonly type?: string;
  readonly id?: string;
  readonly role?: string;
}

function isResult({ type }: Item): boolean {
  return typeof type === 'string' && /_(?:result|output)$/.test(type);
}
