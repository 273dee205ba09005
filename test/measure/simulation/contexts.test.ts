/** What each request sends under a policy is what the steps make of its whole history, however it is computed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../../src/engine/steps.js';
import { parse } from '../../../src/json/node.js';
import { contextsOf, type Policy } from '../../../src/measure/simulation/policy.js';
import type { RequestSite } from '../../../src/measure/simulation/requests.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import { textOf } from '../../../src/transcript/text.js';
import type { CallPart, Message, Part, ResultPart, Transcript } from '../../../src/transcript/types.js';
import { loadAuto } from '../../../src/transforms/auto.js';
import { applySteps } from '../../../src/transforms/pipeline.js';
import { plain } from '../../shared/facts.js';
import { meaningOf, openText } from '../../shared/opened.js';
import { runs } from '../../shared/random-runs.js';
import { fixtures, sampled, sharedRecordings } from '../../shared/recordings.js';

loadAuto();
const counting = createCounting('gpt-4o', () => (text) => text.length, 1);

/** Each step for itself, and some pipelines. */
const POLICIES = [
  'filter:max-tool-calls=2',
  'filter:max-tool-calls=0',
  'filter:max-tool-calls=2,every=3',
  'filter:max-tool-calls=1,unit=round,every=2',
  'filter:max-tool-calls=1,drop-user=true',
  'filter:max-tool-calls=0,drop-user=true',
  'filter:max-tool-calls=1,unit=round,every=2,drop-user=true',
  'filter:max-tool-calls=0,every=auto,drop-user=true',
  'filter:max-tool-calls=1,marker=true',
  'filter:max-tool-calls=0,every=2,marker=true',
  'filter:max-tool-calls=1,every=auto,marker=true',
  'filter:max-tool-calls=1,marker=true truncate:max-length=40,no-minimum=true',
  'stale:path-arg=read=n filter:max-tool-calls=1,unit=round,marker=true',
  'filter:max-tool-calls=1,pending=drop',
  'clear:trigger=60,keep=1',
  'clear:trigger=0,keep=2,every=3',
  'clear:trigger=0,keep=1,clear-at-least=100',
  'clear:trigger=150,keep=1,clear-at-least=50,clear-inputs=true',
  'dedupe',
  'dedupe:every=3',
  'dedupe:everything=true',
  'fit:max-tokens=200',
  'fit:max-tokens=200,unit=round',
  'fit:max-tokens=200,unit=auto',
  'fit:max-tokens=200,unit=round,low-water=0.5',
  'fit:max-tokens=200,everything=true',
  'fit:max-tokens=200,everything=true,unit=round,low-water=0.5',
  'fit:max-tokens=200,strategy=first',
  'fit:max-tokens=200,strategy=first,unit=round',
  'fit:max-tokens=200,strategy=first,unit=auto,everything=true',
  'stale:path-arg=read=n',
  'stale:path-arg=read=n,every=3',
  'stale',
  'stale:every=2',
  'stale:edits=true',
  'retries',
  'retries:every=2',
  'retries:drop=true',
  'retries:drop=true,every=2',
  'filter:max-tool-calls=2,every=auto',
  'filter:max-tool-calls=1,every=2 rounds',
  'clear:trigger=0,keep=1,every=auto',
  'dedupe:every=auto',
  'stale:every=auto',
  'retries:every=auto',
  'retries:drop=true,every=auto',
  'dedupe:every=auto filter:max-tool-calls=2,every=auto',
  'retries:everything=true,exclude-tool=Edit',
  'strip',
  'strip:keep-text=true',
  'strip:keep-tool-names=true',
  'strip:keep-tool-names=true,exclude-tool=read',
  'strip:retry-prompt=true',
  'strip patch',
  'dedupe strip:keep-text=true',
  'patch',
  'dedupe filter:max-tool-calls=2,every=2 clear:trigger=0,keep=1,every=2',
  'truncate:max-length=40,no-minimum=true filter:max-tool-calls=2',
  'filter:max-tool-calls=3 truncate:max-length=40,no-minimum=true',
  'stale:path-arg=read=n retries filter:max-tool-calls=2',
  'retries:drop=true filter:max-tool-calls=2',
  'dedupe:every=3 filter:max-tool-calls=2',
  'filter:max-tool-calls=2,every=3 retries:drop=true',
  'clear:trigger=60,keep=1 fit:max-tokens=200,everything=true',
];

