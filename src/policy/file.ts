/** The text of a policy file, YAML or JSON, as a policy. */
import { pathText, TranscriptError } from '../errors.js';
import { parseYaml } from '../text/yaml.js';
import { COMMON_WORDS } from './common-words.js';
import { compile, DATA, faultIn } from './compiled.js';
import { ruleTypes } from './rules/index.js';
import { policySchema } from './schema.js';
import type { Policy } from './types.js';

export interface PolicyFile {
  readonly policy: Policy;
  /** The position of a path, or of its nearest parent: `policy.yaml:5:11`. */
  placeOf(path: readonly PropertyKey[]): string;
}

/**
 * The policy in the text of a policy file, for `guard`, `decide`, `monitor` and `check`. `file`: its name in errors.
 * Rejects with TranscriptError with line and column of an invalid value.
 */
export async function parsePolicy(text: string, file = 'policy'): Promise<Policy> {
  return (await parsePolicyFile(text, file)).policy;
}

/** The same with the positions of its values. */
export async function parsePolicyFile(text: string, file: string): Promise<PolicyFile> {
  const { value, document, lines } = await parseYaml(text, file);
  const { isNode } = await import('yaml');
  const positionOf = (path: readonly PropertyKey[]) => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]);
    }
    return undefined;
  };
  const fail = (message: string, path: readonly PropertyKey[] = []): never => {
    const position = positionOf(path);
    if (position === undefined) throw new TranscriptError('config', message, { file, path: pathText(path) });
    throw new TranscriptError('config', path.length === 0 ? message : `\`${pathText(path)}\`: ${message}`, {
      file,
      path: pathText(path),
      line: position.line,
      column: position.col,
    });
  };
  const z = await import('../text/zod.js');
  const result = policySchema(z).safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const isOfType = issue.code === 'invalid_union' && issue.path.at(-1) === 'type';
    const found = document.hasIn(issue.path) ? 'unknown rule type' : 'the rule has no type';
    const types = ruleTypes.map(({ type }) => type).join(', ');
    return fail(isOfType ? `${found}; the types are ${types}` : issue.message, issue.path);
  }
  const policy = result.data;
  const twice = policy.rules.findIndex(({ id }, index) => policy.rules.findIndex((other) => other.id === id) < index);
  if (twice >= 0) fail(`an earlier rule has the same id, \`${policy.rules[twice]!.id}\``, ['rules', twice, 'id']);
  for (const [path, name] of listsNamed(policy))
    if (!Object.hasOwn({ ...COMMON_WORDS, ...policy.words }, name))
      fail(
        `unknown word list \`${name}\`; \`words\` has ${Object.keys(policy.words ?? {}).join(', ') || 'none'}`,
        path,
      );
  const fault = faultIn(policy);
  if (fault !== undefined) fail(fault.message, fault.path);
  compile(policy);
  return {
    policy,
    placeOf(path) {
      const position = positionOf(path);
      return `${file}${position === undefined ? '' : `:${position.line}:${position.col}`}: \`${pathText(path)}\``;
    },
  };
}

/** All references to word lists in a policy, with their paths. */
function listsNamed(policy: Policy): [path: PropertyKey[], name: string][] {
  const found: [PropertyKey[], string][] = [];
  const walk = (value: unknown, path: readonly PropertyKey[]) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (DATA.includes(key)) continue;
      const isList =
        ['matches', 'not_matches', 'explicit', 'for', 'against', 'words', 'verbs'].includes(key) &&
        Array.isArray(inner);
      if (isList) (inner as string[]).forEach((name, index) => void found.push([[...path, key, index], name]));
      else walk(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    }
  };
  walk(policy.aliases, ['aliases']);
  walk(policy.rules, ['rules']);
  walk(policy.intents, ['intents']);
  return found;
}
