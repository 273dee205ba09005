/** Secrets that no single provider defines: private keys and signed tokens. */
import { defineRules } from '../rule.js';

export const generalSecrets = defineRules([
  {
    id: 'private-key',
    title: 'Private key',
    anchors: [], // found by its head: see private-key.ts
    pattern: /$/y,
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
  },
  {
    id: 'age-key',
    title: 'age secret key',
    anchors: ['AGE-SECRET-KEY-1'],
    pattern: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}(?!\w)/y,
    source: 'https://github.com/FiloSottile/age',
  },
  {
    id: 'jwt',
    title: 'JSON Web Token',
    anchors: ['eyJ'],
    pattern: /eyJ[\w-]{12,2000}\.eyJ[\w-]{12,4000}\.[\w-]{20,1000}/y,
    longest: 8000,
    source: 'https://www.rfc-editor.org/rfc/rfc7519',
  },
]);
