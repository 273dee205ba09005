/** What a model API refuses in a list of messages, told by our rules and by the pairs of calls and results. */
import { expect } from 'vitest';
import { check, open, type StepName, simulate } from '../../../src/index.js';

/** Fails if a provider's rules refuse these messages as a request. */
export function expectAccepted(messages: readonly object[], from: string, provider?: string): void {
  const findings = check(messages, { from, provider, asRequest: true });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
}

/** The number of tool calls in each request, as `simulate` predicts it from the whole history. */
export async function predictedCalls(history: readonly object[], from: string, steps: readonly StepName[]) {
  const [transcript] = open(JSON.stringify(history), { from }).transcripts;
  const { transcripts } = await simulate(transcript!, steps, { scope: 'all' });
  return transcripts.flatMap(({ requests }) => requests.map((request) => request.calls_after));
}
