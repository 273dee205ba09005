import { languageOf, languageOption } from '../options/language.js';
import { type Prompt, promptIn } from '../options/prompt.js';
import { mapMessages, withMessages } from '../transcript/edit.js';
import { textOf } from '../transcript/text.js';
import type { Message, Part, TextPart, ToolChange, ToolChanges, Transcript } from '../transcript/types.js';
import { NO_PLACE_FOR_USER, withUserMessage } from './append.js';
import { examplesOf, takesExamples, withExamples } from './few-shot.js';
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
      (now) => (now.traits.isReply ? now : rules.reduce(withRules, now)),
      (now) => (now.traits.isReply ? now : withExamples(now, examples, { at: startOf(now.messages), appended: user })),
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
      ...(takesExamples(after, examplesOf(fewShot, prompt))
        ? []
        : ['no examples: their calls would need tool definitions, of which it has none']),
      ...(user === undefined || takesUser(after) ? [] : [NO_PLACE_FOR_USER]),
      ...(names.length > 0 ? [`no description of ${names.join(', ')}: no such tool is defined in this recording`] : []),
    ];
    return missing.length === 0 ? undefined : `added ${missing.join('; and ')}`;
  },
});

function takesUser({ traits }: Transcript): boolean {
  return traits.endsOnReply !== true && traits.holdsOnlyReplies !== true;
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

function firstMessage(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'meta');
  return first < 0 ? messages.length : first;
}

/** The index of the first message after the system prompt. */
function startOf(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'meta' && role !== 'system');
  return first < 0 ? messages.length : first;
}
