/** What `redact` writes for a text. */
import { redactStream } from '../../src/engine/redact/redact-stream.js';
import type { Sink } from '../../src/json/print.js';
import type { FindSecrets } from '../../src/secrets/found.js';
import { createRedactor } from '../../src/secrets/redact.js';

export function redactedBy(text: string, finders: readonly FindSecrets[], window?: number): string {
  return streamed(text, createRedactor(finders), window);
}

export function streamed(text: string, redactor: ReturnType<typeof createRedactor>, window?: number): string {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  const sink: Sink = {
    slice: (source, start, end) => void chunks.push(Buffer.from(source.subarray(start, end))),
    text: (mark) => void chunks.push(Buffer.from(mark)),
  };
  let at = 0;
  const read = (into: Buffer, offset: number, length: number) => {
    const got = bytes.copy(into, offset, at, Math.min(at + length, bytes.length));
    at += got;
    return got;
  };
  redactStream(read, redactor, sink, () => {}, window);
  return Buffer.concat(chunks).toString();
}
