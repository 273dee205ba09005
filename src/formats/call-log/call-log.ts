/**
 * HTTP requests to model APIs as proxies, browsers and recorded tests write them, with the bodies as JSON in strings:
 * HAR, cassettes, and lines of requests with responses. Bodies that are JSON themselves are read by the formats of the
 * providers. Of a response that was streamed, or stands in base64, only the usage is read: its words count as unread.
 */
import { nested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import { defineFormat } from '../format.js';
import openaiResponses from '../openai/openai-responses.js';
import { findMessages } from '../shared/conversation.js';
import { embeddedFormat } from '../shared/embedded-messages.js';
import { isEncoded } from '../shared/encoded-body.js';
import { exchangeEnvelope, type HeldExchange } from '../shared/exchange-envelope.js';
import { timeOf } from '../shared/recorded.js';
import { bodyOf, isStream } from '../shared/streamed-response.js';
import { responseFacts } from './response-facts.js';

/** Where a log holds its requests; paths as in `api-call-shapes.ts`. Links as of 2026-11-22. */
interface LogShape {
  /** The path to the list of requests; without it the record is one. */
  readonly list?: string;
  readonly request: string;
  readonly response: string;
  readonly time?: string;
}

const SHAPES: readonly LogShape[] = [
  // HAR: http://www.softwareishard.com/blog/har-12-spec/ https://docs.mitmproxy.org/stable/overview/features/
  { list: 'log.entries', request: 'request.postData.text', response: 'response.content.text', time: 'startedDateTime' },
  // VCR.py: https://vcrpy.readthedocs.io/en/latest/usage.html
  { list: 'interactions', request: 'request.body', response: 'response.body.string' },
  // VCR for Ruby: https://benoittgt.github.io/vcr/
  { list: 'http_interactions', request: 'request.body.string', response: 'response.body.string', time: 'recorded_at' },
  { request: 'request.body', response: 'response.body' },
];

/** The lists of messages in the requests of the providers. */
const REQUEST_KEYS = ['messages', 'contents', 'input'];

export default defineFormat({
  ...embeddedFormat,
  id: 'call-log',
  envelope: exchangeEnvelope(exchangesIn),
  beside: (record) => placesIn(record).map(({ node, shape }) => streamIn(node, shape)),
});

function placesIn(record: JsonNode): { readonly node: JsonNode; readonly shape: LogShape }[] {
  return SHAPES.flatMap((shape) => {
    const list = shape.list === undefined ? undefined : at(record, shape.list);
    const nodes = shape.list === undefined ? [record] : (list?.items() ?? []);
    return nodes.map((node) => ({ node, shape }));
  });
}

function exchangesIn(record: JsonNode): HeldExchange[] {
  return placesIn(record).flatMap(({ node, shape }) => exchangeOf(node, shape) ?? []);
}

/** The response to a request with messages, if it was streamed, or stands in base64. */
function streamIn(node: JsonNode, { request, response }: LogShape): JsonNode | undefined {
  const [input, output] = [at(node, request), at(node, response)];
  if (!input?.isString || !output?.isString || !(isStream(output.text) || isEncoded(output.text))) return undefined;
  const asked = nested(input).value;
  return REQUEST_KEYS.some((key) => asked.get(key) !== undefined) ? output : undefined;
}

function exchangeOf(node: JsonNode, shape: LogShape): HeldExchange | undefined {
  const input = at(node, shape.request);
  const output = at(node, shape.response);
  if (!input?.isString) return undefined;
  const request = nested(input).value;
  if (!REQUEST_KEYS.some((key) => request.get(key)?.isArray) && !isTextRequest(request)) return undefined;
  const response = output?.isString ? nested(output).value : undefined;
  const reply = response?.isObject ? findMessages(output, 'assistant') : undefined;
  const body = response?.isObject ? response : output?.isString ? bodyOf(output) : undefined;
  const recorded = body && responseFacts(body, reply?.messages[0]?.lens);
  const time = recorded?.time ?? (shape.time === undefined ? undefined : timeOf(at(node, shape.time)));
  const tools = request.get('tools');
  return {
    node,
    input,
    output,
    exchange: {
      input: findMessages(input, 'user'),
      output: reply,
      isRequest: true,
      request: recorded && { ...recorded, time },
    },
    about: { id: recorded?.responseId, model: request.get('model')?.string, ...(tools?.isArray ? { tools } : {}) },
  };
}

/** Whether it is a request of OpenAI Responses whose input is a text. */
function isTextRequest(request: JsonNode): boolean {
  return request.get('input')?.isString === true && openaiResponses.claimsRecord!(request);
}

function at(node: JsonNode, path: string): JsonNode | undefined {
  return path.split('.').reduce<JsonNode | undefined>((holder, key) => holder?.get(key), node);
}
