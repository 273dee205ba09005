/** What a session that is asked for alone repeats of earlier ones: there it counts, in `sessions` and `@all`. */
import { dayFunction } from '../../../engine/period.js';
import { createStats, groupingBy } from '../../../engine/stats/stats.js';
import { isTranscriptError } from '../../../errors.js';
import { type StoredFile, storedFile } from '../../../formats/agents.js';
import { createCopies } from '../../../measure/stats/copies.js';
import { sessionKey } from '../../../measure/stats/group-keys.js';
import { safe, shown } from '../../../safe/text.js';
import { USD } from '../../../text/money.js';
import { costText, plural } from '../../../text/words.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { headOf } from '../../sessions/ends.js';
import { findSessionFiles, type SessionFile } from '../../sessions/sessions.js';
import { wholeSessions } from '../../sessions/whole.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import { recordedTaker, takeFile } from './recorded.js';

/** For the files of one stored session. */
export async function sayCopied(paths: readonly string[], terminal: Terminal, config: Config): Promise<void> {
  const own = paths.map(storedFile);
  const [first] = own;
  if (first === undefined || own.some((file) => file?.session !== first.session)) return;
  const earlier = earlierThan(first, paths[0]!, terminal);
  if (earlier.length === 0) return;
  const copies = createCopies();
  const context = await loadContext(
    { tokenizer: 'exact', prices: [], batch: undefined },
    { priced: true },
    config,
    terminal,
  );
  const stats = createStats({
    ...RECORDED,
    context,
    grouping: groupingBy(['session'], dayFunction(undefined)),
    copies,
  });
  const quiet = { ...terminal, stderr: { ...terminal.stderr, write: () => {} } };
  const taker = recordedTaker(stats, READING, quiet, collectOmissions());
  for (const path of [...earlier.map((file) => file.path), ...paths])
    try {
      await takeFile(taker, path, quiet);
    } catch (error) {
      if (!isTranscriptError(error)) throw error; // whoever reads it says so
    }
  taker.close();
  const copied = copies.of(sessionKey({ file: paths[0]!, line: 1 }));
  if (copied === undefined) return;
  const from = [...copied.from].map((key) => `@${key.slice(key.indexOf(' ') + 1)}`).join(', ');
  const what = safe`${plural(copied.requests, 'request')} (${costText(copied.cost, 'exact', USD)})`;
  terminal.stderr.write(
    safe`ctx-trim: ${what} of it repeat those of ${shown(from)}, where sessions and @all count them\n`,
  );
}

const RECORDED = {
  ...{ recorded: true, calibrates: false, carries: false, keepsMessages: false },
  ...{ within: undefined, settled: undefined },
} as const;
const READING = {
  ...{ from: undefined, messages: undefined, skipBadLines: undefined, maxUnpacked: undefined, config: undefined },
  ...{ plugin: [], verbose: undefined, noCache: undefined },
} as const;

/** The files of earlier sessions of the same project that it names, or that begin as it does. */
function earlierThan(own: StoredFile, path: string, terminal: Terminal): readonly SessionFile[] {
  const files = findSessionFiles(terminal.env, own.agent).filter(({ folder }) => folder === own.folder);
  const sessions = wholeSessions(files, timeOf(terminal).getTime());
  const head = headOf(path);
  const [start] = TIME.exec(head) ?? [];
  const mayBeStart = ({ id, main }: (typeof sessions)[number]) =>
    head.includes(id) || (start !== undefined && TIME.exec(headOf(main.path))?.[0] === start);
  const at = sessions.findIndex(({ id }) => id === own.session);
  return at < 0
    ? []
    : sessions
        .slice(at + 1)
        .filter(mayBeStart)
        .reverse()
        .flatMap((session) => session.files);
}

const TIME = /"timestamp"\s*:\s*"[^"]+"/;
