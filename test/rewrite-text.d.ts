import type { Transcript } from '../src/transcript/types.js';
/** A text through one transform, with options over its defaults. Tokens are counted as characters. */
export declare function rewriteText(text: string | Buffer, id: string, options: Readonly<Record<string, unknown>>): string;
/** A text with each of its transcripts mapped. */
export declare function mapText(text: string | Buffer, change: (transcript: Transcript) => Transcript): string;
