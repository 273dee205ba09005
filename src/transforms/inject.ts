import { languageOf, languageOption } from '../options/language.js';
import { type ExampleMessage, type Prompt, promptIn } from '../options/prompt.js';
import { mapMessages, mapParts, withMessages } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { Message, Part, TextPart, ToolChange, ToolChanges, Traits, Transcript } from '../transcript/types.js';
import { NO_PLACE_FOR_USER, withUserMessage } from './append.js';
import { defineTransform } from './transform.js';

export default defineTransform({
  id: 'inject',
  summary: 'add rules, examples and tool descriptions to the prompt',
  description:
    'Adds rules to the system prompt, example messages after it and a user message at the end, and changes tool ' +
    'definitions if the transcript has them. A second run changes nothing. If there is no system prompt, one is ' +
    'added where the format allows it.',
  needs: ['system', 'fewShot', 'user', 'toolDescription', 'policy'],
  options: {
    system: { type: 'file', reach: 'reads', value: 'file', summary: 'add the text of this file to the system prompt' },
    fewShot: {
      type: 'messages',
      reach: 'reads',
      value: 'file',
      summary: 'add the messages of this file (in any format) after the system prompt',
    },
    user: { type: 'text', value: 'text', summary: 'append a user message' },
    toolDescription: {
      type: 'named-file',
      reach: 'reads',
      many: true,
      value: 'name=file',
      summary: 'replace the description of a tool with the text of this file',
    },
    policy: {
      type: 'policy',
      reach: 'reads',
      value: 'file|name',
      summary: 'add the system rules, examples and tool definitions of a policy: query-history, or a file',
    },
    lang: { ...languageOption.lang, needs: ['policy'] },
  },
  apply(transcript, { system, fewShot, user, toolDescription, policy, lang }) {
    const prompt = policy === undefined ? {} : promptIn(policy, languageOf(lang));
    const rules = rulesOf(system, prompt);
    const examples = examplesOf(fewShot, prompt);
    const steps: readonly ((now: Transcript) => Transcript)[] = [
      (now) => withTools(now, { ...prompt.tools, ...describedBy(toolDescription, prompt.tools) }),
      (now) => (now.traits.isReply ? now : withExamples(rules.reduce(withRules, now), examples, user)),
      (now) => (user === undefined || !takesUser(now) ? now : withUserMessage(now, user)),
    ];
    return steps.reduce((now, step) => step(now), transcript);
  },
  shortfall(after, { system, fewShot, user, toolDescription, policy, lang }) {
    const prompt = policy === undefined ? {} : promptIn(policy, languageOf(lang));
    const rules = rulesOf(system, prompt);
    const { messages, traits, tools } = after;
    const isMissing = !traits.isReply && rules.some((text) => !messages.some((message) => hasRules(message, text)));
    const names = toolDescription
      .map(([name]) => name)
      .filter((name) => tools === undefined || !textOf(tools).replaceAll('\\', '').includes(`"${name}"`));
    const missing = [
      ...(isMissing ? ['no system prompt: this recording has no place for one'] : []),
      ...(!takesCalls(after) && examplesOf(fewShot, prompt).some(hasCall)
        ? ['no examples: their calls would need tool definitions, of which it has none']
        : []),
      ...(user === undefined || takesUser(after) ? [] : [NO_PLACE_FOR_USER]),
      ...(names.length > 0 ? [`no description of ${names.join(', ')}: no such tool is defined in this recording`] : []),
    ];
    return missing.length === 0 ? undefined : `added ${missing.join('; and ')}`;
  },
});

function takesUser({ traits }: Transcript): boolean {
  return traits.endsOnReply !== true && traits.holdsOnlyReplies !== true;
}

function examplesOf(given: readonly Message[] | undefined, prompt: Prompt): Message[] {
  return [...plainExamples(given ?? []), ...(prompt.few_shot ?? []).flatMap(messagesOf)];
}

/** Arguments are texts, as the APIs of others take no objects; results name their tool, as Gemini's takes no others. */
function plainExamples(messages: readonly Message[]): readonly Message[] {
  const callOf = new Map(pair(messages).results.map(({ part, call }) => [part, call?.part]));
  return messages.map((message) =>
    mapParts(message, (part) => {
      if (part.type === 'call') return { ...part, input: textOf(part.input) };
      return part.type === 'result' ? { ...part, tool: part.tool || callOf.get(part)?.tool } : part;
    }),
  );
}

function rulesOf(system: string | undefined, prompt: Prompt): string[] {
  return [system, prompt.system].flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trimEnd()]));
}

// --- tools

/** The user's description of a tool replaces the policy's, but keeps the policy's parameters. */
function describedBy(given: readonly (readonly [name: string, text: string])[], known: ToolChanges = {}): ToolChanges {
  return Object.fromEntries(
    given.map(([name, text]): [string, ToolChange] => [
      name,
      { ...(Object.hasOwn(known, name) ? known[name] : {}), description: text.trim() },
    ]),
  );
}

function withTools(transcript: Transcript, changes: ToolChanges): Transcript {
  const { tools, redefine } = transcript;
  if (tools === undefined || redefine === undefined || Object.keys(changes).length === 0) return transcript;
  const changed = redefine(tools, changes);
  return changed === tools ? transcript : { ...transcript, tools: changed };
}

// --- the system prompt

