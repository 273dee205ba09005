/** Word lists that every policy has, unless it defines a list of the same name. */
import { ERROR_PATTERNS } from '../text/error-text.js';
import type { WordList } from './types.js';

/** Keys and passwords by their published prefixes. */
const SECRETS: WordList = {
  regex: [
    '-----begin (?:[a-z]+ )*private key-----',
    '\\bakia[0-9a-z]{16}\\b', // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
    '\\bgh[pousr]_[0-9a-z]{36}', // https://docs.github.com/authentication, token prefixes
    '\\bgithub_pat_[0-9a-z_]{22,}',
    '\\bsk-(?:ant-|proj-)?[0-9a-z_-]{20,}',
    '\\bxox[abprs]-[0-9a-z-]{10,}',
    '\\baiza[0-9a-z_-]{35}',
  ],
};

export const COMMON_WORDS: Readonly<Record<'errors' | 'secrets', WordList>> = {
  errors: { regex: ERROR_PATTERNS },
  secrets: SECRETS,
};
