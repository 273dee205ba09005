/**
 * No number of a simulation is negative but what is saved, whatever the recorded prompts are, and no prompt is shorter
 * than what the recording does not hold.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Recorded, recordedOf, simulateAll } from '../../../src/engine/simulate/simulate.js';
import { stepsOf } from '../../../src/engine/steps.js';
import { loadPrices } from '../../../src/measure/pricing/cost.js';
import { requestsOf } from '../../../src/measure/simulation/requests.js';
import { prepareReplay } from '../../../src/measure/simulation/simulate.js';
import { mergedRequests } from '../../../src/measure/stats/request.js';
import { recordedRequests } from '../../../src/measure/stats/requests.js';
import { simulationJson } from '../../../src/reports/simulation/json.js';
import { promptTokens } from '../../../src/transcript/usage.js';
import { ALL } from '../../shared/effort.js';
import { openText } from '../../shared/opened.js';
import { runs } from '../../shared/random-runs.js';
import { byLength } from '../../shared/recorded-stats.js';
import { fixtures, sampled, sharedRecordings } from '../../shared/recordings.js';

const CONTEXT = { ...byLength, prices: await loadPrices() };
const POLICIES = [[], ['filter:max-tool-calls=1'], ['prune:reasoning,images,empty,records'], ['fit:max-tokens=100']];
/** Simulating a larger file takes long. */
const LARGE = ALL ? 2_000_000 : 250_000;

for (const { name, bytes } of sampled([...fixtures(), ...sharedRecordings()], 'negative'))
  it.skipIf(bytes.length > LARGE)(`prints no negative number, and no prompt below what is unseen, for ${name}`, () =>
    expectNoNegatives(bytes),
  );

it('prints no negative number for random prompts that grow, shrink, and read more than they hold', () => {
  const amount = fc.oneof(fc.nat(50), fc.nat(3000), fc.nat(200_000));
  const turns = fc.array(
    fc.record({
      kind: fc.constantFrom('said', 'called', 'called', 'asked'),
      length: fc.oneof(fc.nat(10), fc.nat(4000)),
      usage: fc.option(
        fc.record({ input_tokens: amount, cache_read_input_tokens: amount, cache_creation_input_tokens: amount }),
      ),
    }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(turns, (list) => expectNoNegatives(Buffer.from(list.flatMap(rows).join('\n')))),
    runs(ALL ? 1 / 10 : 1 / 25),
  );
});

interface Turn {
  readonly kind: string;
  readonly length: number;
  readonly usage: object | null;
}

/** Lines of a log of Claude Code. */
function rows({ kind, length, usage }: Turn, index: number): readonly string[] {
  const row = (role: string, content: unknown, more = {}) =>
    JSON.stringify({ type: role, uuid: `${role}-${index}`, sessionId: 's', message: { role, content, ...more } });
  const text = 'x '.repeat(length);
  const id = `toolu_${index}`;
  const reply = {
    id: `msg_${index}`,
    model: 'claude-sonnet-4-5',
    ...(usage && { usage: { ...usage, output_tokens: 5 } }),
  };
  if (kind === 'asked') return [row('user', text)];
  if (kind === 'said') return [row('user', 'Go on.'), row('assistant', [{ type: 'text', text }], reply)];
  return [
    row('assistant', [{ type: 'tool_use', id, name: 'run', input: {} }], reply),
    row('user', [{ type: 'tool_result', tool_use_id: id, content: text }]),
  ];
}

function expectNoNegatives(bytes: Buffer): void {
  const recorded = openText(bytes).transcripts.map((transcript) =>
    recordedOf(transcript, { file: 'a.jsonl', line: 1 }, CONTEXT),
  );
  if (recorded.length === 0) return;
  for (const steps of POLICIES)
    for (const carries of [false, true]) {
      const policy = { steps: stepsOf(steps), written: steps.join(' ') };
      const settings = { scope: 'all', carries, cache: 'auto', idle: undefined } as const;
      if (!carries) for (const one of recorded.slice(0, 20)) expectAllUnseen(one, steps);
      const json = JSON.parse(simulationJson(simulateAll(recorded, policy, settings, CONTEXT)));
      expect([steps, negatives(json)]).toEqual([steps, []]);
    }
}

/** What no message holds is in each prompt, as far as the recorded prompt has it: no policy can drop it. */
function expectAllUnseen({ transcript, counting }: Recorded, steps: readonly string[]): void {
  const options = { ...CONTEXT, cache: 'auto', idle: undefined, at: undefined };
  const { requests, unseen } = requestsOf(
    transcript,
    counting,
    mergedRequests(recordedRequests(transcript, options)),
    options,
  );
  const played = prepareReplay(transcript, counting, options).play({
    steps: stepsOf(steps),
    scope: 'all',
    carries: false,
  });
  const short = played.requests.filter(({ index, with: sent, without }) => {
    const least = Math.min(unseen[requests[index]!.thread]!, promptTokens(without.usage));
    return promptTokens(sent.usage) < least;
  });
  expect([steps, short]).toEqual([steps, []]);
}

function negatives(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'number' || typeof value === 'string') return Number(value) < 0 ? [`${path}: ${value}`] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key.startsWith('saved_') ? [] : negatives(item, `${path}.${key}`),
  );
}
