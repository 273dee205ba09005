/** What only the provider's own format shows: the blocks of messages, and what a request says beside them. */
import { JsonNode } from '../../json/node.js';
import type { Message, Transcript } from '../../transcript/types.js';
import { providers } from '../providers.js';
import type { RuleContext } from '../rule.js';
import { holds } from './schema.js';

/** Whether a message's parts were read from blocks of the provider's own format. */
export function isOwn({ wire, transcript, provider }: RuleContext, message: Message): boolean {
  return (
    wire(message) !== undefined ||
    (transcript.format === provider.format && message.raw instanceof JsonNode && message.role === 'system')
  );
}

const WIRE_FORMATS = new Set(providers.map(({ format }) => format));

/** Whether a transcript is in an agent's own format: what it sends is made of it, and is not it. */
export function isLog({ format }: Transcript): boolean {
  return !WIRE_FORMATS.has(format);
}

/** Lists of messages in bodies of requests. */
const LISTS = ['messages', 'contents', 'input'];

/** Whether a message stands in the list of a request that says these things too, as it was sent. */
export function isSent(subject: RuleContext, { raw, origin }: Message, settings: readonly string[] = []): boolean {
  const stood = origin ?? raw;
  return bodiesIn(subject).some((body) => {
    const list = LISTS.map((key) => body?.get(key)).find((node) => node?.isArray);
    const isIn = list !== undefined && stood instanceof JsonNode && holds(list, stood);
    return isIn && settings.every((key) => body?.get(key) !== undefined);
  });
}

/** Where a record of an exchange, or of a log, holds the request. */
const AROUND: readonly (readonly string[])[] = [
  [],
  ['request'],
  ['body'],
  ['input', 'inputBodyJson'],
  ['responses_create_params'],
];

function bodiesIn({ request }: RuleContext): (JsonNode | undefined)[] {
  return AROUND.map((path) => path.reduce<JsonNode | undefined>((node, key) => node?.get(key), request));
}

/** The body of the request itself: the object that holds the list of messages. Undefined where a recording holds none. */
export function bodyOf(subject: RuleContext): JsonNode | undefined {
  return bodiesIn(subject).find((body) => body?.get('messages')?.isArray || body?.get('contents')?.isArray);
}

/** What a request, or the record of one, says about this; null is nothing. */
export function settingOf(subject: RuleContext, key: string): JsonNode | undefined {
  return bodiesIn(subject)
    .map((body) => body?.get(key))
    .find((setting) => setting !== undefined && !setting.isNull);
}
