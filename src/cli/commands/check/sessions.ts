/** Reads an input twice where it is a session: as its agent loads it, and as transcripts. */

import { appendFileSync } from 'node:fs';
import type { Check } from '../../../engine/check/check.js';
import type { Plan } from '../../../engine/check/plan.js';
import type { Safety } from '../../../findings.js';
import { mayBeSession } from '../../../formats/resumes.js';
import type { Read } from '../../../json/rows.js';
import { collectGarbage } from '../../../node/engine.js';
import { grouped } from '../../../text/words.js';
import { type Input, shownName } from '../../files/input.js';
import { say } from '../../inputs/reading.js';
import type { Terminal } from '../../terminal/terminal.js';
import { tornFindings } from './torn.js';

/** So much of a file tells whose it is. */
const HEAD = 65_536;
/** Bytes of a session, from which on its nodes are worth a collection of garbage. */
const LONG = 4_000_000;
const loader = () => import('../../../engine/check/sessions.js');

/** An input as it is, or mended. */
export interface Doctored {
  readonly input: Input;
  /** Its faults were mended: it is not what the file holds. */
  readonly isMended: boolean;
  /** What was cut out of it. */
  readonly cut: Buffer;
}

/** Adds what keeps the agent from loading all of the session in it. */
export async function examined(input: Input, check: Check): Promise<Input> {
  const { same, bytes } = await sessionIn(input);
  const torn = input.isStored ? tornFindings(input) : [];
  const found = bytes && (await loader()).examineSession(bytes, input.path ?? input.name)?.findings;
  if (bytes !== undefined && bytes.length > LONG) collectGarbage();
  const all = [...torn, ...(found ?? [])];
  if (all.length > 0) check.addSession(shownName(input.name), all, 0);
  return same;
}

/** Mends it. What is left is found when it is examined. */
export async function mended(input: Input, allowed: ReadonlySet<Safety>, check: Check, plan: Plan): Promise<Doctored> {
  const { same, bytes } = await sessionIn(input);
  const none = { input: same, isMended: false, cut: Buffer.alloc(0) };
  if (bytes === undefined || input.readOnly !== undefined) return none;
  const { mendSession } = await loader();
  const name = shownName(input.name);
  const isOn = (rule: string) => plan.at(name).severityOf(rule) !== undefined;
  const done = mendSession(bytes, input.path ?? input.name, allowed, isOn);
  if (done === undefined) return none;
  check.addSession(name, [], done.fixed);
  return { input: holding(same, done.bytes), isMended: true, cut: done.cut };
}

/** Keeps what was cut out beside the file; elsewhere, says that it is gone. */
export function keepCut({ input, cut }: Doctored, isWritten: boolean, terminal: Terminal): void {
  if (cut.length === 0) return;
  const name = shownName(input.name);
  const what = `${grouped(cut.length)} bytes of broken lines`;
  const isKept = isWritten && input.path !== undefined;
  if (isKept) appendFileSync(`${input.path}.torn`, cut);
  say(terminal, `ctx-trim: ${name}: ${what} are ${isKept ? `kept in ${name}.torn` : 'left out'}`);
}

/** What the preview of a fix does not show. */
export function sayPreview({ input, isMended }: Doctored, terminal: Terminal): void {
  const text = 'the agent would load more of it after --fix: links and lines are not part of this diff';
  if (isMended) say(terminal, `ctx-trim: ${shownName(input.name)}: ${text}`);
}

/** The bytes of an input that is a session, and an input that reads them again. */
async function sessionIn(input: Input): Promise<{ readonly same: Input; readonly bytes: Buffer | undefined }> {
  if (input.allowance !== undefined) return { same: input, bytes: undefined };
  const read = input.reread ?? input.read;
  const head = upTo(read, HEAD);
  const rest: Read = after(head, read);
  const isOurs = mayBeSession(head) && (await loader()).isSession(head);
  if (isOurs) {
    const bytes = upTo(rest, Number.POSITIVE_INFINITY, input.fileBytes?.length);
    return { same: holding(input, bytes), bytes };
  }
  return { same: input.reread === undefined ? { ...input, read: rest } : { ...input, reread: rest }, bytes: undefined };
}

function holding(input: Input, bytes: Buffer): Input {
  const nothing: Read = () => 0;
  return { ...input, read: after(bytes, nothing), reread: after(bytes, nothing) };
}

/** A reader of bytes, and then of what another reads. */
function after(bytes: Buffer, rest: Read): Read {
  let given = 0;
  return (buffer, at, length) => {
    if (given === bytes.length) return rest(buffer, at, length);
    const taken = bytes.copy(buffer, at, given, Math.min(bytes.length, given + length));
    given += taken;
    return taken;
  };
}

/** `length`: how much is expected, so that the bytes are in memory once. */
function upTo(read: Read, most: number, expected = 0): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const piece = Buffer.allocUnsafe(Math.min(most - length, Math.max(expected - length, 1 << 20)));
    const got = filled(piece, read);
    if (got > 0) pieces.push(piece.subarray(0, got));
    length += got;
    if (got < piece.length) break;
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length);
}

/** How much was read: less than there is room for only at the end. */
function filled(piece: Buffer, read: Read): number {
  let got = 0;
  for (let more = -1; more !== 0 && got < piece.length; got += more) more = read(piece, got, piece.length - got);
  return got;
}
