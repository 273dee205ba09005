/** Secrets in recordings as findings. A finding names the kind and the place of a secret, never the secret. */
import type { RuleWords } from '../../findings.js';
import { JsonNode } from '../../json/node.js';
import type { Problem } from '../../rules/rule.js';
import { createFinder, type FoundSecret } from '../../secrets/find.js';
import { secretRules } from '../../secrets/rules/index.js';
import type { Opened } from '../../source/piece.js';
import { globOf } from '../../text/glob.js';
import type { Transcript } from '../../transcript/types.js';

export interface SecretCheck {
  readonly words: readonly RuleWords[];
  problemsIn(transcript: Transcript, piece: Opened): readonly (Problem & { readonly rule: string })[];
}

/** `allow`: globs of texts that are no secrets. */
export function createSecretCheck(allow: readonly string[]): SecretCheck {
  const globs = allow.map(globOf);
  const find = createFinder(secretRules, (text) => globs.some((glob) => glob.test(text)));
  const searched = new WeakSet<Opened>();

  const problemsIn: SecretCheck['problemsIn'] = ({ messages }, piece) => {
    const inMessages = messages.flatMap(({ raw }, message) => {
      if (!(raw instanceof JsonNode)) return [];
      return find(raw.source.bytes, raw.start, raw.end).map((secret) => ({ secret, message, within: raw }));
    });
    if (piece.record === undefined || searched.has(piece)) return inMessages.map(problemOf);
    searched.add(piece); // the fields around several transcripts are searched once
    const known = new Set(inMessages.map(({ secret }) => secret.text));
    const { record } = piece;
    const around = find(record.source.bytes, record.start, record.end)
      .filter(({ text }) => !known.has(text))
      .map((secret) => ({ secret, message: undefined, within: record }));
    return [...inMessages, ...around].map(problemOf);
  };
  return { words: secretRules.map(wordsOf), problemsIn };
}

const FAMILY = 'secret/';

function wordsOf({ id, title, tier }: (typeof secretRules)[number]): RuleWords {
  return { id: FAMILY + id, summary: title, severity: tier === 'definite' ? 'error' : 'warning' };
}

interface Leak {
  readonly secret: FoundSecret;
  readonly message: number | undefined;
  readonly within: JsonNode;
}

function problemOf({ secret: { rule, start }, message, within }: Leak): Problem & { readonly rule: string } {
  const text = `${rule.title}; \`ctx-trim redact\` replaces it`;
  return { rule: FAMILY + rule.id, message, node: valueAt(within, start), text };
}

/** The innermost value around an offset. */
function valueAt(node: JsonNode, offset: number): JsonNode {
  const children = node.isObject ? node.members().map(({ value }) => value) : node.items();
  const around = children.find((child) => child.start <= offset && offset < child.end);
  return around === undefined ? node : valueAt(around, offset);
}
