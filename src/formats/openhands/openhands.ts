/**
 * OpenHands: lists of events, in `history` of an evaluation's or the resolver's output, in `trajectory`, or alone. An
 * action of the agent may be a call, and an observation its result. Both name the call in `tool_call_metadata`, which
 * repeats the model's whole response; without it, the observation names the action's event in `cause`. Early events
 * name nothing, pair by order, and have the members of `args` beside `action`. The earliest histories are pairs of an
 * action and an observation.
 * https://github.com/All-Hands-AI/OpenHands/blob/main/openhands/events/serialization/event.py
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { defineFormat } from '../format.js';
import { isCall, isResult } from '../shared/parts.js';
import { readCondensation, writeCondensation } from './openhands-condensation.js';
import { baseOf, kindOf, NAMES, roleOf } from './openhands-events.js';
import { fresh } from './openhands-fresh.js';
import { beforeWrite, inPairs } from './openhands-list.js';
import { modelIn, readCall, readResult, textKeys, textsIn } from './openhands-read.js';
import { describe, recorded } from './openhands-record.js';
import { asSpeech, withBase, writeCall, writeResult, writeTexts } from './openhands-write.js';

export default defineFormat({
  id: 'openhands',
  traits: { flagsErrors: true },
  messagePaths: ['history', 'trajectory', 'events'],
  score(raw) {
    const [action, observation] = [raw.get('action'), raw.get('observation')];
    const name = (action ?? observation)?.string;
    if (name === undefined || (action !== undefined && observation !== undefined) || raw.get('role') !== undefined)
      return 0;
    const isWhole =
      action === undefined ? raw.get('content')?.isString && raw.get('extras')?.isObject : raw.get('args')?.isObject;
    if (isWhole) return 1;
    if (!NAMES.has(name)) return 0;
    return action !== undefined || raw.get('content')?.isString ? 0.9 : 0.3;
  },
  read(raw) {
    const kind = kindOf(raw);
    if (kind === 'meta') return readCondensation(raw) ?? { role: 'meta', parts: [], raw };
    if (kind === 'result') return { role: 'tool', parts: [readResult(raw)], raw };
    if (kind === 'notice') return { role: 'user', parts: textsIn(raw, ['content']), raw };
    const texts = textsIn(baseOf(raw), textKeys(raw));
    if (kind === 'speech') return { role: roleOf(raw), parts: texts, model: modelIn(raw), raw };
    return { role: 'assistant', parts: [...texts, readCall(raw)], model: modelIn(raw), raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return fresh(message);
    const kind = kindOf(raw);
    if (kind === 'meta') return message.role === 'user' ? writeCondensation(raw, parts) : raw;
    if (kind === 'result') return writeResult(parts.find(isResult), raw);
    if (kind === 'notice') return patch(raw, writeTexts(parts, raw, ['content']));
    const call = parts.find(isCall);
    if (kind === 'call' && call === undefined) return asSpeech(parts, raw);
    const base = writeTexts(parts, baseOf(raw), textKeys(raw));
    return call === undefined ? withBase(raw, base, {}) : writeCall(call, raw, base);
  },
  describe,
  recorded,
  beforeWrite,
  envelope: {
    open(record) {
      const pairs = record.get('history')?.items() ?? [];
      if (pairs.length === 0 || !pairs.every((pair) => pair.isArray && pair.items().every((event) => event.isObject)))
        return undefined;
      return [parse(`[${pairs.flatMap((pair) => pair.items().map((event) => event.text)).join(',')}]`)];
    },
    close(record, [list]) {
      const events = list instanceof JsonNode ? list.items() : ((list as { items: readonly Json[] }).items ?? []);
      return patch(record, { history: patchItems(record.get('history')!, inPairs(events)) });
    },
  },
});
