/** The files that laws are tried on: fixtures, and the shared recordings where they are at hand. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = 'fixtures/formats';
const SHARED = '../shared/transcripts';
const READ = ['codex-rollout', 'gemini-contents', 'openai-responses', 'pi-session', 'sharegpt', 'claude-code', 'anthropic-messages', 'cline', 'tau-bench', 'tau2', 'openai-chat', 'openai-finetune', 'mini-swe-agent', 'swe-agent-traj', 'perf'];

/** One line of it is no JSON, on purpose: the console sessions read such files. */
const BROKEN = new Set(['claude-code/vibe-replay_edge-cases.jsonl']);

export interface Recording {
  readonly name: string;
  readonly bytes: Buffer;
  /** The format that its folder says. */
  readonly format?: string;
}

/** Each with its folder as format. */
export function fixtures(): Recording[] {
  return filesIn(FIXTURES, readdirSync(FIXTURES)).map((recording) => ({ ...recording, format: recording.name.split('/')[0]! }));
}

/** None where the shared folder is not there. */
export function sharedRecordings(): Recording[] {
  return existsSync(SHARED) ? filesIn(SHARED, READ).filter(({ name }) => !BROKEN.has(name)) : [];
}

function filesIn(root: string, folders: readonly string[]): Recording[] {
  return folders.flatMap((folder) => readdirSync(join(root, folder)).map((file) => ({ name: `${folder}/${file}`, bytes: readFileSync(join(root, folder, file)) })));
}

/** What the shared manifest counted in a file. */
export interface Counts {
  readonly transcripts: number;
  readonly messages: number;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly danglingCalls: number;
  readonly orphanResults: number;
}

export function sharedCounts(): ReadonlyMap<string, Counts> {
  if (!existsSync(SHARED)) return new Map();
  const entries = JSON.parse(readFileSync(join(SHARED, 'MANIFEST.json'), 'utf8')) as (Counts & { file: string })[];
  return new Map(entries.map((entry) => [entry.file, entry]));
}