/** A user message, a call with its result, text, two calls at once, a result without a call, a record, or reasoning. */
const block = fc.constantFrom(
  'user',
  'round',
  'again',
  'text',
  'pair',
  'crossed',
  'lines',
  'edit',
  'orphan',
  'failed',
  'record',
  'system',
  'thought',
);
/**
 * Also results after a message of the user, after that of a later call, or before their own call; reused ids; calls of
 * the provider with their results in later messages.
 */
const blockOrLate = fc.oneof(
  block,
  fc.constantFrom('late', 'tardy', 'early', 'reused', 'own', 'nameless', 'open', 'grouped', 'told', 'served', 'paused'),
);
/** Calls that later ones supersede, each with one result. */
const again = fc.constantFrom('tardy', 'lines', 'edit', 'crossed', 'again', 'text');
const blocks = fc.oneof<fc.Arbitrary<string[]>[]>(
  fc.array<string>(blockOrLate, { minLength: 1, maxLength: 30 }),
  fc.array<string>(again, { minLength: 1, maxLength: 30 }),
);

function messagesOf(kinds: readonly string[]): Message[] {
  const text = (length: number, id: number): Part => ({ type: 'text', text: `${id}`.padEnd(length, 'x') });
  return kinds.flatMap((kind, id): Message[] => {
    const made = (role: Message['role'], parts: readonly Part[], n = 0): Message => ({ role, parts, raw: { id, n } });
    const call = (name: string, input = `{"n":${id}}`): CallPart => ({
      type: 'call',
      callId: name,
      tool: 'read',
      input,
    });
    const result = (name: string, length: number): ResultPart => ({
      type: 'result',
      callId: name,
      content: [text(length, id) as Extract<Part, { type: 'text' }>],
    });
    if (kind === 'user') return [made('user', [text(20, id)])];
    if (kind === 'system') return [made('system', [text(15, id)])];
    if (kind === 'text') return [made('assistant', [text(15, id)])];
    if (kind === 'record') return [made('meta', [])];
    if (kind === 'thought') return [made('assistant', [{ type: 'thinking', text: `${id}`.padEnd(12, 'x') }])];
    if (kind === 'orphan') return [made('tool', [result(`o${id}`, 30)])];
    if (kind === 'pair')
      return [
        made('assistant', [text(5, id), call(`a${id}`), call(`b${id}`)]),
        made('tool', [result(`a${id}`, 60)], 1),
        made('tool', [result(`b${id}`, 90)], 2),
      ];
    if (kind === 'crossed')
      return [
        made('assistant', [call(`x${id}`, '{"n":"same"}'), call(`y${id}`, '{"n":"same"}')]),
        made('tool', [result(`y${id}`, 50)], 1),
        made('tool', [result(`x${id}`, 50)], 2),
      ];
    if (kind === 'lines' || kind === 'edit') {
      const [path, long] = [`/f${id % 2}`, 'y'.repeat(80)];
      const args =
        kind === 'edit' ? { old_string: long, new_string: `${long}${id}` } : { offset: 5 * (id % 3), limit: 5 };
      const tool = kind === 'edit' ? 'Edit' : 'Read';
      const other = { ...args, file_path: `/f${(id + 1) % 2}` };
      const lines: Part = { type: 'text', text: `${id} and more of it\n`.repeat(5 + 5 * (id % 2)) };
      return [
        made('assistant', [
          { type: 'call', callId: `p${id}`, tool, input: JSON.stringify({ ...args, file_path: path }) },
          { type: 'call', callId: `q${id}`, tool: 'Read', input: JSON.stringify(other) },
        ]),
        made('tool', [{ type: 'result', callId: `q${id}`, content: [lines] }], 1),
        made('tool', [{ type: 'result', callId: `p${id}`, content: [lines] }], 2),
      ];
    }
    if (kind === 'tardy') {
      const change = { old_string: 'y'.repeat(80), new_string: 'z'.repeat(80) };
      const read = (name: string, offset: number, limit = 10): Part => {
        const isEdit = limit === 10 && id % 3 === 0;
        const input = { file_path: `/f${id % 2}`, ...(isEdit ? change : { offset, limit }) };
        return { type: 'call', callId: name, tool: isEdit ? 'Edit' : 'Read', input: JSON.stringify(input) };
      };
      const lines: Part = { type: 'text', text: `${id} and more of it\n`.repeat(12) };
      const answer = (name: string): Part => ({ type: 'result', callId: name, content: [lines] });
      return [
        made('assistant', [read(`t${id}`, 0), read(`u${id}`, id % 3, 5)]),
        made('tool', [answer(`u${id}`)], 1),
        made('assistant', [read(`v${id}`, 0)], 2),
        made('tool', [answer(`v${id}`)], 3),
        made('assistant', [text(10, id)], 4),
        made('tool', [answer(`t${id}`)], 5),
      ];
    }
    if (kind === 'late')
      return [
        made('assistant', [call(`l${id}`), call(`m${id}`)]),
        made('tool', [result(`l${id}`, 70)], 1),
        made('user', [text(10, id)], 2),
        made('assistant', [text(10, id)], 3),
        made('tool', [result(`l${id}`, 60)], 4), // a second result of the same call
      ];
    if (kind === 'early')
      return [
        made('tool', [result(`e${id}`, 40)]),
        made('assistant', [text(10, id)], 1),
        made('assistant', [call(`e${id}`)], 2),
      ];
    if (kind === 'reused') return [made('assistant', [call('r')]), made('tool', [result('r', 40)], 1)];
    if (kind === 'open') return [made('assistant', [text(10, id), call(`z${id}`)])];
    if (kind === 'nameless') return [made('tool', [{ ...result('', 30), callId: undefined }])];
    if (kind === 'own') {
      const raw = { id };
      return [made('assistant', [{ ...call(`w${id}`), raw }, { ...result(`w${id}`, 40), raw }, text(9, id)])];
    }
    if (kind === 'grouped') {
      const group = `g${id}`;
      return [
        { ...made('assistant', [{ type: 'thinking', text: `${id}` }]), group },
        { ...made('assistant', [call(`g${id}`)], 1), group },
        made('tool', [result(`g${id}`, 40)], 2),
        { ...made('assistant', [call(`h${id}`)], 3), group },
        made('tool', [result(`h${id}`, 40)], 4),
      ];
    }
    if (kind === 'told')
      return [
        made('assistant', [{ ...call(`k${id}`), legacy: true }]),
        made('tool', [{ ...result(`k${id}`, 40), legacy: true }], 1),
      ];
    const ran: Part = { type: 'opaque', raw: parse(`{"type": "server_tool_use", "id": "s${id}"}`) };
    if (kind === 'served')
      return [
        made('assistant', [ran, call(`s${id}`)]),
        made('tool', [result(`s${id}`, 40)], 1),
        made('assistant', [{ ...ran }, text(10, id)], 2),
      ];
    if (kind === 'paused')
      return [
        made('assistant', [text(10, id), ran]),
        made('assistant', [{ ...ran }, call(`i${id}`)], 1),
        made('tool', [result(`i${id}`, 40)], 2),
      ];
    if (kind === 'failed') {
      const failure: Part = { type: 'text', text: 'Error: there is no such file, so nothing was read at all' };
      return [
        made('assistant', [call(`f${id}`, '{"n":"same"}')]),
        made('tool', [{ type: 'result', callId: `f${id}`, content: [failure] }], 1),
      ];
    }
    const input = kind === 'again' ? '{"n":"same"}' : undefined;
    return [made('assistant', [call(`c${id}`, input)]), made('tool', [result(`c${id}`, 80)], 1)];
  });
}

