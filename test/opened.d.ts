/** Texts opened and saved through the code under test, and messages made comparable. */
import type { Format } from '../src/formats/format.js';
import type { Json } from '../src/json/edit.js';
import { type Sink } from '../src/json/print.js';
import type { Detection } from '../src/source/detect.js';
import { type OpenOptions, type Opened } from '../src/source/open.js';
import type { Message, Transcript } from '../src/transcript/types.js';
export interface OpenedText {
    readonly detection: Detection;
    readonly pieces: readonly Opened[];
    readonly transcripts: readonly Transcript[];
}
export declare function openText(text: string | Buffer, options?: OpenOptions): OpenedText;
export declare class TextSink implements Sink {
    private readonly pieces;
    slice(bytes: Buffer, start: number, end: number): void;
    text(text: string): void;
    toString(): string;
}
export declare function printed(value: Json): string;
/** A message, written and read again. */
export declare function reread(message: Message, format: Format): Message;
/** The bytes of a message that was read, as text. */
export declare function sourceOf(message: Message): string;
/** What a message says, without where it was read from. An empty text says nothing. */
export declare function meaningOf({ role, parts, name }: Message): unknown;
