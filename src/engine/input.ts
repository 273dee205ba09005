/** The input of a library function: a text (JSON or JSON Lines), its bytes, or a list of plain messages. */

import { formatNamed } from '../formats/index.js';
import type { Omissions, Unread } from '../omissions.js';
import { pluginFrom } from '../plugin/plugin.js';
import type { DetectOptions } from '../source/detect/detection.js';
import type { Opened } from '../source/piece.js';
import { open } from '../source/recording.js';
import { addUnread, unreadIn } from '../source/unread/unread.js';
import type { Transcript } from '../transcript/types.js';
import { spelledMessages } from './spelled.js';

export type Input = string | Uint8Array | readonly object[];

export interface InputTranscript {
  readonly transcript: Transcript;
  /** The record that holds it. */
  readonly piece: Opened;
}

/** How an input is named in findings and reports, as the command line names a pipe. */
export const INPUT_NAME = 'stdin';

/** The transcripts of an input, in its order. Throws TranscriptError with line and column where it cannot be read. */
export function transcriptsIn(input: Input, options: DetectOptions): readonly InputTranscript[] {
  return readInput(input, options).transcripts;
}

export interface ReadInput {
  readonly transcripts: readonly InputTranscript[];
  /** What no message holds. */
  omissions(): Omissions;
}

/** The same, with what the format of the input does not read. */
export function readInput(input: Input, { from, messages, formats, plugins, receiver }: DetectOptions): ReadInput {
  const isText = typeof input === 'string' || input instanceof Uint8Array;
  const recording = open(isText ? input : `[${spelledMessages(input).join(',\n')}]`, {
    from,
    messages,
    formats,
    plugins: plugins?.map((plugin) => pluginFrom(plugin)),
    receiver,
  });
  return {
    transcripts: recording.pieces.flatMap((piece) =>
      'type' in piece ? piece.transcripts.map((transcript) => ({ transcript, piece })) : [],
    ),
    omissions() {
      const { all, format } = recording;
      const lens = formatNamed(format);
      const unread = all.reduce<Unread | undefined>((sum, piece) => addUnread(sum, unreadIn(piece, lens)), undefined);
      return {
        unread: unread === undefined ? [] : [{ ...unread, file: INPUT_NAME, format, isPart: false }],
        badLines: [],
      };
    },
  };
}