/** The messages with calls and results that have no ids. */
function withoutIds(messages: readonly Message[]): Message[] {
  const bare = (part: Part) => (part.type === 'call' || part.type === 'result' ? { ...part, callId: '' } : part);
  return messages.map((message) => ({ ...message, parts: message.parts.map(bare) }));
}

/** A request before each message of the model, and one at the end; a new thread begins at the second half. */
function requestsIn(messages: readonly Message[], isSplit: boolean): RequestSite[] {
  const half = isSplit ? Math.floor(messages.length / 2) : messages.length + 1;
  const sites: RequestSite[] = [];
  let run = 0;
  for (let message = 0; message <= messages.length; message++) {
    const { role } = messages[message] ?? { role: 'assistant' };
    if (role === 'user') run = message;
    if (role !== 'assistant') continue;
    const start = message > half ? half : 0;
    sites.push({ message, start, run: Math.max(start, run), thread: start === 0 ? 0 : 1 } as RequestSite);
  }
  return sites;
}

const readable = (messages: readonly Message[]) =>
  messages.map(({ role, parts, raw }) => [
    role,
    raw,
    parts.map((part) =>
      part.type === 'result'
        ? part.content.map((inner) => (inner.type === 'text' ? textOf(inner.text) : inner.type))
        : [part.type, part.type === 'text' ? textOf(part.text) : ''],
    ),
  ]);

