/** Writes the records that stay, with the bytes between them. */
import { TranscriptError } from '../../../errors.js';
import { layOut } from '../../../json/lay-out.js';
import type { JsonNode } from '../../../json/node.js';
import type { Sink } from '../../../json/print.js';
import type { Span } from '../../../json/rows.js';
import type { Opened, PassageKind } from '../../../source/piece.js';

/** A record, a line that is no JSON, or a whole log. */
export type Kept = { readonly span: Span } | { readonly value: JsonNode } | { readonly piece: Opened };

export interface RecordWriter {
  /** Bytes that are no record. */
  between(is: PassageKind, span: Span): void;
  /** An array without elements. */
  empty(list: Opened): void;
  keep(kept: Kept, split: string | undefined): void;
  drop(): void;
}

export const NO_WRITER: RecordWriter = { between() {}, empty() {}, keep() {}, drop() {} };

/** As it was: lines own the line break after them; in an array, elements that stay own the comma before them. */
export function createWriter(sink: Sink): RecordWriter {
  let list: { readonly pad: string; gap: string; kept: number; dropped: number } | undefined;
  let ownsGap = true; // the bytes to come belong to what was written
  return {
    between(is, span) {
      const text = () => span.bytes.latin1Slice(span.start, span.end);
      if (is === 'list') {
        const bracket = span.start + text().lastIndexOf('[') + 1;
        sink.slice(span.bytes, span.start, bracket);
        list = { pad: span.bytes.latin1Slice(bracket, span.end), gap: '', kept: 0, dropped: 0 };
      } else if (list === undefined) {
        if (ownsGap) sink.slice(span.bytes, span.start, span.end);
      } else if (is === 'gap') {
        list.gap = text();
      } else {
        const isEmptied = list.kept === 0 && list.dropped > 0;
        sink.text(isEmptied ? text().replace(/^\s+/, '') : `${list.kept === 0 ? list.pad : ''}${text()}`);
        list = undefined;
        ownsGap = true;
      }
    },
    empty: ({ save, transcripts }) => save(sink, transcripts),
    keep(kept) {
      if (list !== undefined) sink.text(list.kept++ === 0 ? list.pad : list.gap);
      print(sink, kept);
      ownsGap = true;
    },
    drop() {
      if (list !== undefined) list.dropped++;
      ownsGap = false;
    },
  };
}

/** Each record on a line of its own, in the file of its split. */
export function createLineWriter(sinkOf: (split: string | undefined) => Sink): RecordWriter {
  let isList = false;
  let open: Sink | undefined; // its last line has no end yet
  const endLine = (text = '\n') => {
    open?.text(text);
    open = undefined;
  };
  return {
    between(is, { bytes, start, end }) {
      if (is === 'list') isList = true;
      const text = isList ? '' : bytes.latin1Slice(start, end);
      endLine(text.includes('\n') ? text : '\n');
      if (is === 'close') isList = false;
    },
    empty() {},
    keep(kept, split) {
      endLine();
      const sink = sinkOf(split);
      const value = 'value' in kept ? kept.value : 'piece' in kept ? kept.piece.record : undefined;
      if (value !== undefined && hasLineBreak(value)) sink.text(layOut(value, 0));
      else print(sink, kept);
      open = sink;
    },
    drop: () => endLine(),
  };
}

function print(sink: Sink, kept: Kept): void {
  if ('span' in kept) sink.slice(kept.span.bytes, kept.span.start, kept.span.end);
  else if ('value' in kept || kept.piece.record !== undefined) {
    const { source, start, end } = 'value' in kept ? kept.value : kept.piece.record!;
    sink.slice(source.bytes, start, end);
  } else kept.piece.save(sink, kept.piece.transcripts);
}

function hasLineBreak({ source, start, end }: JsonNode): boolean {
  const bytes = source.bytes.subarray(start, end);
  return bytes.includes(0x0a) || bytes.includes(0x0d);
}

/** A log has many lines, so it cannot be one. */
export function rejectLog({ record, line }: Opened): void {
  if (record === undefined)
    throw new TranscriptError(
      'usage',
      'a log or a trace is one record of many lines, and no line of a dataset: use --list to choose files',
      { line },
    );
}
