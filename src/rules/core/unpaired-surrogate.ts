import { table } from '../../formats/shared/table.js';
import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { mapMessages, mapParts } from '../../transcript/edit.js';
import { textOf } from '../../transcript/text.js';
import type { ContentPart, Part, Text } from '../../transcript/types.js';
import { errorRule } from '../rule.js';

const HALF = /\p{Surrogate}/gu;
/** An escape in JSON; the group matches an unpaired surrogate. */
const ESCAPE = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)/g;
/** A quick test, so that most texts need not be decoded. */
const SUSPECT = /\\u[dD][89a-fA-F]/;

export default errorRule({
  id: 'core/unpaired-surrogate',
  summary: 'an unpaired surrogate',
  providers: ['any'],
  error: 'The request body is not valid JSON: no low surrogate in string: line 1 column 28642 (char 28641)',
  cause: 'A text was cut in the middle of a surrogate pair (such as an emoji) by code that counts UTF-16 units.',
  reported: commaList(`
    link-assistant/hive-mind#1324, link-assistant/hive-mind#1204, anthropics/claude-code#6199,
    anthropics/claude-code#6273, anthropics/claude-code#4599, anthropics/claude-code#3277,
    anthropics/claude-code#60394, anthropics/claude-code#1939
  `),
  *check({ transcript }) {
    for (const [message, { parts }] of transcript.messages.entries()) {
      for (const part of parts) {
        if (whole(part) !== part)
          yield {
            message,
            part,
            ...('callId' in part ? { callId: part.callId } : {}),
            text: `the ${NAMES[part.type] ?? part.type} has an unpaired surrogate`,
          };
      }
    }
    const { tools } = transcript;
    if (tools !== undefined && wholeText(tools) !== tools)
      yield { message: undefined, text: 'the tool definitions have an unpaired surrogate' };
  },
  fix: {
    safety: 'safe',
    summary: 'Remove the unpaired surrogates.',
    reaches: (_, { message }) => message !== undefined,
    apply: ({ transcript }) => mapMessages(transcript, (message) => mapParts(message, whole)),
  },
});

const NAMES = table<string>({ call: 'input of the call', thinking: 'reasoning' });

/** Removes unpaired surrogates; returns the same part if there are none. */
function whole(part: Part): Part {
  if (part.type === 'text' || part.type === 'thinking') return changed(part, 'text', wholeText(part.text));
  if (part.type === 'call') return changed(part, 'input', wholeText(part.input));
  if (part.type !== 'result') return part;
  const content = part.content.map((block) => whole(block) as ContentPart);
  return content.every((block, index) => block === part.content[index]) ? part : { ...part, content };
}

function changed<T extends Part, K extends keyof T>(part: T, key: K, value: T[K]): T {
  return part[key] === value ? part : { ...part, [key]: value };
}

function wholeText(text: Text): Text {
  if (text instanceof JsonNode) {
    const json = text.source.bytes.latin1Slice(text.start, text.end);
    if (!SUSPECT.test(json)) return text;
    if (!text.isString)
      return withoutHalves(
        text,
        text.text.replace(ESCAPE, (found, half) => (half === undefined ? found : '')),
      );
  }
  return withoutHalves(text, textOf(text).replace(HALF, ''));
}

function withoutHalves(text: Text, left: string): Text {
  return left === textOf(text) ? text : left;
}
