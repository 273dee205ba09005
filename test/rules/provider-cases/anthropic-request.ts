import type { Expectations } from '../provider-cases.test.js';

export default {
  'a03-cache-five-over-system-tools': { rule: 'anthropic/cache-control-limit', fix: 'safe' },
  'a36-tool-name-pattern': { rule: 'anthropic/tool-name-pattern' },
} satisfies Expectations;
