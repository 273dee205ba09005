/** A row of JavaScript values: the messages that a program holds. They are read and written without JSON text. */

import { isTranscriptError } from '../../errors.js';
import type { Format } from '../../formats/format.js';
import { PlainNode } from '../../json/plain-node.js';
import { detect } from '../detect/detect.js';
import type { DetectOptions } from '../detect/detection.js';
import { SAMPLES } from '../sample.js';
import { openPlainList, type PlainRow } from './plain-list.js';

/** Opens a list of messages; undefined where its values are no messages (but records that hold some, for example). */
export function openPlainRow(values: readonly object[], options: DetectOptions): PlainRow | undefined {
  try {
    const format = formatOf(values, options);
    return format === undefined ? undefined : openPlainList(values, format);
  } catch (error) {
    if (isTranscriptError(error)) return undefined;
    throw error;
  }
}

function formatOf(values: readonly object[], options: DetectOptions): Format | undefined {
  const [{ records }] = SAMPLES;
  const { format, container } = detect(
    values.slice(0, records).map((value) => PlainNode.root(value)),
    options,
  );
  return container === 'rows' ? format : undefined;
}
