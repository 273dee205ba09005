/** The command `fork`: writes a session again under a new id, where its agent looks for it. */

import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { printed } from '../../../documents/print.js';
import type { forkSchema } from '../../../documents/schemas/listings.js';
import { type Forkable, forkable, forkedSession, partOf } from '../../../engine/sessions/fork.js';
import { placesIn } from '../../../engine/show/address.js';
import { isTranscriptError, TranscriptError } from '../../../errors.js';
import { WITH_STORE } from '../../../formats/agents.js';
import type { ForkOf, Kept } from '../../../formats/fork.js';
import { resumeCommand } from '../../../formats/resume-command.js';
import { JsonNode } from '../../../json/node.js';
import { safe, shown } from '../../../safe/text.js';
import { quoted, withoutId } from '../../../text/shell.js';
import { plural } from '../../../text/words.js';
import { pair } from '../../../transcript/pairs.js';
import { turns } from '../../../transcript/turns.js';
import type { Message } from '../../../transcript/types.js';
import type { Config } from '../../config/config.js';
import { type Input, openInput } from '../../files/input.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { openTranscripts, say } from '../../inputs/reading.js';
import { typedName } from '../../inputs/session-names.js';
import type { ExitCode } from '../../options/command.js';
import { foldersOf } from '../../sessions/sessions.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import { besideOf, countsOf, type Part } from './beside.js';
import type { ForkOptions } from './options.js';
import { shortenedBy } from './steps.js';

export async function runFork(
  words: readonly string[],
  options: ForkOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const [word] = words;
  if (word === undefined || words.length > 1) throw new TranscriptError('usage', 'fork takes one session');
  const path = resolve(terminal.cwd, word);
  const time = timeOf(terminal).getTime();
  const input = await openInput({ name: word }, terminal);
  try {
    if (input.isStored === true) throw new TranscriptError('usage', 'fork takes sessions that are files');
    rejectLive(input, time, options, terminal);
    const bytes = bytesIn(input);
    const session = sessionIn(bytes, word);
    const { fork } = session;
    const project = options.project === undefined ? undefined : resolve(terminal.cwd, options.project);
    const of: ForkOf = { id: newId(time, fork.idsByTime), path, time, project };
    const made = forkedSession(session, keptOf(holding(input, bytes), options, terminal), of);
    const { bytes: shortened, shortfalls } =
      options.steps === undefined
        ? { bytes: made, shortfalls: [] }
        : await shortenedBy(options.steps, named(input.name, made), READING, { config, terminal });
    const target = targetOf(session, of, options, terminal);
    const { copied, left } = besideOf(session, of, { target, bytes: shortened, ...options });
    const folder = project ?? session.cwd;
    const document: ForkDocument = {
      version: 1,
      agent: fork.agent,
      id: of.id,
      from: path,
      files: [target, ...copied.map(({ to }) => to)],
      messages: messagesIn(named(input.name, shortened), terminal),
      of: messagesIn(named(input.name, bytes), terminal),
      shortfalls: [...shortfalls],
      resume: options.output === undefined ? resumeCommand(fork.agent, of.id, folder)! : null,
      remove: `rm ${[target, ...copied.map(({ to }) => to)].map(quoted).join(' ')}`,
      dry_run: options.dryRun === true,
    };
    if (options.dryRun !== true) write(target, shortened, copied, of.id);
    if (options.format === 'json') terminal.stdout.write(printed(document));
    else tell(document, terminal);
    if (copied.length > 0) say(terminal, `ctx-trim: copied, too: ${countsOf(copied)}`);
    if (left.length > 0) say(terminal, `ctx-trim: left with the old session: ${left.join(', ')}`);
    return shortfalls.length > 0 ? 1 : 0;
  } finally {
    input.close();
  }
}

function sessionIn(bytes: Buffer, word: string): Forkable {
  try {
    return forkable(bytes);
  } catch (error) {
    throw isTranscriptError(error) ? error.at({ file: typedName(word) }) : error;
  }
}

/** The agent may still write a session that changed just now. A preview only says so. */
function rejectLive({ stats }: Input, time: number, { force, dryRun }: ForkOptions, terminal: Terminal): void {
  if (force === true || time - (stats?.mtimeMs ?? 0) >= MINUTE) return;
  const why = 'it changed within the last minute: the agent may write it';
  if (dryRun !== true) throw new TranscriptError('usage', `${why} (--force)`);
  say(terminal, `ctx-trim: warning: ${why}; without --dry-run, this needs --force`);
}

type ForkDocument = z.output<typeof forkSchema>;
const MINUTE = 60_000;

function tell({ agent, id, files, messages, of, resume, remove, dry_run }: ForkDocument, terminal: Terminal): void {
  const [file, ...more] = files;
  const parts = more.length === 0 ? '' : ` and ${plural(more.length, 'file')} beside it`;
  const verb = dry_run ? 'would be written' : 'written';
  const lines = [
    `${messages} of ${plural(of, 'message')} of ${agent} ${verb}${parts} as ${dry_run ? 'a new session' : id}:`,
    `  ${file}`,
    ...(resume === null ? [] : [`go on:  ${resume}`]),
    ...(dry_run ? [] : [`remove: ${remove}`]),
  ];
  for (const line of dry_run ? withoutId(lines, id) : lines) terminal.stdout.write(safe`${shown(line)}\n`);
  if (resume === null) say(terminal, `ctx-trim: ${agent} does not look for it there`);
}

