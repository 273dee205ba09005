/** Secrets in recordings as findings. A finding names the kind and the place of a secret, never the secret. */
import type { Finding, RuleWords } from '../../findings.js';
import { JsonNode } from '../../json/node.js';
import type { Read } from '../../json/rows.js';
import { unitsIn } from '../../json/units.js';
import type { Problem } from '../../rules/rule.js';
import { withCopies } from '../../secrets/copies.js';
import { createFinder } from '../../secrets/find.js';
import type { FindSecrets, FoundSecret } from '../../secrets/found.js';
import { createKnownSecrets } from '../../secrets/known.js';
import type { Redactor } from '../../secrets/redact.js';
import { secretRules } from '../../secrets/rules/index.js';
import type { Opened } from '../../source/piece.js';
import type { Position } from '../../source/position.js';
import { globOf } from '../../text/glob.js';
import type { Transcript } from '../../transcript/types.js';
import { redactStream } from '../redact/redact-stream.js';

export interface SecretCheck {
  readonly words: readonly RuleWords[];
  problemsIn(transcript: Transcript, piece: Opened): readonly SecretProblem[];
  /** Searches a file as `redact` does: what no transcript of it holds, or what stands in several strings. */
  problemsAround(read: Read): readonly (SecretProblem & Position)[];
  /** The finding without the secrets in its ids and texts: a session may have the name of one. */
  cleaned(finding: Finding): Finding;
}

export type SecretProblem = Problem & { readonly rule: string };

/** `allow`: globs of texts that are no secrets. */
export function createSecretCheck(allow: readonly string[]): SecretCheck {
  const globs = allow.map(globOf);
  const isAllowed = (text: string) => globs.some((glob) => glob.test(text));
  const find = createFinder(secretRules, isAllowed);
  const findAround = withCopies(find, isAllowed);
  const searched = new WeakSet<Opened>();
  /** With the marks that stand for them in reports. */
  const known = createKnownSecrets();
  const inFile = new Set<string>();
  const remembered = (secret: FoundSecret) => {
    known.add(secret.text, `[secret:${secret.rule.id}]`);
    inFile.add(secret.text);
    return secret;
  };
  const clean = (text: string) => {
    find(Buffer.from(text)).forEach(remembered);
    return known.replacedIn(text);
  };

  return {
    words: secretRules.map(wordsOf),
    problemsIn({ messages }, piece) {
      const inMessages = messages.flatMap(({ raw }, message) => {
        if (!(raw instanceof JsonNode)) return [];
        return find(raw.source.bytes, raw.start, raw.end).map((secret) => ({ secret, message, within: raw }));
      });
      const own = new Set(inMessages.map(({ secret }) => remembered(secret).text));
      if (piece.record === undefined || searched.has(piece)) return inMessages.filter(isWhole).map(problemOf);
      searched.add(piece); // the fields around several transcripts are searched once
      const { record } = piece;
      const around = find(record.source.bytes, record.start, record.end)
        .filter((secret) => !own.has(remembered(secret).text))
        .map((secret) => ({ secret, message: undefined, within: record }));
      return [...inMessages, ...around].filter(isWhole).map(problemOf);
    },
    problemsAround(read) {
      const problems = placesIn(read, findAround).flatMap(({ secret, line, column }) => {
        if (inFile.has(secret.text)) return [];
        remembered(secret);
        return [
          { rule: FAMILY + secret.rule.id, message: undefined, node: undefined, text: textOf(secret), line, column },
        ];
      });
      inFile.clear();
      return problems;
    },
    cleaned: (finding) => ({
      ...finding,
      message: clean(finding.message),
      callId: finding.callId && clean(finding.callId),
      excerpt: finding.excerpt && clean(finding.excerpt),
      transcript: finding.transcript && {
        ...finding.transcript,
        id: finding.transcript.id && clean(finding.transcript.id),
      },
    }),
  };
}

/** Every secret of a file, with its place. */
function placesIn(read: Read, find: FindSecrets): (Position & { readonly secret: FoundSecret })[] {
  const places: (Position & { readonly secret: FoundSecret })[] = [];
  let line = 1;
  const redact: Redactor['redact'] = (_, bytes, start, end) => {
    const own = bytes.subarray(0, end);
    let at = start; // up to here, lines and columns are counted
    let column = 1;
    let next = own.indexOf(0x0a, at);
    for (const secret of find(bytes, start, end).filter(({ isRest }) => isRest !== true)) {
      for (; next >= 0 && next < secret.start; next = own.indexOf(0x0a, at)) {
        line++;
        [at, column] = [next + 1, 1];
      }
      column += unitsIn(own, at, secret.start);
      at = secret.start;
      places.push({ secret, line, column });
    }
    for (; next >= 0; next = own.indexOf(0x0a, next + 1)) line++;
    return 0;
  };
  redactStream(read, { redact }, { slice: () => {}, text: () => {} }, () => {});
  return places;
}

function isWhole({ secret }: Leak): boolean {
  return secret.isRest !== true;
}

const FAMILY = 'secret/';

/** What its name calls a secret is one: an error, as what its form shows. */
function wordsOf({ id, title }: (typeof secretRules)[number]): RuleWords {
  return { id: FAMILY + id, summary: title, severity: 'error' };
}

interface Leak {
  readonly secret: FoundSecret;
  readonly message: number | undefined;
  readonly within: JsonNode;
}

function problemOf({ secret, message, within }: Leak): SecretProblem {
  return { rule: FAMILY + secret.rule.id, message, node: valueAt(within, secret.start), text: textOf(secret) };
}

function textOf({ rule }: FoundSecret): string {
  return `${rule.title}; \`ctx-trim redact\` replaces it`;
}

/** The innermost value around an offset. */
function valueAt(node: JsonNode, offset: number): JsonNode {
  const children = node.isObject ? node.members().map(({ value }) => value) : node.items();
  const around = children.find((child) => child.start <= offset && offset < child.end);
  return around === undefined ? node : valueAt(around, offset);
}
