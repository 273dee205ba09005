/** Histories as messages of the AI SDK's UI. */
import { type Turn, textsOf } from './random-histories.js';

interface UiMessage {
  readonly role: string;
  readonly parts: readonly object[];
}

/** All rounds of an answer are one message, and a call holds its result. */
export function uiHistoryOf(turns: readonly Turn[]): { readonly messages: readonly object[] } {
  const messages = turns.reduce((list, turn, at) => withTurn(list, turn, turns[at + 1]), [] as readonly UiMessage[]);
  return {
    messages: [{ role: 'system', parts: [text('Be brief.')] }, ...messages].map((one, at) => ({
      id: `m${at}`,
      ...one,
    })),
  };
}

const text = (said: string) => ({ type: 'text', text: said });

function withTurn(list: readonly UiMessage[], turn: Turn, next: Turn | undefined): readonly UiMessage[] {
  if (turn.who === 'tool') return list;
  const texts = textsOf(turn.content).map(text);
  if (turn.who === 'user') return [...list, { role: 'user', parts: texts }];
  const last = list.at(-1)?.role === 'assistant' ? list.at(-1)! : undefined;
  const calls = turn.calls.map((call) => calledPart(call, next?.who === 'tool' ? next.results : []));
  const parts = [...(last?.parts ?? []), { type: 'step-start' }, ...texts, ...calls];
  return [...(last === undefined ? list : list.slice(0, -1)), { role: 'assistant', parts }];
}

type Call = (Turn & { readonly who: 'assistant' })['calls'][number];
type Result = (Turn & { readonly who: 'tool' })['results'][number];

function calledPart({ id, name, input }: Call, results: readonly Result[]): object {
  const result = results.find((one) => one.id === id);
  const part = { type: `tool-${name}`, toolCallId: id, input };
  return result === undefined
    ? { ...part, state: 'input-available' }
    : { ...part, state: 'output-available', output: textsOf(result.content).join('\n') };
}
