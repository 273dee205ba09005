/** Sessions of one agent as those of another, and back: the same but for what was listed. */
import { describe, expect, it } from 'vitest';
import { convertSession, type SessionConversion, sessionText } from '../../src/conversion/session.js';
import { SESSION_TARGETS, sessionTargetNamed } from '../../src/conversion/session-targets.js';
import { formatNamed } from '../../src/formats/index.js';
import { resumeCommand } from '../../src/formats/resume-command.js';
import type { SessionTarget } from '../../src/formats/session.js';
import { pair } from '../../src/transcript/pairs.js';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { ContentPart, Message, Transcript } from '../../src/transcript/types.js';
import { beginning } from '../shared/beginning.js';
import { ALL } from '../shared/effort.js';
import { openText } from '../shared/opened.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';

const AGENTS = SESSION_TARGETS.filter(({ tools }) => tools !== undefined);
const IDS = new Map([
  ['claude-code', /^[\da-f-]{36}$/],
  ['codex-rollout', /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ['pi-session', /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ['opencode', /^ses_[\da-f]{12}[\da-z]{14}$/],
  ['gemini-cli-session', /^[\da-f-]{36}$/],
]);

interface Made extends SessionConversion {
  readonly text: string;
  /** As it is read back. */
  readonly transcript: Transcript;
}

function findingsOf(transcript: Transcript, target: SessionTarget): SessionConversion['findings'] {
  return convertSession(transcript, formatNamed(transcript.format), target, beginning).findings;
}

function made(transcript: Transcript, target: SessionTarget): Made {
  const conversion = convertSession(transcript, formatNamed(transcript.format), target, beginning);
  const text = sessionText(conversion.document);
  const { transcripts } = openText(text, { from: target.format.id });
  return { ...conversion, text, transcript: transcripts[0]! };
}

interface Said {
  readonly texts: readonly string[];
  /** By the id of the call. */
  readonly calls: ReadonlyMap<string, { readonly tool: string; readonly input: unknown; readonly result: string }>;
}

/** Agents whose results are one text: line breaks set apart what were several. */
const JOINING = new Set(['opencode', 'gemini-cli-session']);

function setApart(content: readonly ContentPart[]): string {
  const texts = content.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : []));
  return texts.reduce(
    (all, text) => `${all}${all === '' || /\s$/.test(all) || /^(\s|$)/.test(text) ? '' : '\n'}${text}`,
    '',
  );
}

