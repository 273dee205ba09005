/** A program as a user writes it. The test compiles it against the packed package, then runs it. */
import {
  check,
  convert,
  count,
  type DiffReport,
  decide,
  describeError,
  diff,
  formats,
  guardOf,
  loadPrices,
  type Message,
  monitor,
  open,
  type Pipelines,
  type Policy,
  policies,
  policyNamed,
  run,
  type SimulationReport,
  type StatsReport,
  type StepName,
  save,
  simulate,
  stats,
  type Transcript,
  TranscriptError,
  textOf,
  transforms,
} from 'ctx-trim';

interface ChatMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

const call = { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } };
const messages: ChatMessage[] = [
  { role: 'user', content: 'Where is it?' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Over there.' },
];
const countTokens = (text: string): number => text.length;

const steps: readonly StepName[] = [
  'patch',
  { transform: 'filter', maxToolCalls: 1, unit: 'round', tool: ['search'] },
  { transform: 'patch', generator: (tool, id) => `${tool} ${id}` },
  { transform: 'truncate', maxLength: 100, keep: 'both' },
];
const pipelines: Pipelines = {
  short: ['patch', 'filter:max-tool-calls=0'],
  grouped: { steps: [{ transform: 'filter', maxToolCalls: 10 }, 'dedupe'], every: 20 },
};

const trimmed: ChatMessage[] = run(messages, steps, { countTokens });
const text: string = run(JSON.stringify(messages), ['short'], { pipelines, from: 'openai-chat' });

const recording = open(text);
const transcript: Transcript | undefined = recording.transcripts[0];
const said: string[] = (transcript?.messages ?? []).flatMap(({ parts }: Message) =>
  parts.map((part) => (part.type === 'text' ? textOf(part.text) : part.type)),
);
const bytes: Uint8Array = save(recording);

const errors: string[] = check(trimmed, { provider: 'anthropic', asRequest: true }).map(({ message }) => message);
const bodies: unknown[] = convert(trimmed, 'anthropic-messages').map(({ value, lost }) =>
  lost.length > 0 ? [] : value,
);

const policy: Policy = policyNamed('query-history') ?? {
  version: 1,
  rules: [{ id: 'few', type: 'max_calls', tool: 'search', max: 1 }],
};
const guarded: ChatMessage[] = run(messages, [{ transform: 'guard', policy: guardOf(policy), lang: 'en' }]);
const watch = monitor(policy, { language: 'en' });
watch.user('Where is it?');
const answers: ('allow' | 'deny')[] = [watch.call({ tool: 'search', args: {} }), decide(policy, { text: 'Hello' })].map(
  ({ decision }) => decision,
);

const simulation: SimulationReport = await simulate(messages, steps, {
  countTokens,
  scope: 'all',
  prices: { cost: () => ({ usd: 5n, source: 'computed' }) },
});
const cost: number | null = simulation.totals.with.cost_usd;
const statistics: StatsReport = await stats(trimmed, { model: 'gpt-4o', by: 'tool' });
const changes: DiffReport = await diff(messages, trimmed, { prices: await loadPrices() });
const tokens: number = count('Hello', { model: 'gpt-4o' }) + count(messages);

let failure = '';
try {
  run('{', []);
} catch (error) {
  if (error instanceof TranscriptError) failure = `${error.code} ${error.place.line ?? 0} ${describeError(error)}`;
}

export const results: readonly unknown[] = [
  guarded,
  said,
  bytes,
  errors,
  bodies,
  watch.facts().findings,
  answers,
  cost,
  statistics.rows?.length,
  changes.transcripts.length,
  tokens > 0,
  failure,
  policies.map(({ name }) => name),
  formats.map(({ id, title }) => [id, title]),
  transforms.map(({ id, options }) => [id, Object.keys(options)]),
];
