/** The files that laws are tried on: fixtures, and the shared recordings where they are at hand. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it, TestRunner } from 'vitest';
import { once } from '../../src/once.js';
import { ALL } from './effort.js';

const FIXTURES = 'fixtures/formats';
const SHARED = '../shared/transcripts';
/** No JSON: Markdown. */
const UNREADABLE = new Set(['aider']);

/** While a format is written: `RECORDINGS=claude npx vitest run test/laws` tries those alone whose path holds this. */
const ONLY = process.env['RECORDINGS'] ?? '';

/** One line of it is no JSON, on purpose: the console sessions read such files. The other holds a number. */
const BROKEN = new Set(['claude-code/vibe-replay_edge-cases.jsonl', 'opencode/agent-sessions_storage/migration']);

export interface Recording {
  readonly name: string;
  readonly bytes: Buffer;
  /** The format that its folder says. */
  readonly format?: string;
}

/** Each with its folder as format. */
export function fixtures(): Recording[] {
  return filesIn(FIXTURES, readdirSync(FIXTURES), (folder) => ({ format: folder }));
}

/** None where the shared folder is missing: then the file that asks for them has a skipped test, which says so. */
export function sharedRecordings(): Recording[] {
  if (TestRunner.getCurrentTest() !== undefined)
    throw new Error('ask for shared recordings outside of tests: one may be skipped');
  if (existsSync(SHARED)) return filesIn(SHARED, sharedFolders()).filter(({ name }) => !BROKEN.has(name));
  it.skip(`all recordings of ${SHARED}: the folder is missing`);
  return [];
}

/**
 * A sample of the recordings, another one for each test: `reading.test.ts` tries all of them. All with LAWS=all, and
 * while a format is written. Of each folder of fixtures there are at least so many, where it has them.
 */
export function sampled(recordings: readonly Recording[], test: string, least = 2): readonly Recording[] {
  if (ALL || ONLY !== '') return recordings;
  const folders = [...new Set(recordings.map(folderOf))];
  const chosen = new Set(folders.flatMap((folder) => sampleOf(recordings.filter(isIn(folder)), test, least)));
  return recordings.filter((recording) => chosen.has(recording));
}

const folderOf = ({ format }: Recording) => format ?? SHARED;
const isIn = (folder: string) => (recording: Recording) => folderOf(recording) === folder;

/** The smallest fixture, and others by chance, a fifth of many. Of what is shared, which is large, a ninth. */
function sampleOf(all: readonly Recording[], test: string, least: number): readonly Recording[] {
  const rankOf = ({ name }: Recording) => createHash('sha1').update(`${test} ${name}`).digest('hex');
  const byRank = all.toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1));
  if (folderOf(all[0]!) === SHARED) return byRank.slice(0, Math.ceil(all.length / 9));
  const smallest = all.reduce((least, next) => (next.bytes.length < least.bytes.length ? next : least));
  return [smallest, ...byRank.filter((one) => one !== smallest)].slice(0, Math.max(least, Math.ceil(all.length / 5)));
}

function sharedFolders(): string[] {
  return readdirSync(SHARED, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() && !UNREADABLE.has(entry.name) ? [entry.name] : [],
  );
}

function filesIn(
  root: string,
  folders: readonly string[],
  more: (folder: string) => Pick<Recording, 'format'> = () => ({}),
): Recording[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => `${folder}/${file}`.includes(ONLY))
      .filter((file) => statSync(join(root, folder, file)).isFile() && !/\.(eval|yaml)$/.test(file))
      .map((file) => {
        const readBytes = once(() => readFileSync(join(root, folder, file))); // of many, a test takes a sample
        return {
          ...more(folder),
          name: `${folder}/${file}`,
          get bytes() {
            return readBytes();
          },
        };
      }),
  );
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
