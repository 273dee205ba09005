/**
 * Why an agent loads less of a session than the file holds. These faults are found in the lines of the file
 * (formats/resume.ts), not in messages; here is what is said of them.
 */
import type { Fix, Rule } from './rule.js';

/** What is said of any rule. */
export type ListedRule = Omit<Rule, 'check' | 'fix'> & { readonly fix?: Pick<Fix, 'safety' | 'summary'> };

export type ResumeRule = ListedRule & Required<Pick<ListedRule, 'fix'>>;

export const RESUME = 'resume/';

const LINKED = ['claude-code', 'pi', 'qwen-code'];
const ALL = ['claude-code', 'codex', 'pi', 'opencode', 'gemini-cli', 'qwen-code'];
const LINES = ['claude-code', 'codex', 'pi', 'gemini-cli', 'qwen-code'];

const RULES: readonly (Omit<ResumeRule, 'severity'> & Partial<Pick<ResumeRule, 'severity'>>)[] = [
  {
    id: 'resume/line-torn',
    summary: 'a line that a broken write left behind',
    providers: ALL,
    error: "JSON Parse error: Expected ':' before value in object property definition",
    cause: 'The agent was killed while it wrote, the disk was full, or two processes wrote into one session.',
    fix: { safety: 'safe', summary: 'Cut what is torn into a file beside, and close what is whole before it.' },
    reported: [
      ...['anthropics/claude-code#81843', 'anthropics/claude-code#52387', 'anthropics/claude-code#49876'],
      ...['google-gemini/gemini-cli#18593', 'anomalyco/opencode#7607'],
    ],
  },
  {
    id: 'resume/parent-missing',
    summary: 'a record whose parent is not in the file',
    providers: LINKED,
    error: 'Conversation history missing on resume (except last message)',
    cause: 'The agent never wrote the parent, or the record was lost. It loads nothing that is before it.',
    fix: { safety: 'safe', summary: 'Link it to the record before it, or to the call that it answers.' },
    reported: [
      ...['anthropics/claude-code#22526', 'anthropics/claude-code#24304', 'anthropics/claude-code#58554'],
      'QwenLM/qwen-code#6501',
    ],
  },
  {
    id: 'resume/parent-cycle',
    summary: 'records that are each other’s ancestors',
    providers: LINKED,
    error: 'Infinite CPU loop on --resume',
    cause: 'A record names a later one as its parent.',
    fix: { safety: 'safe', summary: 'Link it to the record before it.' },
    reported: ['anthropics/claude-code#22245', 'anthropics/claude-code#23590'],
  },
  {
    id: 'resume/id-twice',
    summary: 'two records with the same id',
    providers: LINKED,
    error: 'Infinite CPU loop on startup when session .jsonl contains duplicate UUIDs',
    cause: 'A plugin or the agent itself used an id again. The later record takes the place of the earlier.',
    fix: { safety: 'safe', summary: 'Give one of them the id that the next record names, or a new one.' },
    reported: ['anthropics/claude-code#22245', 'anthropics/claude-code#40487'],
  },
  {
    id: 'resume/record-twice',
    summary: 'a record that is written twice',
    providers: LINES,
    error: 'Codex session rollout files duplicate full historical context on resume',
    cause: 'The agent copied its history into the session when it resumed it.',
    fix: { safety: 'safe', summary: 'Leave out the copies.' },
    reported: ['openai/codex#29531'],
  },
  {
    id: 'resume/result-off-way',
    summary: 'a result that is not loaded with its call',
    providers: ['claude-code'],
    error: 'parallel results are gone after --resume',
    cause: 'Of parallel calls, each result is a branch of its own, and only one is on the way to the root.',
    fix: { safety: 'safe', summary: 'Link it behind its call, and what follows behind it.' },
    reported: ['anthropics/claude-code#31330'],
  },
  {
    id: 'resume/compaction-nowhere',
    summary: 'a compaction that goes on from messages that are not there',
    providers: ['claude-code', 'codex', 'pi', 'opencode'],
    error: 'resume shows stale messages: broken parentUuid chain after context compaction',
    cause: 'What the compaction kept was lost or never written, so the agent goes on without it.',
    fix: { safety: 'safe', summary: 'Point it to what is there; without a summary, take it out into a file beside.' },
    reported: ['anthropics/claude-code#46603'],
  },
  {
    id: 'resume/history-replaced',
    summary: 'a record that takes all messages before it away',
    providers: ['gemini-cli'],
    error: 'No previous sessions found for this project.',
    cause: 'When a client loads a chat, the agent writes the history of a new one into its file.',
    fix: { safety: 'safe', summary: 'Take what it replaces the history with out, into a file beside.' },
    reported: ['managoat/fountain#658', 'google-gemini/gemini-cli#29198', 'google-gemini/gemini-cli#27368'],
  },
  {
    id: 'resume/header-missing',
    summary: 'no line says which session this is',
    providers: ['codex', 'pi', 'gemini-cli'],
    error: 'failed to parse thread ID from rollout file',
    cause: 'The first line was lost, or another program wrote the file.',
    fix: { safety: 'synthetic', summary: 'Add one, with the id in the name of the file.' },
    reported: ['openai/codex#24425', 'catatafishen/agentbridge#40'],
  },
  {
    id: 'resume/value-refused',
    summary: 'a value that the types of the agent refuse, and the session with it',
    providers: ['goose'],
    error: 'unknown variant `conversationCompacted`, expected one of `text`, `image`, `toolRequest`, `toolResponse`',
    cause: 'Another version of the agent wrote the session, or a program that leaves out what the agent demands.',
    fix: { safety: 'lossy', summary: 'Add what is missing, and leave out notices to the user that it does not know.' },
    reported: ['aaif-goose/goose#5804'],
  },
  {
    id: 'resume/media-repeated',
    summary: 'images and files that the session holds again and again',
    severity: 'warning',
    providers: ['claude-code', 'codex'],
    error: 'Runaway inline image duplication during context compaction creates 20+ GB rollout files',
    cause: 'Each compaction, each message that shows a file again, and the record of the tool hold it once more.',
    fix: { safety: 'lossy', summary: 'Replace repetitions with a text. What the agent loads holds each image once.' },
    reported: ['openai/codex#37346', 'openai/codex#33735', 'openai/codex#34863', 'anthropics/claude-code#67080'],
  },
];

export const RESUME_RULES: readonly ResumeRule[] = RULES.map((rule) => ({ severity: 'error', ...rule }));
