/**
 * What `safe` promises: after a safe fix every text, every result and every record of before is there. Tried on all
 * recordings, for each provider.
 */
import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import { JsonNode } from '../../src/json/node.js';
import { allRules } from '../../src/rules/index.js';
import { ownProvider } from '../../src/rules/own-provider.js';
import { type Provider, providerNamed } from '../../src/rules/providers.js';
import { applyFixes, type RuleOptions, rulesFor } from '../../src/rules/run-rules.js';
import { open, type Recording, save } from '../../src/source/recording.js';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { Transcript } from '../../src/transcript/types.js';
import { lawful } from '../shared/lawful.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';

const rules = allRules();

/** One of each format of requests: the rules of those that are like them are few more. */
const OTHERS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'bedrock', 'mistral'].map(
  (id) => providerNamed(id)!,
);
/** Larger ones have nothing new and take long. */
const LARGEST = 200_000;
/** Pieces of arguments become one whole where their call gets another id. */
const FOLDED = 'tool-input-delta';

const recordings = sampled([...fixtures(), ...sharedRecordings()], 'safe-fixes').filter(
  ({ bytes }) => bytes.length < LARGEST,
);

describe.each(recordings)('$name', ({ bytes }) => {
  it('keeps every text, result and record', () => {
    const recording = open(bytes);
    for (const provider of [undefined, ...OTHERS]) {
      const after = mendedBy(recording, provider);
      if (after === undefined) continue;
      const isOwn = provider === undefined;
      lawful(missing(recording.transcripts, after.transcripts, isOwn), provider?.id ?? 'its own');
    }
  });
});

it('keeps what a log tells of a call that gets another id', () => {
  const line = (uuid: string, parentUuid: string | null, fields: object) =>
    JSON.stringify({ uuid, parentUuid, sessionId: 's', timestamp: '2026-01-01T00:00:00Z', ...fields });
  const call = { type: 'tool_use', id: 'a b', name: 'ls', input: {} };
  const log = [
    line('1', null, { type: 'user', message: { role: 'user', content: 'x' } }),
    line('2', '1', { type: 'assistant', message: { role: 'assistant', content: [call] } }),
    line('3', '2', { type: 'attachment', attachment: { type: 'hook_success', toolUseID: 'a b', stdout: 'kept' } }),
    line('4', '3', {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a b', content: 'r' }] },
    }),
    line('5', '4', { type: 'user', message: { role: 'user', contenst: [{ type: 'text', text: 'misspelt' }] } }),
    '"no object"',
  ].join('\n');
  const recording = open(Buffer.from(log));
  const provider = providerNamed('anthropic')!;
  const mended = saved(recording, provider);
  expect(mended.split('\n')).toHaveLength(6);
  expect(JSON.parse(mended.split('\n')[2]!)).toMatchObject({ attachment: { toolUseID: 'a_b', stdout: 'kept' } });
  expect(mended).toContain('misspelt');
  expect(mended).toContain('\n"no object"');
});

function saved(recording: Recording, provider: Provider | undefined): string {
  return save(recording, mendedIn(recording, provider)).toString();
}

function mendedIn(recording: Recording, provider: Provider | undefined): Transcript[] {
  return recording.pieces.flatMap((piece) => {
    if (!('type' in piece)) return [];
    return piece.transcripts.map((transcript) => {
      const of: RuleOptions = {
        provider: provider ?? ownProvider(transcript),
        asRequest: true,
        format: formatNamed(transcript.format),
        record: piece.record,
        contextUse: () => ({ tokens: 0, window: undefined }),
      };
      return applyFixes(transcript, rulesFor(rules, of.provider, true), new Set(['safe']), of);
    });
  });
}

/** The recording with its safe fixes, opened again; undefined where there are none. */
function mendedBy(recording: Recording, provider: Provider | undefined): Recording | undefined {
  const mended = mendedIn(recording, provider);
  if (mended.every((transcript, index) => transcript === recording.transcripts[index])) return undefined;
  return open(save(recording, mended), { from: recording.format });
}

/** What was said before and is not any more. A text may be joined to others. */
function missing(before: readonly Transcript[], after: readonly Transcript[], isOwn: boolean): string[] {
  const [was, is] = [sayingsOf(before, isOwn), sayingsOf(after, isOwn)];
  const kept = new Set(is);
  let whole: string | undefined;
  return was.filter((text) => {
    if (kept.has(text)) return false;
    whole ??= is.join('\n');
    return !whole.includes(text);
  });
}

/**
 * Where another provider wants two messages joined, the record that repeats the second goes with it: there a kind of
 * record is counted once.
 */
function sayingsOf(transcripts: readonly Transcript[], isOwn: boolean): string[] {
  const records = new Map<string, number>();
  const counted = (type: string) => {
    records.set(type, (records.get(type) ?? 0) + 1);
    return `record ${type} ${isOwn ? records.get(type) : ''}`;
  };
  return transcripts.flatMap(({ messages }) =>
    messages.flatMap(({ role, parts, raw }) => {
      if (role === 'meta') {
        const type = raw instanceof JsonNode ? raw.get('type')?.text : undefined;
        return type === undefined || type === FOLDED ? [] : [counted(type)];
      }
      return parts.flatMap((part) => {
        const text = part.type === 'result' ? joinTexts(part.content) : part.type === 'text' ? textOf(part.text) : '';
        // half of a surrogate pair is nothing that could be kept
        const whole = text.replace(/\p{Surrogate}/gu, '').trim();
        return whole === '' ? [] : [whole];
      });
    }),
  );
}
