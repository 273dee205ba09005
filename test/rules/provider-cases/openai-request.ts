import type { Expectations } from '../../shared/expectations.js';

export default {
  'd06-tools-128': { rule: 'request/tools-too-many' },
  'o18-schema-no-addprops': { rule: 'request/output-schema', fix: 'lossy' },
  'o20-schema-array-items': { rule: 'request/tool-schema', fix: 'lossy' },
  'o22-schema-anyof-top': { rule: 'request/tool-schema', fix: 'lossy' },
  'o24-tools-empty': { rule: 'request/tools-empty', fix: 'safe' },
  'o26-max-tokens': { rule: 'request/parameter-moved', fix: 'safe' },
  'o33-messages-empty': { rule: 'request/messages-empty' },
  'o35-dup-tool-names': { rule: 'request/tool-name-duplicate', fix: 'safe' },
  'r13-unknown-param': { rule: 'responses/schema', fix: 'lossy' },
  'r23-name-pattern': { rule: 'chat/function-name-pattern', fix: 'synthetic' },
  'y01-azure-name': { rule: 'chat/function-name-pattern', fix: 'synthetic' },
} satisfies Expectations;
