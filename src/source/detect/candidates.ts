/** The formats to consider for a sample. Formats that are not considered are not loaded. */
import type { Format } from '../../formats/format.js';
import { formatNamed, formats } from '../../formats/index.js';
import type { JsonNode } from '../../json/node.js';
import type { DetectOptions } from './detection.js';
import { signatureTest } from './signatures.js';

/** The formats whose signatures occur in the sample; all formats where a user named the format or the path. */
export function likelyFormats(sample: readonly JsonNode[], options: DetectOptions): readonly Format[] {
  if (options.from !== undefined || options.messages !== undefined) return allFormats(options);
  const occurs = signatureTest(sample);
  return (options.formats ?? formats)
    .filter(({ signatures, unless = [] }) => (signatures.length === 0 || occurs(signatures)) && !occurs(unless))
    .map((entry) => entry.load());
}

export function allFormats({ from, formats: entries = formats }: DetectOptions): readonly Format[] {
  return from === undefined ? entries.map((entry) => entry.load()) : [formatNamed(from)];
}
