/** Trajectories by Harbor's models, as fixtures/schemas/atif.schema.json says them, and what no schema can say. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { convertSession, sessionText } from '../../src/conversion/session.js';
import { sessionTargetNamed } from '../../src/conversion/session-targets.js';
import { isTranscriptError } from '../../src/errors.js';
import { formatNamed } from '../../src/formats/index.js';
import type { Usage } from '../../src/transcript/types.js';
import { addUsage, promptTokens } from '../../src/transcript/usage.js';
import { beginning } from '../shared/beginning.js';
import { openText } from '../shared/opened.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';

const schema = JSON.parse(readFileSync('fixtures/schemas/atif.schema.json', 'utf8')) as object;
const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
const target = sessionTargetNamed('atif')!;

interface Trajectory {
  readonly agent: { readonly tool_definitions?: readonly { readonly function: { readonly name: string } }[] };
  readonly steps: readonly Step[];
  readonly final_metrics: Readonly<Record<string, number>>;
}

interface Step {
  readonly step_id: number;
  readonly source: string;
  readonly message: unknown;
  readonly tool_calls?: readonly { readonly tool_call_id: string }[];
  readonly observation?: { readonly results: readonly { readonly source_call_id: string | null }[] };
}

/** The trajectories of a text; none if it holds no message. */
function trajectoriesOf(text: string | Buffer, from?: string): Trajectory[] {
  return transcriptsIn(text, from).flatMap((transcript) => {
    if (transcript.messages.every(({ role }) => role === 'meta')) return [];
    const { document } = convertSession(transcript, formatNamed(transcript.format), target, beginning);
    return [JSON.parse(sessionText(document)) as Trajectory];
  });
}

function transcriptsIn(text: string | Buffer, from?: string) {
  try {
    return openText(text.toString(), from === undefined ? {} : { from }).transcripts;
  } catch (error) {
    if (isTranscriptError(error)) return [];
    throw error;
  }
}

/** What Harbor's validators ask beside the schema. */
function faultsOf({ steps }: Trajectory): string[] {
  return steps.flatMap(({ step_id, tool_calls = [], observation }, index) => {
    const calls = new Set(tool_calls.map(({ tool_call_id }) => tool_call_id));
    const loose = observation?.results.filter(({ source_call_id: id }) => id !== null && !calls.has(id)) ?? [];
    return [
      ...(step_id === index + 1 ? [] : [`step ${index} is ${step_id}`]),
      ...loose.map(() => `step ${step_id}: loose`),
    ];
  });
}

describe('every recording is a valid trajectory', () => {
  const recordings = sampled([...fixtures(), ...sharedRecordings()], 'atif', 1);
  it.each(recordings.filter(({ bytes }) => bytes.length < 3e6))('$name', ({ bytes }) => {
    for (const trajectory of trajectoriesOf(bytes)) {
      expect(isValid(trajectory), JSON.stringify(isValid.errors?.slice(0, 3))).toBe(true);
      expect(faultsOf(trajectory)).toEqual([]);
    }
  });
});

const request = {
  model: 'gpt-5',
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"path":"."}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
    { role: 'assistant', content: 'One file.' },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'ls', description: 'lists', parameters: { type: 'object', properties: {} } },
    },
  ],
};

// https://github.com/laude-institute/harbor/issues/3333
it('has the system prompt and the definitions of tools', () => {
  const [trajectory] = trajectoriesOf(JSON.stringify(request));
  expect(trajectory!.steps.map(({ source }) => source)).toEqual(['system', 'user', 'agent', 'agent']);
  expect(trajectory!.steps[0]!.message).toBe('Be brief.');
  expect(trajectory!.steps[2]!.observation).toEqual({ results: [{ source_call_id: 'c1', content: 'a.txt' }] });
  expect(trajectory!.agent.tool_definitions).toEqual(request.tools);
});

it('refuses what Harbor refuses', () => {
  const [trajectory] = trajectoriesOf(JSON.stringify(request));
  const { steps, ...rest } = trajectory!;
  const broken = (step: object) => ({ ...rest, steps: [{ ...steps[1], ...step }] });
  expect(isValid(broken({}))).toBe(true);
  for (const step of [
    { source: 'tool' },
    { metrics: {} },
    { step_id: 0 },
    { message: null },
    { other: 1 },
    { timestamp: '1' },
  ])
    expect(isValid(broken(step)), JSON.stringify(step)).toBe(false);
});

it.each(['claude-code', 'pi-session', 'codex-rollout'])('the figures of %s are what was recorded', (format) => {
  for (const { bytes } of fixtures().filter((recording) => recording.format === format)) {
    for (const transcript of transcriptsIn(bytes)) {
      const replies = new Map<string, Usage>();
      for (const [index, message] of transcript.messages.entries()) {
        const { usage, responseId = index, requestId } = transcript.recorded?.(message) ?? {};
        const known = replies.get(`${responseId} ${requestId}`);
        if (usage && (known === undefined || known.output <= usage.output))
          replies.set(`${responseId} ${requestId}`, usage);
      }
      const [first, ...rest] = replies.values();
      const { document } = convertSession(transcript, formatNamed(transcript.format), target, beginning);
      const { final_metrics: totals } = JSON.parse(sessionText(document)) as Trajectory;
      if (first === undefined) expect(totals['total_prompt_tokens']).toBeUndefined();
      else {
        const sum = rest.reduce(addUsage, first);
        expect([totals['total_prompt_tokens'], totals['total_completion_tokens']]).toEqual([
          promptTokens(sum),
          sum.output,
        ]);
      }
    }
  }
});
