/** What inject adds is read again, and stays alone, even in logs whose lines lack ids, links, sessions or times. */
import { describe, expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import { run, type StepName } from '../../src/index.js';
import type { Message } from '../../src/transcript/types.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';

/** Keys of lines, by what logs call them. */
const GONE: readonly (readonly string[])[] = [
  [],
  ['parentUuid', 'parentId', 'parent_id'],
  ['uuid', 'id'],
  ['sessionId', 'session_id', 'timestamp'],
  ['parentUuid', 'parentId', 'parent_id', 'sessionId', 'session_id', 'timestamp'],
];
const RESULT = [{ type: 'text', text: 'This.' }] as const;
const EXAMPLES: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'What did we say?' }] },
  { role: 'assistant', parts: [{ type: 'call', callId: 'example01', tool: 'query', input: '{}' }] },
  { role: 'tool', parts: [{ type: 'result', callId: 'example01', tool: 'query', content: RESULT }] },
  { role: 'assistant', parts: [{ type: 'text', text: 'We said this.' }] },
];
const STEPS: readonly StepName[] = [
  { transform: 'inject', user: 'Go on.' },
  { transform: 'inject', fewShot: EXAMPLES, system: 'Be brief.' },
];
const LONGEST = 40_000;

/** Agents in one file that only these keys tell apart: without them, nothing says whose an added line is. */
const TOLD_APART: Readonly<Record<string, readonly string[]>> = {
  'claude-code/hand-sidechains.jsonl': ['uuid'],
  'claude-agent-sdk/hand-agents.jsonl': ['session_id'],
};

const all = fixtures().filter(({ name, bytes }) => name.endsWith('.jsonl') && bytes.length <= LONGEST);
const logs = sampled(all, 'inject');

describe.each(logs)('$name', ({ name, bytes, format }) => {
  const tried = GONE.filter((gone) => !gone.some((key) => TOLD_APART[name]?.includes(key)));
  it.each(tried.map((gone) => [gone]))('without %j', (gone) => {
    const text = without(bytes.toString(), new Set(gone));
    for (const step of STEPS) {
      const once = injected(text, step, format);
      if (once !== undefined) expect(injected(once, step, format)).toBe(once);
    }
  });
});

it('adds examples', () => {
  const [log] = all.filter(({ name }) => name === 'claude-code/short.jsonl');
  expect(injected(log!.bytes.toString(), STEPS[1]!, log!.format)).toContain('We said this.');
});

it.each(sharedRecordings().filter(({ name }) => name.startsWith('claude-code/')))('adds once to $name', ({ bytes }) => {
  const once = run(bytes.toString(), [STEPS[1]!]);
  expect(run(once, [STEPS[1]!])).toBe(once);
});

it('adds to the agent that goes on behind a header, not to the sub-agent before it', () => {
  const line = (uuid: string, isSidechain: boolean, type: string) =>
    ({ type, uuid, parentUuid: null, isSidechain, sessionId: 's', message: { role: type, content: uuid } }) as const;
  const lines = [line('side', true, 'user'), { type: 'mode', sessionId: 's' }, line('main', false, 'user')];
  const once = run(lines.map((one) => `${JSON.stringify(one)}\n`).join(''), [STEPS[1]!]);
  const added = once.split('\n').filter((one) => one.includes('example01'));
  expect(added.filter((one) => one.includes('"isSidechain":true'))).toHaveLength(2);
  expect(run(once, [STEPS[1]!])).toBe(once);
});

it('adds whole lines to a log without links', () => {
  const line = (uuid: string, role: string) => JSON.stringify({ type: role, uuid, message: { role, content: 'x' } });
  const text = `${line('u1', 'user')}\n${line('u2', 'assistant')}\n`;
  const added = JSON.parse(run(text, [STEPS[0]!]).slice(text.length));
  expect(added).toMatchObject({ type: 'user', uuid: expect.stringMatching(/^[\da-f-]{36}$/), parentUuid: 'u2' });
});

/** Undefined where it is refused. */
function injected(text: string, step: StepName, from: string | undefined): string | undefined {
  try {
    return run(text, [step], { from });
  } catch (error) {
    if (isTranscriptError(error)) return undefined;
    throw error;
  }
}

function without(text: string, gone: ReadonlySet<string>): string {
  if (gone.size === 0) return text;
  return text.replaceAll(/^.+$/gm, (line) => {
    const value = parsed(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return line;
    return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([key]) => !gone.has(key))));
  });
}

/** Undefined for a line that is no JSON of its own. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
