import { defineAgent, idOfFirst } from '../agent.js';

export default defineAgent({
  id: 'codex',
  title: 'Codex CLI',
  resume: 'codex resume',
  formats: ['codex-rollout'],
  stores: [
    {
      folders: ['~/.codex/sessions', '~/.codex/archived_sessions'],
      movedBy: ['CODEX_HOME'],
      below: ['sessions', 'archived_sessions'],
      // packed once idle: https://github.com/openai/codex/blob/main/codex-rs/rollout/src/compression.rs (2026-11-24)
      files: /(?:^|\/)rollout-[^/]*\.jsonl(?:\.zst)?$/,
      isByTime: true,
      id: /rollout-(?:[\dT-]{19}-)?([^/]+?)\.jsonl(?:\.zst)?$/,
      idInside: idOfFirst('session_meta'),
    },
  ],
});