/** As JSON first: `expect` takes much longer. */
function expectSame(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected);
}

/** Whether two messages have calls, with no user message between them. */
function hasTwoRounds(messages: readonly Message[]): boolean {
  const kinds = messages.map(({ role, parts }) =>
    parts.some(({ type }) => type === 'call') ? 'c' : role === 'user' ? 'u' : '-',
  );
  return /c-*c/.test(kinds.join(''));
}

const NO_TRAITS = { piecesStandAlone: false, userBegins: false, needsUser: false };
const PLAIN = { isSplit: false, carries: false, hasIds: true, ...NO_TRAITS };
/**
 * Reads and edits that later calls supersede before the last of these is answered; a task behind the first cut;
 * reasoning at the head that goes with its call.
 */
const EXAMPLES: [string[], Policy['scope'], typeof PLAIN][] = [
  [['text', 'lines', 'tardy', 'text'], 'all', PLAIN],
  [['text', 'edit', 'text', 'tardy', 'text'], 'all', PLAIN],
  [['round', 'round', 'round', 'user', 'text'], 'all', PLAIN],
  [['thought', 'round', 'round', 'round', 'text'], 'all', { ...PLAIN, piecesStandAlone: true }],
];

describe('the contexts of requests', () => {
  it.each(POLICIES)('under %s', (written) => {
    const steps = stepsOf(written.split(/ (?!rounds)/));
    const single = steps.filter(({ transform }) => transform.perMessage === true);
    fc.assert(
      fc.property(
        blocks,
        fc.constantFrom<Policy['scope']>('all', 'history', 'agent'),
        fc.record({
          isSplit: fc.boolean(),
          carries: fc.boolean(),
          hasIds: fc.boolean(),
          piecesStandAlone: fc.boolean(),
          userBegins: fc.boolean(),
          needsUser: fc.boolean(),
        }),
        (kinds, scope, { isSplit, carries, hasIds, ...traits }) => {
          const messages = hasIds ? messagesOf(kinds) : withoutIds(messagesOf(kinds));
          const transcript: Transcript = { format: 'test', traits, model: 'gpt-4o', messages };
          const requests = requestsIn(messages, isSplit);
          let context: readonly Message[] = [];
          let index = 0;
          let history: readonly Message[] = [];
          let done: { readonly thread: number; readonly cut: number } | undefined;
          for (const { same, added } of contextsOf(transcript, requests, { steps, scope, carries }, counting)) {
            const { start, run, message, thread } = requests[index++]!;
            const isChat = scope === 'agent' && !hasTwoRounds(messages.slice(start, message));
            const isPaced = written.includes('every=auto'); // decided over all that a request sends
            const cut = !isPaced && (scope === 'history' || isChat) ? run : message;
            context = [...context.slice(0, same), ...added];
            const goesOn = carries && done?.thread === thread;
            const seen = goesOn ? [...history, ...messages.slice(done!.cut, cut)] : messages.slice(start, cut);
            if (!goesOn || done!.cut !== cut)
              history = applySteps({ ...transcript, messages: seen }, steps, counting).messages;
            done = { thread, cut };
            const own = { ...transcript, messages: messages.slice(0, message) };
            const rest = scope === 'agent' ? applySteps(own, single, counting).messages : messages;
            const expected = [...history, ...rest.slice(cut, message)].filter(({ role }) => role !== 'meta');
            expectSame(readable(context), readable(expected));
          }
          expect(index).toBe(requests.length);
        },
      ),
      { ...runs(1 / 24), examples: EXAMPLES },
    );
  });
});