/** `resultOf`: the text of a result. */
function saidIn({ messages }: Transcript, resultOf: (content: readonly ContentPart[]) => string = joinTexts): Said {
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  const texts = spoken.flatMap(({ role, parts }) =>
    parts.flatMap((part) =>
      part.type === 'text' && textOf(part.text) !== '' ? [`${role}: ${textOf(part.text)}`] : [],
    ),
  );
  const calls = pair(messages).calls.map(({ part, results }) => {
    const result = results.map((site) => resultOf(site.part.content)).join('\n');
    return [part.callId ?? '', { tool: part.tool, input: parsed(textOf(part.input)), result }] as const;
  });
  return { texts, calls: new Map(calls) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The names of tools in the findings whose texts begin so. */
function named(findings: SessionConversion['findings'], beginnings: readonly string[]): ReadonlySet<string> {
  const told = findings.filter(({ what }) => beginnings.some((beginning) => what.startsWith(beginning)));
  return new Set(told.flatMap(({ what }) => [...what.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)));
}

const sessions = sampled([...fixtures(), ...sharedRecordings()], 'sessions', 3).flatMap(({ name, bytes }) => {
  const format = name.split('/')[0]!;
  const isSession = AGENTS.some((target) => target.format.id === format) && (ALL || bytes.length < 400_000);
  return isSession ? [{ name, format, bytes }] : [];
});

describe.each(AGENTS.map((target) => [target.format.id, target] as const))('by way of %s', (id, other) => {
  it.each(sessions)('$name', ({ format, bytes }) => {
    const own = sessionTargetNamed(format)!;
    for (const transcript of openText(bytes, { from: format }).transcripts) {
      if (transcript.agent !== undefined || transcript.messages.every(({ parts }) => parts.length === 0)) continue;
      const before = made(transcript, own);
      if (before.counts.messages === 0) continue;
      const there = made(before.transcript, other);
      const back = made(there.transcript, own);
      expect(there.id).toMatch(IDS.get(id)!);
      const wanted = saidIn(before.transcript, JOINING.has(id) ? setApart : joinTexts);
      expectSame(wanted, saidIn(back.transcript), there, back);
    }
  });
});

describe.each(AGENTS.map((target) => [target.format.id, target] as const))('findings of %s', (_, target) => {
  it.each(sessions)('name messages of the recording: $name', ({ format, bytes }) => {
    for (const transcript of openText(bytes, { from: format }).transcripts)
      for (const { what, messages } of findingsOf(transcript, target)) {
        const { messages: all } = transcript;
        const isPiece = (index: number, { group }: Message) => group !== undefined && group === all[index]!.group;
        const parts = messages.map((index) =>
          all.flatMap((message, at) => (at === index || isPiece(index, message) ? message.parts : [])),
        );
        const [, tool] = /`(.*)` becomes text$/.exec(what) ?? [];
        const isCalled = parts.map((own) => own.some((part) => part.type === 'call' && part.tool === tool));
        if (tool !== undefined) expect(isCalled, what).not.toContain(false);
        const isCalling = parts.map((own) => own.some(({ type }) => type === 'call'));
        if (what.startsWith('a call without a result')) expect(isCalling, what).not.toContain(false);
      }
  });

  it('name a title that is not written', () => {
    const lines = [
      { type: 'custom-title', customTitle: 'The way', sessionId: 'c' },
      { type: 'user', uuid: 'u', parentUuid: null, sessionId: 'c', message: { role: 'user', content: 'Go.' } },
    ];
    const log = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const [transcript] = openText(log, { from: 'claude-code' }).transcripts;
    const { text, findings } = made(transcript!, target);
    const isNamed = findings.some(({ what }) => what === 'the title');
    expect([text.includes('The way'), isNamed].filter(Boolean)).toEqual([true]);
  });

  it('name them behind a compaction', () => {
    const line = (id: number, rest: object) =>
      JSON.stringify({ id: `e${id}`, parentId: id === 1 ? null : `e${id - 1}`, timestamp: '2026-02-01', ...rest });
    const said = (role: string, content: unknown) => ({ type: 'message', message: { role, content } });
    const lines = [
      JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: '2026-02-01', cwd: '/src' }),
      line(1, said('user', 'Go.')),
      line(2, said('assistant', [{ type: 'text', text: 'Gone.' }])),
      line(3, { type: 'compaction', summary: 'They went.', firstKeptEntryId: 'e4', tokensBefore: 10 }),
      line(4, said('user', 'On.')),
      line(5, said('assistant', [{ type: 'toolCall', id: 'c', name: 'rest_api', arguments: {} }])),
    ];
    const [transcript] = openText(lines.join('\n'), { from: 'pi-session' }).transcripts;
    const found = findingsOf(transcript!, target).filter(({ what }) => what.includes('`rest_api` becomes text'));
    expect(found.map(({ messages }) => messages)).toEqual(target.format.id === 'pi-session' ? [] : [[5]]);
  });
});

function expectSame(before: Said, after: Said, there: Made, back: Made): void {
  const asText = named(there.findings, ['a tool that ']);
  const asTextThen = named(back.findings, ['a tool that ']);
  const between = saidIn(there.transcript).calls;
  const changed = named([...there.findings, ...back.findings], ['what ', 'names of tools', 'arguments that are']);
  const said = after.texts.map((text) => text.replace(/^user: > (?=\s*[/?<])/, 'user: '));
  const isSaid = (text: string) => !/^\w+: (?:\[Tool call, made by another agent\]|\[No reply to)/.test(text);
  expect(said.filter(isSaid)).toEqual(before.texts.filter(isSaid));
  const bare = (text: string) => text.replace(/\s+/g, '');
  const all = bare(after.texts.join('\n'));
  for (const [callId, { tool, input, result }] of before.calls) {
    const call = after.calls.get(callId);
    if (call === undefined) {
      const then = between.get(callId)?.tool;
      if (then === undefined) expect(asText, callId).toContain(tool);
      else expect(asTextThen, callId).toContain(then);
      expect(all).toContain(bare(result));
    } else {
      expect(call.result).toBe(result);
      if (!changed.has(tool)) expect(call.tool).toBe(tool);
      if (!changed.has(tool)) expect(call.input).toEqual(input);
    }
  }
}

it.each([
  ['claude-code', 'claude-code'],
  ['codex', 'codex-rollout'],
  ['pi', 'pi-session'],
  ['gemini-cli', 'gemini-cli-session'],
])('a new session of %s goes on as a recorded one', (agent, format) => {
  const [words] = sessionTargetNamed(format)!.takesOver!.resume;
  expect(words!.join(' ').replace('{id}', 's-1')).toBe(resumeCommand(agent, 's-1', undefined));
});

it('a message of white space is left out', () => {
  const chat = ['Hi', ' \n', 'Go on', 'Yes.'].map((content, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content,
  }));
  for (const target of AGENTS) {
    const { transcript } = made(openText(JSON.stringify(chat)).transcripts[0]!, target);
    const texts = transcript.messages.flatMap(({ role, parts }) =>
      role === 'user' || role === 'assistant'
        ? parts.flatMap((part) => (part.type === 'text' ? textOf(part.text) : []))
        : [],
    );
    expect(texts, target.format.id).toEqual(['Hi', 'Go on', 'Yes.']);
  }
});
