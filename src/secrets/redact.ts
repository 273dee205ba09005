/** Replaces secrets with marks. A mark is the same for the same secret in a run, and cannot pass for a value. */
import type { Sink } from '../json/print.js';
import type { FindSecrets, FoundSecret } from './found.js';
import { withoutOverlaps } from './overlaps.js';
import { assertUnbroken } from './unbroken.js';

export interface Redactor {
  /** Prints the bytes from `start` to `end` with marks in place of secrets; returns the number of secrets. */
  redact(sink: Sink, bytes: Buffer, start: number, end: number): number;
  /** What was found so far, in the order of the marks. */
  readonly marks: ReadonlyMap<string, Mark>;
}

export interface Mark {
  readonly rule: string;
  readonly title: string;
  /** Never print it, except into a map that its owner asked for. */
  readonly secret: string;
  /** How often it was found. */
  count: number;
}

/** `finders`: earlier ones win where finds overlap. */
export function createRedactor(finders: readonly FindSecrets[]): Redactor {
  const marks = new Map<string, Mark>();
  const bySecret = new Map<string, string>();
  const numbers = new Map<string, number>();

  const markOf = ({ rule: { id, title }, text }: FoundSecret): string => {
    const key = `${id}\n${text.replace(BREAKS, '')}`;
    const known = bySecret.get(key);
    if (known !== undefined) {
      marks.get(known)!.count++;
      return known;
    }
    const number = (numbers.get(id) ?? 0) + 1;
    numbers.set(id, number);
    const mark = `[secret:${id}:${number}]`;
    bySecret.set(key, mark);
    marks.set(mark, { rule: id, title, secret: text, count: 1 });
    return mark;
  };

  return {
    marks,
    redact(sink, bytes, start, end) {
      const found = withoutOverlaps(finders.map((find) => find(bytes, start, end)));
      const edits = found.map((secret) => ({
        start: secret.start,
        end: secret.end,
        text: secret.isRest === true ? '' : `${secret.quote ?? ''}${markOf(secret)}${secret.quote ?? ''}`,
      }));
      assertUnbroken({ bytes, start, end }, edits);
      let at = start;
      for (const edit of edits) {
        sink.slice(bytes, at, edit.start);
        sink.text(edit.text);
        at = edit.end;
      }
      sink.slice(bytes, at, end);
      return found.filter(({ isRest }) => isRest !== true).length;
    },
  };
}

/** Line breaks, which JSON in strings spells with more backslashes. */
const BREAKS = /\\+[nrt]|\s+/g;