describe('messages that a step changes one by one', () => {
  const kinds = ['user', 'round', 'text', 'user', 'round', 'pair', 'again', 'text', 'user', 'round'];
  const messages = messagesOf(kinds);
  const transcript: Transcript = { format: 'test', traits: {}, model: 'gpt-4o', messages };
  const requests = requestsIn(messages, false);

  it.each(['truncate:max-length=40,no-minimum=true', 'patch truncate:max-length=40,no-minimum=true'])(
    'are sent as the command leaves them, from the first request on: %s',
    (written) => {
      const steps = stepsOf(written.split(' '));
      let context: readonly Message[] = [];
      let index = 0;
      for (const { same, added } of contextsOf(
        transcript,
        requests,
        { steps, scope: 'agent', carries: false },
        counting,
      )) {
        expect(same).toBe(context.length); // and what was sent stays in the cache
        context = [...context.slice(0, same), ...added];
        const sent = messages.slice(0, requests[index++]!.message);
        expectSame(
          readable(context),
          readable(applySteps({ ...transcript, messages: sent }, steps, counting).messages),
        );
      }
    },
  );
});

describe('a history of 4,000 calls', () => {
  const counted = (calls: number, written: string, { hasIds = true, kinds = ['round'] } = {}) => {
    let looks = 0;
    const blocks = Array.from({ length: calls / kinds.length }, () => kinds).flat();
    const own = messagesOf(['system', 'user', ...blocks]);
    const messages = (hasIds ? own : withoutIds(own)).map(({ parts, ...message }) => ({
      ...message,
      get parts() {
        looks++;
        return parts;
      },
    }));
    const transcript: Transcript = { format: 'test', traits: {}, model: 'gpt-4o', messages };
    const policy: Policy = { steps: stepsOf([written]), scope: 'all', carries: false };
    const counts = {
      ...counting,
      message(message: Message) {
        looks++;
        return counting.message(message);
      },
    };
    let added = 0;
    for (const context of contextsOf(transcript, requestsIn(messages, false), policy, counts))
      added += context.added.length;
    return { looks, added };
  };
  it.each([
    'clear:trigger=0,keep=3',
    'clear:trigger=0,keep=3,every=20',
    'clear:trigger=3000,keep=3,clear-at-least=500',
    'fit:max-tokens=2000,unit=round',
    'fit:max-tokens=2000,unit=round,low-water=0.5',
    'fit:max-tokens=2000,unit=round,everything=true',
    'filter:max-tool-calls=3',
    'filter:max-tool-calls=3,every=20',
    'filter:max-tool-calls=3,unit=round',
    'filter:max-tool-calls=3,marker=true',
  ])('is looked at four times as often as one of 1,000 calls, not sixteen times: %s', (written) => {
    const [few, many] = [counted(1000, written), counted(4000, written)];
    expect(few.added).toBeGreaterThan(2000); // the policy changes contexts
    expect(many.looks).toBeLessThan(5 * few.looks);
    expect(many.added).toBeLessThan(5 * few.added);
  });

  it.each([
    ['retries', ['failed', 'again']],
    ['retries:drop=true', ['failed', 'again']],
    ['strip', ['round', 'text']],
    ['strip:keep-tool-names=true', ['round', 'text']],
  ])('of failures, or of texts between calls, is looked at four times as often, too: %s', (written, kinds) => {
    const [few, many] = [counted(1000, written, { kinds }), counted(4000, written, { kinds })];
    expect(few.added).toBeGreaterThan(500);
    expect(many.looks).toBeLessThan(5 * few.looks);
    expect(many.added).toBeLessThan(5 * few.added);
  });

  it('of which only the beginning stays is looked at four times as often, too', () => {
    const [few, many] = [1000, 4000].map((calls) => counted(calls, 'fit:max-tokens=2000,strategy=first,unit=round'));
    expect(many!.added).toBe(few!.added);
    expect(many!.looks).toBeLessThan(5 * few!.looks);
  });

  it.each(['clear:trigger=0,keep=3', 'filter:max-tool-calls=3', 'fit:max-tokens=2000,unit=round'])(
    'without ids is looked at four times as often, too: %s',
    (written) => {
      const [few, many] = [counted(1000, written, { hasIds: false }), counted(4000, written, { hasIds: false })];
      expect(few.added).toBeGreaterThan(2000);
      expect(many.looks).toBeLessThan(5 * few.looks);
    },
  );
});

