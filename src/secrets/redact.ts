/** Replaces secrets with marks. A mark is the same for the same secret in a run, and cannot pass for a value. */
import type { Sink } from '../json/print.js';
import type { FindSecrets, FoundSecret } from './found.js';
import { withoutOverlaps } from './overlaps.js';
import type { SecretRule } from './rule.js';
import { secretRules } from './rules/index.js';
import { assertUnbroken } from './unbroken.js';

export interface Redactor {
  /** Prints the bytes from `start` to `end` with marks in place of secrets; returns the number of secrets. */
  redact(sink: Sink, bytes: Buffer, start: number, end: number): number;
  /** Prints bytes in which `learn` found nothing. */
  pass(sink: Sink, bytes: Buffer, start: number, end: number): number;
  /** Takes secrets, and names of people that paths tell, before anything is replaced; returns whether it found any. */
  learn(bytes: Buffer, start: number, end: number): boolean;
  /** What was found so far, in the order of the marks. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** Marks that stand for a secret of this run, and stood in a text before, for what another run found there. */
  readonly ambiguous: ReadonlySet<string>;
}

export interface Mark {
  readonly rule: string;
  readonly title: string;
  /** Never print it, except into a map that its owner asked for. */
  readonly secret: string;
  /** How often it was found. */
  count: number;
}

/** A mark: the id of its rule, and its number. */
export const NUMBERED = /^\[secret:(.+):(\d{1,9})\]$/;

/** `finders`: earlier ones win where finds overlap. `known`: the marks of earlier runs, with their secrets. */
export function createRedactor(
  finders: readonly FindSecrets[],
  known: ReadonlyMap<string, string> = new Map(),
): Redactor {
  const marks = new Map<string, Mark>();
  const bySecret = new Map<string, string>();
  const numbers = new Map<string, number>();
  const ambiguous = new Set<string>();

  const take = (id: string, number: number) => void numbers.set(id, Math.max(numbers.get(id) ?? 0, number));
  for (const [mark, secret] of known) {
    const [, id = '', number] = NUMBERED.exec(mark) ?? [];
    take(id, Number(number));
    if (!bySecret.has(keyOf(secret))) bySecret.set(keyOf(secret), mark);
  }
  /** A number is not given again that stands in the text. */
  const takeThose = (bytes: Buffer, start: number, end: number) => {
    for (let at = bytes.indexOf(MARK, start); at >= 0 && at < end; at = bytes.indexOf(MARK, at + 1)) {
      const [mark, id = '', number] = ANY_MARK.exec(bytes.latin1Slice(at, Math.min(end, at + LONGEST_MARK))) ?? [];
      if (mark === undefined || known.has(mark)) continue;
      if (marks.has(mark)) ambiguous.add(mark);
      take(id, Number(number));
    }
  };

  const markOf = ({ rule: { id, title }, text }: FoundSecret): string => {
    const key = keyOf(text);
    const before = bySecret.get(key);
    if (before !== undefined) {
      const mark = marks.get(before);
      if (mark !== undefined) mark.count++;
      else marks.set(before, { ...kindOf(before, { id, title }), secret: known.get(before)!, count: 1 });
      return before;
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
    ambiguous,
    learn: () => true,
    pass(sink, bytes, start, end) {
      takeThose(bytes, start, end);
      sink.slice(bytes, start, end);
      return 0;
    },
    redact(sink, bytes, start, end) {
      takeThose(bytes, start, end);
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

/** Of a mark of an earlier run, which another rule may have found. */
function kindOf(mark: string, found: Pick<SecretRule, 'id' | 'title'>): Pick<Mark, 'rule' | 'title'> {
  const rule = NUMBERED.exec(mark)?.[1] ?? found.id;
  const { title } = rule === found.id ? found : (secretRules.find(({ id }) => id === rule) ?? found);
  return { rule, title };
}

function keyOf(secret: string): string {
  return secret.replace(BREAKS, '');
}

/** How a mark begins; without its colon it is searched several times as fast. */
const MARK = Buffer.from('[secret');
const ANY_MARK = /^\[secret:([^\]]+):(\d{1,9})\]/;
/** No id of a rule is longer. */
const LONGEST_MARK = 100;
/** Line breaks, which JSON in strings spells with more backslashes. */
const BREAKS = /\\+[nrt]|\s+/g;
