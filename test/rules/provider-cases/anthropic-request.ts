import type { Expectations } from '../../shared/expectations.js';

export default {
  'a03-cache-five-over-system-tools': { rule: 'anthropic/cache-control-limit', fix: 'safe' },
  'a05-cache-ttl-order-tools': { rule: 'anthropic/cache-ttl-order', fix: 'safe' },
  'a29-thinking-forced-tool': { rule: 'request/thinking-tool-choice', fix: 'lossy' },
  'a32-tool-names-unique': { rule: 'request/tool-name-duplicate', fix: 'safe' },
  'a34-tool-schema-2020': { rule: 'request/tool-schema', fix: 'lossy' },
  'a36-tool-name-pattern': { rule: 'anthropic/tool-name-pattern' },
  'a38-tool-choice-unknown': { rule: 'request/tool-choice', fix: 'lossy' },
  'a50-no-messages': { rule: 'request/messages-empty' },
  'a54-sampling-4-7': { rule: 'request/parameter-removed', fix: 'lossy' },
} satisfies Expectations;