const ON_RECORDINGS = [
  'filter:max-tool-calls=2',
  'filter:max-tool-calls=1,unit=round,every=2',
  'clear:trigger=0,keep=1',
  'dedupe',
  'stale',
  'stale:every=3',
  'strip:keep-tool-names=true',
  'retries',
  'retries:drop=true',
  'dedupe filter:max-tool-calls=2',
].map((written) => stepsOf(written.split(' ')));
/** Bytes of a recording, and its first requests: each is compared with what the steps make of its whole history. */
const [LONG, MOST] = [200_000, 60];

it.each(sampled([...fixtures(), ...sharedRecordings()], 'contexts').filter(({ bytes }) => bytes.length < LONG))(
  'the contexts of requests in $name',
  ({ bytes }) => {
    const known = new WeakMap<Message, string>(); // requests share most messages
    const toldOf = (message: Message) => {
      const text = known.get(message) ?? JSON.stringify(meaningOf(message), plain);
      known.set(message, text);
      return text;
    };
    const told = (messages: readonly Message[]) => messages.map(toldOf).join('\n');
    for (const transcript of openText(bytes).transcripts.slice(0, 3)) {
      const requests = requestsIn(transcript.messages, false).slice(0, MOST);
      for (const steps of ON_RECORDINGS) {
        let context: readonly Message[] = [];
        let index = 0;
        for (const { same, added } of contextsOf(
          transcript,
          requests,
          { steps, scope: 'all', carries: false },
          counting,
        )) {
          context = [...context.slice(0, same), ...added];
          const seen = transcript.messages.slice(0, requests[index++]!.message);
          const { messages } = applySteps({ ...transcript, messages: seen }, steps, counting);
          expect(told(context)).toBe(told(messages.filter(({ role }) => role !== 'meta')));
        }
      }
    }
  },
);

it('what clearing frees is counted to the token', () => {
  const clearing = (least: number) => `clear:trigger=0,keep=1,clear-at-least=${least}`;
  const long: Part = { type: 'text', text: 'x'.repeat(300) };
  const messages = messagesOf(['round', 'round', 'text', 'round', 'text']).map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'result' ? { ...part, content: [long] } : part)),
  }));
  const transcript: Transcript = { format: 'test', traits: {}, model: 'gpt-4o', messages };
  const requests = requestsIn(messages, false);
  const cleared = (least: number, some = messages) =>
    applySteps({ ...transcript, messages: some }, stepsOf([clearing(least)]), counting).messages;
  const tokens = (some: readonly Message[]) => some.reduce((sum, message) => sum + counting.message(message), 0);
  const freed = tokens(messages) - tokens(cleared(0));
  expect([cleared(freed) === messages, cleared(freed + 1) === messages]).toEqual([false, true]);
  for (const share of [freed, freed / 2])
    for (const least of [share - 1, share, share + 1]) {
      const policy = { steps: stepsOf([clearing(least)]), scope: 'all', carries: false } as const;
      let context: readonly Message[] = [];
      let index = 0;
      for (const { same, added } of contextsOf(transcript, requests, policy, counting)) {
        context = [...context.slice(0, same), ...added];
        const expected = cleared(least, messages.slice(0, requests[index++]!.message));
        expectSame(readable(context), readable(expected));
      }
    }
});
