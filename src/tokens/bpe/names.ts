/** The vocabularies that there are tables of. A table holds the place of its name in this list. */
import { type Encoding, PATTERNS } from './split.js';
import { VOCABULARIES, type Vocabulary } from './vocabularies.js';

export type TableName = Encoding | Vocabulary;

export const TABLE_NAMES = [...Object.keys(PATTERNS), ...Object.keys(VOCABULARIES)] as readonly TableName[];

/** Whether it is one of an open model, whose table is a package of its own. */
export function isVocabulary(name: TableName): name is Vocabulary {
  return Object.hasOwn(VOCABULARIES, name);
}