function withRules(transcript: Transcript, rules: string): Transcript {
  const { messages } = transcript;
  if (messages.some((message) => hasRules(message, rules))) return transcript;
  const start = startOf(messages);
  const isSystem = ({ role, parts }: Message, index: number) => role === 'system' && index < start && parts.length > 0;
  const isBeside = transcript.takesSystem?.() === 'beside'; // there is one place, which may hold other parts than texts
  const target =
    messages.findLast((message, index) => isSystem(message, index) && message.parts.some(isText)) ??
    (isBeside ? messages.findLast(isSystem) : undefined);
  if (target !== undefined)
    return mapMessages(transcript, (message) => (message === target ? extended(message, rules) : message));
  if (transcript.takesSystem?.() === undefined) return transcript;
  const at = Math.max(0, transcript.takesSystem() === 'beside' ? 0 : firstMessage(messages));
  return withMessages(transcript, [
    ...messages.slice(0, at),
    { role: 'system', parts: [{ type: 'text', text: rules }] },
    ...messages.slice(at),
  ]);
}

function hasRules({ role, parts }: Message, rules: string): boolean {
  return role === 'system' && parts.some((part) => part.type === 'text' && textOf(part.text).includes(rules));
}

function extended(message: Message, rules: string): Message {
  const last = message.parts.findLast(isText);
  if (last === undefined) return { ...message, parts: [...message.parts, { type: 'text', text: rules }] };
  const old = textOf(last.text);
  return {
    ...message,
    parts: message.parts.map((part) =>
      part === last
        ? { ...last, text: old === '' ? rules : `${old}${old.endsWith('\n') ? '\n' : '\n\n'}${rules}` }
        : part,
    ),
  };
}

function isText(part: Part): part is TextPart {
  return part.type === 'text';
}

function hasText({ parts }: Message, text: string | undefined): boolean {
  return (
    text !== undefined &&
    parts
      .filter(isText)
      .map((part) => textOf(part.text))
      .join('') === text
  );
}

function firstMessage(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'meta');
  return first < 0 ? messages.length : first;
}

/** The index of the first message after the system prompt. */
function startOf(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'meta' && role !== 'system');
  return first < 0 ? messages.length : first;
}

// --- examples

function messagesOf({ role, text, call }: ExampleMessage, index: number): Message[] {
  const spoken: Message[] = text === undefined ? [] : [{ role, parts: [{ type: 'text', text }] }];
  if (call === undefined) return spoken;
  // nine letters and digits: Mistral's API takes no other ids
  const callId = `example${String(index).padStart(2, '0')}`;
  return [
    ...spoken,
    { role: 'assistant', parts: [{ type: 'call', callId, tool: call.tool, input: JSON.stringify(call.args) }] },
    {
      role: 'tool',
      parts: [{ type: 'result', callId, tool: call.tool, content: [{ type: 'text', text: call.result }] }],
    },
  ];
}

function withExamples(transcript: Transcript, examples: readonly Message[], appended: string | undefined): Transcript {
  const { messages } = transcript;
  if (
    examples.length === 0 ||
    (!takesCalls(transcript) && examples.some(hasCall)) ||
    !messages.some((message) => message.role === 'user' && !hasText(message, appended))
  )
    return transcript; // without a user message it is no conversation
  const { traits } = transcript;
  const added = (traits.resultsStandInCalls ? joinResults(examples) : examples).map((one) => fitted(one, traits));
  const start = startOf(messages);
  if (includeAll(added, messages)) return transcript;
  return withMessages(transcript, [...messages.slice(0, start), ...added, ...messages.slice(start)]);
}

/** A message with calls as the API of this model takes it. */
function fitted(message: Message, { nullBesideCalls, reasonsBesideCalls }: Traits): Message {
  if (!hasCall(message)) return message;
  return {
    ...message,
    ...(nullBesideCalls ? { isSilent: true } : {}),
    ...(reasonsBesideCalls ? { emptyReasoning: true } : {}),
  };
}

function takesCalls({ traits, tools, messages }: Transcript): boolean {
  return traits.callsNeedTools !== true || tools !== undefined || messages.some(hasCall);
}

function hasCall({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'call');
}

/**
 * Whether the examples were added before, also where a format keeps the texts of a message as one. Compares the model's
 * messages, because some logs keep no others.
 */
function includeAll(examples: readonly Message[], messages: readonly Message[]): boolean {
  const written = examples.filter((message) => message.role === 'assistant' && contentKeys(message).length > 0);
  const spoken = messages.filter(({ role }) => role !== 'meta');
  const present = new Set(spoken.flatMap((message) => [...contentKeys(message), ...contentKeys(asOneText(message))]));
  const isThere = (message: Message) =>
    [message, asOneText(message)].some((one) => contentKeys(one).every((key) => present.has(key)));
  return (written.length > 0 ? written : examples).every(isThere);
}

function asOneText({ role, parts }: Message): Message {
  const text = parts.flatMap((part) => (isText(part) ? [textOf(part.text)] : [])).join('');
  return { role, parts: [{ type: 'text', text }, ...parts.filter((part) => !isText(part))] };
}

/** For formats in which a call and its result are one value: moves results into the message of their call. */
function joinResults(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'tool' && last?.role === 'assistant')
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else joined.push(message);
  }
  return joined;
}

/** Identifies the parts of a message by their content, without ids. */
function contentKeys({ role, parts }: Message): string[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return textOf(part.text).trim() === '' ? [] : [`${role} ${textOf(part.text).replace(/\s+/g, '')}`];
      case 'call':
        return [`call ${part.tool} ${normalizedJson(textOf(part.input))}`];
      case 'result':
        return [`result ${joinTexts(part.content)}`];
      default:
        return [];
    }
  });
}

function normalizedJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}
