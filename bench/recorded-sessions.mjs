/** Long sessions of recordings: transcripts with so many answered calls, of each file the longest. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Made-up files, descriptions and archives. */
const SKIPPED = /^perf|\.md$|\.eval$|MANIFEST/;
export const LEAST_CALLS = 30;
const MOST_OF_A_FILE = 3;

/** `most`: longer ones are left out. Each as `{ file, transcript, calls }`, in the order of the files. */
export function sessionsIn(folder, { openText, pair }, most = Number.POSITIVE_INFINITY) {
  return filesIn(folder).flatMap((file) => {
    let transcripts = [];
    try {
      ({ transcripts } = openText(readFileSync(join(folder, file))));
    } catch {
      return []; // no transcript
    }
    const answered = ({ messages }) => pair(messages).calls.filter(({ results }) => results.length > 0).length;
    return transcripts
      .map((transcript) => ({ file, transcript, calls: answered(transcript) }))
      .filter(({ calls }) => calls >= LEAST_CALLS && calls <= most)
      .sort((a, b) => b.calls - a.calls)
      .slice(0, MOST_OF_A_FILE);
  });
}

function filesIn(folder, path = '') {
  return readdirSync(join(folder, path))
    .filter((name) => !SKIPPED.test(name))
    .sort()
    .flatMap((name) => {
      const file = join(path, name);
      return statSync(join(folder, file)).isDirectory() ? filesIn(folder, file) : [file];
    });
}
