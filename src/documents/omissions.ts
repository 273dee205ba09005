/** What figures are without, in JSON. */
import { type LeftOutStore, NOTHING_OMITTED } from '../omissions.js';

/** The members of every JSON document that say what it is without. */
export function omissionsJson({ unread, badLines, unreadable = [], leftOut = [] } = NOTHING_OMITTED) {
  return {
    ...(unreadable.length === 0 ? {} : { unreadable: [...unreadable] }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOutJson(leftOut) }),
    unread: unread.map(({ file, line, format, rows, calls, results, texts }) => ({
      file,
      line,
      format,
      rows,
      calls,
      results,
      texts,
    })),
    bad_lines: badLines.map(({ file, line, bad, lines, reason }) => ({ file, line, bad, lines, reason })),
  };
}

export function leftOutJson(stores: readonly LeftOutStore[]) {
  return stores.map(({ agent, path, sessions, why }) => ({ agent, path, sessions: sessions ?? null, why }));
}
