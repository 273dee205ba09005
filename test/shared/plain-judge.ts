/**
 * What APIs demand of the order of messages, written down over plain JSON without any of our code: who begins, whose
 * turn it is, and that each call is answered right after it, once.
 */
import { type ChatMessage, faultsOf } from './valid-chat.js';

type Raw = Readonly<Record<string, unknown>>;

/** What is wrong with the list of messages that one of these providers gets. */
export function orderFaults(name: string, messages: readonly unknown[]): string[] {
  return (JUDGES[name] ?? JUDGES['openai-chat']!)(messages as readonly Raw[]);
}

interface Shape {
  readonly key: string;
  readonly model: string;
  /** What a block calls, or answers: the id, or the name where calls have none. */
  called(block: Raw): string | undefined;
  answered(block: Raw): string | undefined;
  /** Two turns of one role in a row. */
  readonly repeats: 'never' | 'after results' | 'taken';
  /** Results share their message with no text. */
  readonly apart: boolean;
}

const field = (block: Raw, key: string, ...names: string[]): string | undefined => {
  const value = block[key] as Raw | undefined;
  return value === undefined ? undefined : names.map((name) => value[name] as string).find((one) => one !== undefined);
};

const BEDROCK: Shape = {
  key: 'content',
  model: 'assistant',
  called: (block) => field(block, 'toolUse', 'toolUseId'),
  answered: (block) => field(block, 'toolResult', 'toolUseId'),
  repeats: 'never',
  apart: false,
};
const GEMINI: Shape = {
  key: 'parts',
  model: 'model',
  called: (block) => field(block, 'functionCall', 'id', 'name'),
  answered: (block) => field(block, 'functionResponse', 'id', 'name'),
  repeats: 'after results',
  apart: true,
};
const ANTHROPIC: Shape = {
  key: 'content',
  model: 'assistant',
  called: (block) => (block['type'] === 'tool_use' ? (block['id'] as string) : undefined),
  answered: (block) => (block['type'] === 'tool_result' ? (block['tool_use_id'] as string) : undefined),
  repeats: 'taken',
  apart: false,
};

const JUDGES: Readonly<Record<string, (messages: readonly Raw[]) => string[]>> = {
  'openai-chat': (messages) => faultsOf(messages as unknown as ChatMessage[]),
  gemma: (messages) => [...faultsOf(messages as unknown as ChatMessage[]), ...alternating(messages)],
  mistral: (messages) => [
    ...faultsOf(messages as unknown as ChatMessage[]),
    ...messages.flatMap(({ role }, at) =>
      role === 'user' && messages[at - 1]?.['role'] === 'tool' ? [`message ${at}: the user after a tool`] : [],
    ),
  ],
  'openai-responses': items,
  anthropic: (messages) => turnFaults(joinedTurns(messages), ANTHROPIC),
  bedrock: (messages) => turnFaults(messages, BEDROCK),
  gemini: (messages) => turnFaults(messages, GEMINI),
  'vercel-model': (messages) => faultsOf(messages.flatMap(fromVercel)),
};

/** As Anthropic reads them: messages of one role in a row are one turn. */
function joinedTurns(messages: readonly Raw[]): Raw[] {
  const turns: Raw[] = [];
  for (const message of messages) {
    const [last, blocks] = [
      turns.at(-1),
      (content: unknown) => (Array.isArray(content) ? (content as Raw[]) : [{ content }]),
    ];
    if (last === undefined || last['role'] !== message['role']) turns.push(message);
    else turns[turns.length - 1] = { ...last, content: [...blocks(last['content']), ...blocks(message['content'])] };
  }
  return turns;
}

function turnFaults(messages: readonly Raw[], shape: Shape): string[] {
  const blocksOf = (message: Raw | undefined) =>
    Array.isArray(message?.[shape.key]) ? (message[shape.key] as readonly Raw[]) : [];
  const faults: string[] = [];
  if (messages.length > 0 && messages[0]!['role'] !== 'user') faults.push('the first message is not the user’s');
  messages.forEach((message, at) => {
    const before = messages[at - 1];
    const blocks = blocksOf(message);
    const answers = blocks.flatMap((block) => shape.answered(block) ?? []);
    const asked = blocksOf(before).flatMap((block) => shape.called(block) ?? []);
    const next = blocksOf(messages[at + 1]).flatMap((block) => shape.answered(block) ?? []);
    const calls = blocks.flatMap((block) => shape.called(block) ?? []);
    const sorted = (list: readonly string[]) => [...list].sort().join(' ');
    if (answers.length > 0 && sorted(answers) !== sorted(asked))
      faults.push(`message ${at}: answers ${sorted(answers)} to calls ${sorted(asked)}`);
    if (calls.length > 0 && next.length === 0 && at < messages.length) faults.push(`message ${at}: unanswered calls`);
    if (answers.length > 0 && blocks.slice(0, answers.length).some((block) => shape.answered(block) === undefined))
      faults.push(`message ${at}: results that do not lead`);
    if (shape.apart && answers.length > 0 && answers.length < blocks.length)
      faults.push(`message ${at}: results beside other parts`);
    if (blocks.length === 0 && (typeof message[shape.key] !== 'string' || message[shape.key] === ''))
      faults.push(`message ${at}: nothing said`);
    const wasAnswer = blocksOf(before).some((block) => shape.answered(block) !== undefined);
    if (before?.['role'] !== message['role'] || shape.repeats === 'taken') return;
    if (shape.repeats === 'after results' && message['role'] === 'user' && wasAnswer && answers.length === 0) return;
    faults.push(`message ${at}: again the ${message['role']}'s`);
  });
  return faults;
}

/** As chat templates want it: the user and the assistant in turn. */
function alternating(messages: readonly Raw[]): string[] {
  return messages.flatMap(({ role }, at) =>
    role !== 'tool' && role === messages[at - 1]?.['role'] ? [`message ${at}: again the ${role}'s`] : [],
  );
}

/** Items of Responses: each call has one output, somewhere behind it. */
function items(list: readonly Raw[]): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  list.forEach(({ type, call_id: id }, at) => {
    if (typeof type !== 'string') return;
    if (type.endsWith('_call') && id !== undefined) open.push(id as string);
    if (!type.endsWith('_call_output')) return;
    if (!open.includes(id as string)) faults.push(`item ${at}: an output of no open call`);
    else open.splice(open.indexOf(id as string), 1);
  });
  return [...faults, ...open.map((id) => `call ${id} has no output`)];
}

function fromVercel(message: Raw): ChatMessage[] {
  const parts = Array.isArray(message['content']) ? (message['content'] as readonly Raw[]) : [];
  const ids = (type: string) =>
    parts
      .filter((part) => part['type'] === type && part['providerExecuted'] !== true)
      .map((part) => part['toolCallId'] as string);
  if (message['role'] === 'tool') return ids('tool-result').map((id) => ({ role: 'tool', tool_call_id: id }));
  return [{ role: message['role'] as string, tool_calls: ids('tool-call').map((id) => ({ id })) }];
}
