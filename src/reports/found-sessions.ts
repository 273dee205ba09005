/** `sessions --grep`: sessions with the lines that match. */
import type { ListedSession } from '../engine/sessions/figures.js';
import type { Match } from '../engine/show/selection.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { fitted, plural } from '../text/words.js';
import type { Style } from './report.js';

/** So many lines of a session are shown. */
const MOST = 3;

export function foundSessions(
  sessions: readonly ListedSession[],
  matchesOf: (session: ListedSession) => readonly Match[],
  { style, width }: { readonly style: Style; readonly width: number },
): SafeText {
  return joined(
    sessions.map((session) => foundSession(session, matchesOf(session), style, width)),
    '\n',
  );
}

function foundSession(session: ListedSession, matches: readonly Match[], style: Style, width: number): SafeText {
  const { agent, id, last, figures, resume } = session;
  const when = new Date(last).toISOString().slice(0, 16).replace('T', ' ');
  const more = matches.length - MOST;
  const name = shown(`${agent} ${id.slice(0, 8)}`);
  const title = fitted(figures.title ?? '', Math.max(20, width - name.length - when.length - 4));
  const lines = [
    safe`${style.name(name)}  ${style.dim(shown(when))}  ${title}`,
    ...matches.slice(0, MOST).map(({ index, agent: part, text }) => {
      const address = part === undefined ? `#${index}` : `${part}#${index}`;
      return safe`  ${style.dim(shown(address.padEnd(5)))} ${fitted(text, Math.max(20, width - Math.max(5, address.length) - 3))}`;
    }),
    ...(more > 0 ? [style.dim(safe`  and ${shown(plural(more, 'message'))} more`)] : []),
    ...(resume === undefined ? [] : [safe`  go on: ${shown(resume)}`]),
  ];
  return safe`${joined(lines, '\n')}\n`;
}
