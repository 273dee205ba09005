/** The report tells the same numbers as `stats`, `simulate` and `check`. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from '../../src/documents/schemas/index.js';
import { runProgram } from '../shared/program.js';

const POLICY = 'filter:max-tool-calls=2';
const FILES = [
  'fixtures/formats/claude-code/short.jsonl',
  'fixtures/formats/openai-chat/tau-bench-retail.json',
  'fixtures/transforms/patch/interrupted-pair/input.json',
];

interface Costed {
  readonly cost_usd: number | string | null;
}
interface Figures extends Costed {
  readonly [name: string]: unknown;
}
interface Carried {
  readonly tool: string;
  readonly carried_tokens: number;
}
interface Found {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
}
interface Message {
  readonly tokens: number | null;
}
interface Report {
  readonly totals: Figures;
  readonly tools: readonly Carried[];
  readonly without_policy: Costed;
  readonly policies: readonly Costed[];
  readonly sessions: readonly {
    readonly totals: Figures;
    readonly messages: readonly Message[];
    readonly carried: readonly Carried[];
    readonly findings: readonly Found[];
    readonly requests: readonly {
      readonly context: Readonly<Record<string, number>>;
      readonly policies_usd: readonly (number | null)[];
      readonly input: number;
      readonly cache_read: number;
      readonly cache_write: number;
    }[];
  }[];
}
interface Stats {
  readonly totals: Figures;
  readonly tools: readonly Carried[];
  readonly transcripts: readonly {
    readonly totals: Figures;
    readonly messages: readonly Message[];
    readonly carried: readonly Carried[];
  }[];
}
interface Simulated {
  readonly totals: { readonly with: Costed; readonly without: Costed };
  readonly transcripts: readonly { readonly requests: readonly { readonly with: Costed }[] }[];
}

function json<T>(...words: string[]): T {
  return JSON.parse(runProgram([...words, '--format', 'json']).stdout) as T;
}

const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(
  jsonSchemaOf('report', true),
);

describe.each(FILES)('%s', (file) => {
  const report = json<Report>('report', file, '--policy', POLICY);
  const [session] = report.sessions;

  it('as the published schema says', () => {
    validate(report);
    expect(validate.errors).toBeNull();
  });

  it('as stats', () => {
    const stats = json<Stats>('stats', '--tools', file);
    const { requests, input, cache_read, output, cost_usd } = stats.totals;
    expect(report.totals).toMatchObject({ requests, input, cache_read, output, cost_usd });
    const [transcript] = stats.transcripts;
    expect(session!.totals['prompt_tokens']).toBe(transcript!.totals['prompt_tokens']);
    const counted = session!.messages.flatMap(({ tokens }) => tokens ?? []);
    expect(counted).toEqual(transcript!.messages.map(({ tokens }) => tokens));
    expect(session!.carried).toEqual(transcript!.carried);
    const byTool = (tools: readonly Carried[]) => tools.map(({ tool, carried_tokens }) => [tool, carried_tokens]);
    expect(byTool(report.tools)).toEqual(byTool(stats.tools));
  });

  it('as simulate', () => {
    const simulated = json<Simulated>('simulate', POLICY, file);
    expect(report.policies[0]!.cost_usd).toEqual(numberOf(simulated.totals.with));
    expect(report.without_policy.cost_usd).toEqual(numberOf(simulated.totals.without));
    expect(session!.requests.map(({ policies_usd }) => policies_usd[0])).toEqual(
      simulated.transcripts[0]!.requests.map((request) => numberOf(request.with)),
    );
  });

  it('as check', () => {
    const placesOf = (findings: readonly Found[]) => findings.map(({ rule, line, column }) => [rule, line, column]);
    const { findings } = json<{ readonly findings: readonly Found[] }>('check', file);
    expect(placesOf(session!.findings)).toEqual(placesOf(findings));
  });

  it('and the kinds of a context make up its prompt', () => {
    expect(session!.requests).not.toEqual([]);
    for (const { context, input, cache_read, cache_write } of session!.requests) {
      const kinds = Object.values(context);
      expect(kinds.reduce((sum, tokens) => sum + tokens, 0)).toBe(input + cache_read + cache_write);
      expect(Math.min(...kinds)).toBeGreaterThanOrEqual(0);
    }
  });
});

function numberOf({ cost_usd: cost }: Costed): number | null {
  return cost === null || cost === undefined ? null : Number(cost);
}
