/** All rules. Where two match at one place, the longer match counts; of equal ones the earlier rule. */
import { register } from '../../registries.js';
import type { SecretRule } from '../rule.js';
import { secretsBefore } from './beside.js';
import { cloudKeys } from './clouds.js';
import { codeTokens } from './code.js';
import { generalSecrets } from './general.js';
import { modelKeys } from './models.js';
import { namedSecrets } from './named.js';
import { otherKeys } from './others.js';
import { serviceKeys } from './services.js';

const all: SecretRule[] = [
  ...modelKeys,
  ...codeTokens,
  ...cloudKeys,
  ...serviceKeys,
  ...otherKeys,
  ...generalSecrets,
  ...namedSecrets,
  ...secretsBefore,
];

/** All rules; those of plugins first. */
export const secretRules: readonly SecretRule[] = all;

/** Adds kinds of secrets of plugins until what is returned is called. Throws TranscriptError where an id is taken. */
export function addSecrets(added: readonly SecretRule[] = []): () => void {
  return register(all, added, 'secret');
}
