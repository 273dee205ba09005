/** What the format of an input is, and how that can be restricted. */
import type { Format } from '../../formats/format.js';
import type { FormatEntry } from '../../formats/index.js';
import type { MessagePath } from '../message-paths.js';
import type { Receiver } from './request.js';

export interface Detection {
  readonly format: Format;
  /**
   * `rows`: the values of the row are the messages. `envelope`: the format extracts them from each record. `bundle`: it
   * extracts them from all records together. Otherwise their path in each record.
   */
  readonly container: 'rows' | 'envelope' | 'bundle' | MessagePath;
  /** 0 to 1. */
  readonly confidence: number;
  readonly why: string;
  /** The list was found by searching: nothing but its messages identifies it. */
  readonly isFound?: boolean;
  /** Another format that is as likely, where there is one. */
  readonly rival?: string;
}

/** A plugin, of which detection looks at the formats. */
export interface WithFormats {
  readonly formats?: readonly Format[];
  readonly rules?: readonly unknown[];
  readonly secrets?: readonly unknown[];
}

export interface DetectOptions {
  /** A format's id: no other is considered. */
  readonly from?: string;
  /** A path to the messages: nothing else is considered. */
  readonly messages?: string;
  /** The formats to consider. All by default. */
  readonly formats?: readonly FormatEntry[];
  /** Plugins, whose formats are considered too; they stay known from then on. */
  readonly plugins?: readonly WithFormats[];
  /** @internal The messages are judged as a request to this API. */
  readonly receiver?: Receiver | undefined;
}