// --- what is kept

/** The messages of a session, as `show` counts them. */
function messagesIn(input: Input, terminal: Terminal): number {
  const omissions = collectOmissions({ isSilent: true, mayBeMute: true });
  for (const { transcript } of openTranscripts(input, READING, terminal, { omissions }))
    return transcript.messages.filter(({ role }) => role !== 'meta').length;
  return 0;
}

function keptOf(input: Input, { until, from, turn }: ForkOptions, terminal: Terminal): Kept {
  const all: Kept = { first: 0, last: Number.POSITIVE_INFINITY };
  if (until === undefined && from === undefined && turn === undefined) return all;
  for (const { transcript, piece } of openTranscripts(input, READING, terminal)) {
    const { messages } = transcript;
    const positions = piece.positions();
    const lineOf = (index: number | undefined): number | undefined => {
      const { raw } = messages[index ?? -1] ?? {};
      return raw instanceof JsonNode ? positions(raw)?.line : undefined;
    };
    const known = turn === undefined ? [] : turns(messages);
    const end = known[(turn ?? 0) - 1]?.end;
    if (turn !== undefined && end === undefined)
      throw new TranscriptError('usage', `it has ${plural(known.length, 'turn')}, counted from 1`);
    const first = indexIn('--from', from);
    if (first !== undefined && messages[first]?.role === 'tool')
      throw new TranscriptError(
        'usage',
        `--from ${from} is the result of an earlier call: begin with that, or a prompt`,
      );
    const last = turn === undefined ? indexIn('--until', until) : end === undefined ? undefined : end - 1;
    if (last !== undefined) tellOpen(messages, last, terminal);
    const kept = { first: lineOf(first) ?? all.first, last: lineOf(last) ?? all.last };
    const isMissing = (from !== undefined && kept.first === 0) || (from === undefined && kept.last === all.last);
    if (isMissing || (until !== undefined && kept.last === all.last))
      throw new TranscriptError(
        'usage',
        `it has ${plural(messages.length, 'message')}, counted from 0; ctx-trim show lists them`,
      );
    return kept;
  }
  throw new TranscriptError('usage', 'it holds no messages');
}

/** A call without its result: the agent makes one up, or the provider refuses the request. */
function tellOpen(messages: readonly Message[], last: number, terminal: Terminal): void {
  const open = pair(messages).calls.filter(
    ({ message, results }) => message <= last && results.some((result) => result.message > last),
  );
  if (open.length === 0) return;
  const end = open.reduce(
    (at, { results }) => results.reduce((most, { message }) => Math.max(most, message), at),
    last,
  );
  const what = open.length === 1 ? 'a call is' : `${open.length} calls are`;
  say(terminal, `ctx-trim: warning: ${what} left without a result; --until '#${end}' keeps them whole`);
}

function indexIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [address] = placesIn([text], () => false)[0]?.addresses ?? [];
  if (address?.messages === undefined || address.line !== undefined)
    throw new TranscriptError('usage', `${option} takes a message, such as #22, not \`${text}\``);
  return option === '--from' ? address.messages.first : address.messages.last;
}

const READING = {
  from: undefined,
  messages: undefined,
  skipBadLines: true,
  maxUnpacked: undefined,
  config: undefined,
  plugin: [],
  verbose: undefined,
} as const;

// --- files

function targetOf({ fork, cwd }: Forkable, of: ForkOf, { output }: ForkOptions, terminal: Terminal): string {
  if (output !== undefined) return resolve(terminal.cwd, output);
  const stores = WITH_STORE.find(({ id }) => id === fork.agent)!.stores;
  const [home] = foldersOf(stores[0]!, terminal.env);
  return fork.place(of, home ?? terminal.cwd, cwd ?? terminal.cwd);
}

/** Nothing is overwritten. */
function write(target: string, bytes: Buffer, parts: readonly Part[], id: string): void {
  for (const path of [target, ...parts.map(({ to }) => to)])
    if (existsSync(path)) throw new TranscriptError('file', 'it is there already', { file: path });
  mkdirSync(dirname(target), { recursive: true });
  for (const { path, to } of parts) {
    mkdirSync(dirname(to), { recursive: true });
    if (!path.endsWith('.jsonl')) cpSync(path, to);
    else writeFileSync(to, partOf(readFileSync(path), id), { flag: 'wx' });
  }
  writeFileSync(target, bytes, { flag: 'wx', mode: 0o600 });
}

function bytesIn({ read }: Input): Buffer {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.allocUnsafe(1 << 20);
    const got = read(piece, 0, piece.length);
    if (got === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, got));
  }
}

function named(name: string, bytes: Buffer): Input {
  return holding({ name, path: undefined, read: () => 0, stats: undefined, close: () => {} }, bytes);
}

function holding(input: Input, bytes: Buffer): Input {
  let at = 0;
  const read: Input['read'] = (buffer, start, length) => {
    const taken = bytes.copy(buffer, start, at, Math.min(bytes.length, at + length));
    at += taken;
    return taken;
  };
  return { ...input, read };
}

// --- ids

/** A UUID of version 4, or of version 7: https://www.rfc-editor.org/rfc/rfc9562 */
function newId(time: number, isByTime: boolean): string {
  const bytes = randomBytes(16);
  if (isByTime) bytes.writeUIntBE(time, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | (isByTime ? 0x70 : 0x40);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
