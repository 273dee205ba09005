/** Loads policy files (YAML or JSON) and built-in policies. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathText, TranscriptError } from '../../errors.js';
import { unreadable } from '../../io/input.js';
import type { Terminal } from '../../io/terminal.js';
import type { Guard } from '../../options/option.js';
import { policies, policyNamed } from '../../policy/built-in.js';
import { COMMON_WORDS } from '../../policy/common-words.js';
import { compile, DATA, faultIn } from '../../policy/compiled.js';
import { guardOf } from '../../policy/guard.js';
import { ruleTypes } from '../../policy/rules/index.js';
import { policySchema } from '../../policy/schema.js';
import type { Policy, Prompts } from '../../policy/types.js';
import { parseYaml } from './yaml.js';

/** Loads a built-in policy or a policy file. Throws TranscriptError with line and path of an invalid value. */
export async function loadPolicy(name: string, terminal: Pick<Terminal, 'cwd'>): Promise<Policy> {
  return (await readPolicy(name, terminal)).policy;
}

export interface PolicyFile {
  readonly policy: Policy;
  /** The position of a path, or of its nearest parent: `policy.yaml:5:11`. */
  placeOf(path: readonly PropertyKey[]): string;
}

/** The same with positions in the file. */
export async function readPolicy(name: string, { cwd }: Pick<Terminal, 'cwd'>): Promise<PolicyFile> {
  const builtIn = policyNamed(name);
  if (builtIn !== undefined) return { policy: builtIn, placeOf: (path) => `${name}: \`${pathText(path)}\`` };
  let text: string;
  try {
    text = readFileSync(resolve(cwd, name), 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    if (/[./\\]/.test(name)) throw unreadable(name, error);
    throw new TranscriptError(
      'usage',
      `unknown policy \`${name}\`; expected a file, or a built-in policy: ${policies.map((policy) => policy.name).join(', ')}`,
    );
  }
  return policyIn(text, name);
}

/** The texts that a policy adds to a prompt. */
export async function promptsOf(name: string, cwd: string): Promise<Prompts> {
  const { prompt } = await loadPolicy(name, { cwd });
  if (prompt === undefined) throw new TranscriptError('config', 'the policy has no `prompt`', { file: name });
  return prompt;
}

/** The guard of a policy, which answers denied calls. */
export async function guardIn(name: string, cwd: string): Promise<Guard> {
  return guardOf(await loadPolicy(name, { cwd }));
}

export async function parsePolicy(text: string, file: string): Promise<Policy> {
  return (await policyIn(text, file)).policy;
}

async function policyIn(text: string, file: string): Promise<PolicyFile> {
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
  const z = await import('zod');
  const result = policySchema(z).safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const isOfType = issue.code === 'invalid_union' && issue.path.at(-1) === 'type';
    return fail(
      isOfType ? `unknown rule type; the types are ${ruleTypes.map(({ type }) => type).join(', ')}` : issue.message,
      issue.path,
    );
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
