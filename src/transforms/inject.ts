import { languageOf, languageOption } from '../options/language.js';
import { type ExampleMessage, type Prompt, promptIn } from '../options/prompt.js';
import { mapMessages, withMessages } from '../transcript/edit.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { Message, Part, TextPart, ToolChange, ToolChanges, Transcript } from '../transcript/types.js';
import { withUserMessage } from './append.js';
import { defineTransform } from './transform.js';

export default defineTransform({
  id: 'inject',
  summary: 'put rules, examples and tool descriptions into the prompt',
  description:
    'Adds rules to the system prompt, example messages behind it, a user message at the end, and rewrites the definitions of tools where the transcript carries them; each once, so a second run changes nothing. Where there is no system prompt, one is made if the format has a place for it.',
  needs: ['system', 'fewShot', 'user', 'toolDescription', 'policy'],
  options: {
    system: { type: 'file', reach: 'reads', value: 'file', summary: 'add the text of this file to the system prompt' },
    fewShot: {
      type: 'messages',
      reach: 'reads',
      value: 'file',
      summary: 'put the messages of this file (in any format) behind the system prompt',
    },
    user: { type: 'text', value: 'text', summary: 'append a user message' },
    toolDescription: {
      type: 'named-file',
      reach: 'reads',
      many: true,
      value: 'name=file',
      summary: 'describe a tool by the text of this file',
    },
    policy: {
      type: 'policy',
      reach: 'reads',
      value: 'file|name',
      summary: 'take system rules, examples and tool definitions from a policy: query-history, or a file',
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
      (now) => (user === undefined || now.traits.endsOnReply === true ? now : withUserMessage(now, user)),
    ];
    return steps.reduce((now, step) => step(now), transcript);
  },
  shortfall(after, { system, fewShot, toolDescription, policy, lang }) {
    const prompt = policy === undefined ? {} : promptIn(policy, languageOf(lang));
    const rules = rulesOf(system, prompt);
    const { messages, traits, tools } = after;
    const isUnsaid = !traits.isReply && rules.some((text) => !messages.some((message) => hasRules(message, text)));
    const names = toolDescription
      .map(([name]) => name)
      .filter((name) => tools === undefined || !textOf(tools).replaceAll('\\', '').includes(`"${name}"`));
    const said = [
      ...(isUnsaid ? ['no system prompt: this recording has no place for one'] : []),
      ...(!takesCalls(after) && examplesOf(fewShot, prompt).some(hasCall)
        ? ['no examples: their calls would need tool definitions, of which it has none']
        : []),
      ...(names.length > 0 ? [`no description of ${names.join(', ')}: no such tool is defined in this recording`] : []),
    ];
    return said.length === 0 ? undefined : `added ${said.join('; and ')}`;
  },
});

function examplesOf(given: readonly Message[] | undefined, prompt: Prompt): Message[] {
  return [...(given ?? []), ...(prompt.few_shot ?? []).flatMap(messagesOf)];
}

function rulesOf(system: string | undefined, prompt: Prompt): string[] {
  return [system, prompt.system].flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trimEnd()]));
}

// --- tools

/** A description of the user's own wins over the policy's; its parameters stay. */
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
  const home = messages.findLast(
    ({ role, parts }, index) => role === 'system' && index < startOf(messages) && parts.some(isText),
  );
  if (home !== undefined)
    return mapMessages(transcript, (message) => (message === home ? extended(message, rules) : message));
  if (transcript.takesSystem?.() === undefined) return transcript;
  const at = Math.max(0, transcript.takesSystem() === 'beside' ? 0 : firstSpoken(messages));
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
  const last = message.parts.findLast(isText)!;
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

function says({ parts }: Message, text: string | undefined): boolean {
  return (
    text !== undefined &&
    parts
      .filter(isText)
      .map((part) => textOf(part.text))
      .join('') === text
  );
}

function firstSpoken(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'meta');
  return first < 0 ? messages.length : first;
}

/** Where the conversation begins: behind the system prompt. */
function startOf(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'meta' && role !== 'system');
  return first < 0 ? messages.length : first;
}

// --- examples

/** The result of a call follows it at once. */
function messagesOf({ role, text, call }: ExampleMessage, index: number): Message[] {
  const said: Message[] = text === undefined ? [] : [{ role, parts: [{ type: 'text', text }] }];
  if (call === undefined) return said;
  const callId = `example${String(index).padStart(2, '0')}`; // nine letters and digits: Mistral's API takes no other ids
  return [
    ...said,
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
    !messages.some((message) => message.role === 'user' && !says(message, appended))
  )
    return transcript; // the rows of what a model wrote are no conversation
  const own = transcript.traits.resultsStandInCalls ? resultsInside(examples) : examples;
  const start = startOf(messages);
  if (areIn(own, messages)) return transcript;
  return withMessages(transcript, [...messages.slice(0, start), ...own, ...messages.slice(start)]);
}

function takesCalls({ traits, tools, messages }: Transcript): boolean {
  return traits.callsNeedTools !== true || tools !== undefined || messages.some(hasCall);
}

function hasCall({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'call');
}

/** Whether they are there already. Some logs keep only what the model wrote, and in an order of their own: that tells enough. */
function areIn(examples: readonly Message[], messages: readonly Message[]): boolean {
  const written = examples.filter(({ role }) => role === 'assistant').flatMap(keysOf);
  const there = new Set(messages.flatMap((message) => (message.role === 'meta' ? [] : keysOf(message))));
  return (written.length > 0 ? written : examples.flatMap(keysOf)).every((key) => there.has(key));
}

/** Where a call and its result are one value: each result behind its call. */
function resultsInside(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'tool' && last?.role === 'assistant')
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else joined.push(message);
  }
  return joined;
}

/** What is said, part by part, without ids: by this an example is known again. */
function keysOf({ role, parts }: Message): string[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return textOf(part.text) === '' ? [] : [`${role} ${textOf(part.text)}`];
      case 'call':
        return [`call ${part.tool} ${respelled(textOf(part.input))}`];
      case 'result':
        return [`result ${joinTexts(part.content)}`];
      default:
        return [];
    }
  });
}

function respelled(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}
