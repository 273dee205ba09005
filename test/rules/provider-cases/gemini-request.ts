import type { Expectations } from '../../shared/expectations.js';

export default {
  'g10-no-contents': { rule: 'request/messages-empty' },
  'g18-schema-addprops': { rule: 'request/tool-schema', fix: 'lossy' },
  'g20-fn-name': { rule: 'request/tool-name' },
  'g24-dup-decl': { rule: 'request/tool-name-duplicate', fix: 'safe' },
} satisfies Expectations;
