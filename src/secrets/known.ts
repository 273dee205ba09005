/** Secrets that were found, to be replaced in other texts: in time by the length of the text, however many they are. */

export interface KnownSecrets {
  add(secret: string, mark: string): void;
  /** The text with marks in place of all that it holds, the longest first. */
  replacedIn(text: string): string;
}

/** Secrets that begin alike; the longest length comes first. */
interface Alike {
  readonly marks: Map<string, string>;
  lengths: readonly number[];
}

/** Characters; what is shorter is no secret. */
const HEAD = 4;

export function createKnownSecrets(): KnownSecrets {
  const byHead = new Map<string, Alike>();
  const secretAt = (text: string, at: number): readonly [secret: string, mark: string] | undefined => {
    const { lengths, marks } = byHead.get(text.slice(at, at + HEAD)) ?? NONE;
    for (const length of lengths) {
      const secret = text.slice(at, at + length);
      const mark = marks.get(secret);
      if (mark !== undefined) return [secret, mark];
    }
    return undefined;
  };
  return {
    add(secret, mark) {
      const head = secret.slice(0, HEAD);
      if (head.length < HEAD) return;
      const alike: Alike = byHead.get(head) ?? { marks: new Map(), lengths: [] };
      byHead.set(head, alike);
      alike.marks.set(secret, mark);
      if (!alike.lengths.includes(secret.length))
        alike.lengths = [...alike.lengths, secret.length].sort((a, b) => b - a);
    },
    replacedIn(text) {
      const pieces: string[] = [];
      let copied = 0;
      for (let at = 0; at + HEAD <= text.length; ) {
        const found = secretAt(text, at);
        if (found === undefined) at++;
        else {
          pieces.push(text.slice(copied, at), found[1]);
          at += found[0].length;
          copied = at;
        }
      }
      return copied === 0 ? text : pieces.join('') + text.slice(copied);
    },
  };
}

const NONE: Alike = { marks: new Map(), lengths: [] };
