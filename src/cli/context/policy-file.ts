/** Loads policy files (YAML or JSON) and built-in policies. */
import { isTranscriptError, pathText, TranscriptError } from '../../errors.js';
import type { Guard } from '../../options/option.js';
import { policies, policyNamed } from '../../policy/built-in.js';
import { type PolicyFile, parsePolicyFile } from '../../policy/file.js';
import { guardOf } from '../../policy/guard.js';
import type { Policy, Prompts } from '../../policy/types.js';
import { textFile } from '../files/text-file.js';
import type { Terminal } from '../terminal/terminal.js';

/** Loads a built-in policy or a policy file. Throws TranscriptError with line and path of an invalid value. */
export async function loadPolicy(name: string, terminal: Pick<Terminal, 'cwd'>): Promise<Policy> {
  return (await readPolicy(name, terminal)).policy;
}

/** The same with positions in the file. */
export async function readPolicy(name: string, { cwd }: Pick<Terminal, 'cwd'>): Promise<PolicyFile> {
  const builtIn = policyNamed(name);
  if (builtIn !== undefined) return { policy: builtIn, placeOf: (path) => `${name}: \`${pathText(path)}\`` };
  let text: string;
  try {
    text = textFile(name, cwd);
  } catch (error) {
    if (/[./\\]/.test(name) || !isTranscriptError(error) || error.code !== 'file') throw error;
    throw new TranscriptError(
      'usage',
      `unknown policy \`${name}\`; expected a file, or a built-in policy: ` +
        policies.map((policy) => policy.name).join(', '),
    );
  }
  return parsePolicyFile(text, name);
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
