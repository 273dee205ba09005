import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { convertSession, rejectEmpty, type SessionConversion, sessionText } from '../../../conversion/session.js';
import { SESSION_TARGETS, sessionTargetNamed } from '../../../conversion/session-targets.js';
import { handoverDocument } from '../../../documents/handover.js';
import { printed } from '../../../documents/print.js';
import { isTranscriptError, TranscriptError } from '../../../errors.js';
import { AGENTS } from '../../../formats/agents.js';
import { formatNamed } from '../../../formats/index.js';
import type { SessionTarget } from '../../../formats/session.js';
import { safe, shown } from '../../../safe/text.js';
import { withoutId } from '../../../text/shell.js';
import type { Transcript } from '../../../transcript/types.js';
import { openInput } from '../../files/input.js';
import { statsAt } from '../../files/stats-at.js';
import { reasonOf } from '../../files/write-reasons.js';
import { openTranscripts, say } from '../../inputs/reading.js';
import { rejectLive, typedName } from '../../inputs/session-names.js';
import type { ExitCode } from '../../options/command.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import { lossLinesOf } from '../convert/losses.js';
import type { HandoverOptions } from './options.js';
import { type Place, placeOf } from './place.js';

export async function runHandover(
  words: readonly string[],
  options: HandoverOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const target = targetOf(options.to);
  const [word = '-'] = words;
  const file = resolve(terminal.cwd, word);
  if (options.dryRun !== true && options.force !== true) rejectLive([file], terminal);
  const { transcript, line } = await onlyTranscript(word, options, terminal);
  const project = options.project === undefined ? undefined : resolve(terminal.cwd, options.project);
  const time = statsAt(file)?.mtimeMs ?? timeOf(terminal).getTime();
  const made = convertSession(transcript, formatNamed(transcript.format), target, {
    ...{ seed: randomUUID(), project, otherwise: { time, project: terminal.cwd } },
  });
  const agent = AGENTS.find(({ formats = [] }) => formats.includes(target.format.id));
  const place = placeOf(made, target, agent, options.output, terminal);
  if (options.dryRun !== true) writeNew(place.file, sessionText(made.document));
  const isWritten = options.dryRun !== true;
  if (agent !== undefined && statsAt(made.project)?.isDirectory() !== true)
    say(terminal, `ctx-trim: warning: there is no folder ${made.project} here; name another with --project`);
  if (options.format === 'json')
    terminal.stdout.write(printed(handoverDocument(made, { ...place, to: target.format.id, isWritten })));
  else {
    for (const text of lossLinesOf([{ file: typedName(word), line, findings: made.findings }]))
      say(terminal, `ctx-trim: ${text}`);
    for (const text of linesOf(made, place, isWritten)) terminal.stdout.write(safe`${shown(text)}\n`);
  }
  return made.findings.some(({ loss }) => loss) ? 1 : 0;
}

/** By the id of a format, or of its agent. */
function targetOf(name: string | undefined): SessionTarget {
  const agent = AGENTS.find(({ id }) => id === name);
  const target = [name ?? '', ...(agent?.formats ?? [])].flatMap((id) => sessionTargetNamed(id) ?? [])[0];
  if (target !== undefined) return target;
  const ids = SESSION_TARGETS.map(
    ({ format: { id } }) => AGENTS.find(({ formats = [] }) => formats.includes(id))?.id ?? id,
  );
  throw new TranscriptError('usage', `handover needs --to <agent>: ${ids.join(', ')}`);
}

/** The session in a file: sub-agents and abandoned branches belong to it. */
async function onlyTranscript(
  word: string,
  options: HandoverOptions,
  terminal: Terminal,
): Promise<{ readonly transcript: Transcript; readonly line: number }> {
  const input = await openInput({ name: word }, terminal);
  try {
    const all = [...openTranscripts(input, options, terminal)];
    const main = all.filter(({ transcript }) => transcript.agent === undefined);
    const [first, ...others] = main.length === 0 ? all : main;
    if (others.length > 0)
      throw new TranscriptError('usage', `it holds ${main.length} transcripts; write one to a file of its own`);
    rejectEmpty(first!.transcript);
    return { transcript: first!.transcript, line: first!.place.line };
  } catch (error) {
    throw isTranscriptError(error) ? error.at({ file: typedName(word) }) : error;
  } finally {
    input.close();
  }
}

/** Writes a file that was not there, for its owner alone. */
function writeNew(path: string, text: string): void {
  let isOurs = false;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    isOurs = true;
    writeFileSync(path, text, { flush: true });
  } catch (error) {
    if (isOurs) rmSync(path, { force: true });
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new TranscriptError('file', 'it exists, and nothing is overwritten', { file: path });
    throw new TranscriptError('file', `it cannot be written: ${reasonOf(error)}`, { file: path });
  }
}

function linesOf({ id, counts }: SessionConversion, { file, resume, remove }: Place, isWritten: boolean): string[] {
  const goOn = resume === undefined ? [] : [`go on:  ${resume}`];
  return isWritten
    ? [`wrote ${counts.messages} messages as session ${id}: ${file}`, ...goOn, `remove: ${remove}`]
    : withoutId([`would write ${counts.messages} messages as a new session: ${file}`, ...goOn], id);
}
