/** Parses JSON of users: configs, price files, baselines. */
import { TranscriptError } from '../../errors.js';

/** Throws TranscriptError with the position if it is not JSON. */
export function parseJson(source: string, file: string): unknown {
  const text = source.replace(/^\ufeff/, ''); // as editors of Windows write it
  try {
    return JSON.parse(text);
  } catch (error) {
    const offset = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    const before = text.slice(0, offset).split('\n');
    throw new TranscriptError('config', `not JSON: ${(error as Error).message}`, {
      file,
      line: before.length,
      column: before[before.length - 1]!.length + 1,
    });
  }
}
