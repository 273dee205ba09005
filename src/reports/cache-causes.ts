/** Why prompt caches miss, in one set of words for the terminal and the page. */
import type { CacheCause } from '../measure/stats/cache-figures.js';

export const CAUSES: Readonly<Record<CacheCause, { readonly title: string; readonly advice?: string }>> = {
  first: { title: 'first request' },
  model: {
    title: 'model changed',
    advice: 'each model has a cache of its own. Change the model at the start of a session, not within it.',
  },
  tools: {
    title: 'tools changed',
    advice:
      'tools come first in the prompt. Define all of them at the start, always in the same order; tools that are ' +
      'searched for and loaded later change it, too.',
  },
  system: {
    title: 'system prompt changed',
    advice: 'keep what changes (times, file lists) out of the system prompt; put it into the last message.',
  },
  rewritten: {
    title: 'history rewritten',
    advice: 'compact rarely and cut much at once; `ctx-trim simulate` shows what a policy costs.',
  },
  idle: {
    title: 'idle too long',
    advice: 'the entry had expired. Where breaks are usual, write the cache for an hour or start a new session.',
  },
  user: {
    title: 'after a user turn',
    advice:
      'the entry had not expired, so the agent probably changed earlier messages when the turn began: reasoning that ' +
      'it removes, reminders that it moves, cache breakpoints that it does not keep. Compare the two requests.',
  },
  provider: {
    title: 'not kept by the provider',
    advice:
      'the prompt only grew, and the cache is automatic: it promises nothing. With OpenAI, one `prompt_cache_key` ' +
      'for each session helps.',
  },
  unexplained: { title: 'unexplained', advice: 'the recording does not show why.' },
};
