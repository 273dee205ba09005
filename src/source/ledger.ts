/** Reads only what the requests of a log used: its lines without their content, in memory that is used again. */
import { isTranscriptError } from '../errors.js';
import type { Description, Format, LedgerLines, LedgerMessage, ThreadLink } from '../formats/format.js';
import { formats } from '../formats/index.js';
import type { JsonNode } from '../json/node.js';
import { type Passing, type Read, type Reuse, rows } from '../json/rows.js';
import type { Message, Part, Recorded, Transcript } from '../transcript/types.js';
import { SAMPLES } from './sample.js';
import { threadsOf } from './threads.js';
import { HEADER_LINES, transcriptOf } from './transcript.js';

export interface LedgerLog {
  /** The line of the first record. */
  readonly line: number;
  /** Their messages have no parts. */
  readonly transcripts: readonly Transcript[];
}

/**
 * The transcripts of a log whose format has a ledger, for their requests, models, turns and metadata. Undefined if the
 * input has to be opened in full: it is of another format, or something in it is unusual or invalid.
 */
export function readLedger(read: Read): LedgerLog | undefined {
  try {
    for (const { hasLedger, load } of formats) if (hasLedger === true) return ledgerIn(read, load());
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
  }
  return undefined;
}

function ledgerIn(read: Read, format: Format): LedgerLog | undefined {
  const passing: Passing = { marks: undefined };
  const reader = createReader(format, format.ledger!);
  const [sample] = SAMPLES;
  let isKnown = false; // one line at least is sure to be of this format
  let [line, records, bytes] = [1, 0, 0];
  for (const event of rows(read, { reuse: AT_ONCE, passing })) {
    if (event.type === 'open') {
      if (event.array) return undefined;
      line = event.line;
    } else if (event.type === 'record') {
      const { root } = event;
      if (passing.marks === undefined) {
        const found = format.ledger!.recognize(root);
        if (found === undefined || (found === 'own' && !isRead(root, format))) return undefined;
        isKnown ||= found === 'own';
        records++;
        bytes += root.byteLength;
        if (records >= sample!.records || bytes >= sample!.bytes) {
          if (!isKnown) return undefined;
          passing.marks = format.byteHints!.usage!.map((mark) => Buffer.from(mark));
        }
      }
      reader.take(root);
    } else if (event.type === 'bad' || event.type === 'cut') return undefined;
  }
  return isKnown ? { line, transcripts: reader.transcripts() } : undefined;
}

/** Each line is read before the next one, and each file before the next one. */
const AT_ONCE: Reuse = { isOn: () => true, settle: () => {}, buffers: [] };

function createReader(format: Format, lines: LedgerLines) {
  const messages: RecordedMessage[] = [];
  const links: ThreadLink[] = [];
  const header: Record<string, unknown> = {};
  let isHeaderOpen = format.header !== undefined;
  const readHeader = (root: JsonNode) => {
    for (const [key, value] of Object.entries(format.header!(root))) header[key] ??= value;
    isHeaderOpen = Object.values(header).includes(undefined) && messages.length < HEADER_LINES - 1;
  };
  return {
    take(root: JsonNode) {
      if (isHeaderOpen) readHeader(root);
      const { message = withoutContent(root, format), link, recorded } = lines.read(root);
      const { role, model } = message;
      messages.push({ role, parts: NO_PARTS, model, recorded, ...(link.group && { group: link.group }) });
      links.push(link);
    },
    transcripts(): readonly Transcript[] {
      const description = header as Description;
      const whole = transcriptOf(messages, { format, traits: format.traits, description });
      const log = { ...whole, recorded: (message: RecordedMessage) => message.recorded };
      return threadsOf(log, { threads: () => lines.threads(links) }).transcripts;
    },
  };
}

/** A message without its parts, and what is recorded beside it. */
interface RecordedMessage extends Message {
  readonly recorded?: Recorded | undefined;
}

const NO_PARTS: readonly Part[] = [];

/** Lines of which no part is read may be of another format. */
function isRead(root: JsonNode, format: Format): boolean {
  const { parts = NO_PARTS } = format.read(root);
  return parts.length === 0 || parts.some(({ type }) => type !== 'opaque');
}

/** As the full reading reads a line, without what stays in memory that is used again. */
function withoutContent(root: JsonNode, format: Format): LedgerMessage {
  return !root.isObject || format.score(root) === 0 ? META : format.read(root);
}

const META: LedgerMessage = { role: 'meta' };
