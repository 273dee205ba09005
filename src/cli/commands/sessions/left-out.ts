/** What `sessions` says that its figures are without. */
import { type SessionFigures, sessionName } from '../../../engine/sessions/figures.js';
import { type GroupFacts, groupBy } from '../../../measure/stats/groups.js';
import { plural, unstatedText } from '../../../text/words.js';
import { type LeftOut, leftOutText, type SessionFile } from '../../sessions/sessions.js';
import type { WholeSession } from '../../sessions/whole.js';

/** A reason for an unknown cost, for a line with all of them. */
interface Unpaid extends LeftOut {
  readonly brief: string;
}

const NAMED = 3;

/** One line for each of the first few, one for the rest, and one each for costs that are unknown or estimated. */
export function leftOutLines(
  leftOut: readonly LeftOut[],
  unpaid: readonly Unpaid[],
  estimated: readonly LeftOut[],
): string[] {
  const texts = [...new Set(leftOut.map(leftOutText))]; // a home folder is that of all agents
  const lines = texts.slice(0, NAMED);
  const more = texts.length - lines.length;
  if (more > 0) lines.push(`ctx-trim: warning: ${more} more are left out or warned of; --format json lists them`);
  const say = (what: string, some: readonly string[]) => {
    if (some.length > 0) lines.push(`ctx-trim: warning: ${what} ${some.join(', ')}; --format json names their files`);
  };
  say(
    'no cost is known of',
    unpaid.map(({ brief }) => brief),
  );
  const byAgent = [...groupBy(estimated, ({ agent }) => agent)];
  say(
    'usage is not recorded, so tokens are estimated, of',
    byAgent.map(([agent, own]) => `${plural(own.length, 'file')} of ${agent}`),
  );
  return lines;
}

/** By agent. `mute`: sessions whose cost nobody knows. */
export function withoutUsage(mute: readonly WholeSession[]): Unpaid[] {
  return [...groupBy(mute, ({ agent }) => agent)].map(([agent, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more of ${agent}`;
    return {
      agent,
      path: first!.main.path,
      sessions: 1 + others.length,
      why: `no usage of its own is recorded in it${more}, so no cost is known`,
      brief: `${plural(1 + others.length, 'session')} of ${agent} (no usage is recorded)`,
      isListed: true,
    };
  });
}

export interface ReadFile {
  readonly file: SessionFile;
  readonly figures: SessionFigures;
}

/** A file without a reply of a session that has usage in others. `paid`: the files with usage. */
export function withoutUsageIn({ file: { agent, path }, figures }: ReadFile, paid: ReadonlySet<string>): LeftOut[] {
  if (figures.messages === 0 || figures.estimates !== undefined || paid.has(path)) return [];
  return [{ agent, path, why: 'no usage is recorded in it, so its cost is unknown', isListed: true }];
}

/** `files`: those with transcripts whose usage is not recorded. */
export function estimatedFiles(files: readonly SessionFile[]): LeftOut[] {
  const why = 'no usage is recorded in it, or not of all agents, so its tokens are estimated';
  return files.map(({ agent, path }) => ({ agent, path, why, isListed: true }));
}

/** By model, the sessions with requests that have no price. */
export function withoutPrice(groups: readonly GroupFacts[], sessions: readonly WholeSession[]): Unpaid[] {
  const unpriced = groupBy(
    groups.filter(({ unpriced: count }) => count > 0),
    ({ model }) => model,
  );
  return [...unpriced].map(([model, own]) => {
    const names = new Set(own.map(({ names: [agent = '', id = ''] }) => sessionName(agent, id)));
    const first = sessions.find(({ agent, id }) => names.has(sessionName(agent, id)))!;
    const requests = own.reduce((sum, { unpriced: count }) => sum + count, 0);
    const reason = model === undefined ? 'no model is recorded' : `no price is known for ${model}`;
    const brief = `${plural(requests, 'request')} (${reason})`;
    const why = `${reason}, so ${plural(requests, 'request')} of ${plural(names.size, 'session')} have no cost`;
    return { agent: first.agent, path: first.main.path, sessions: names.size, why, brief, isListed: true };
  });
}

/** Replies that no figure has, by the file that they are in. */
export function withoutReplies(files: readonly SessionFile[], unstated: ReadonlyMap<string, number>): LeftOut[] {
  return files.flatMap(({ agent, path }) => {
    const replies = unstated.get(path);
    return replies === undefined ? [] : [{ agent, path, why: unstatedText(replies), isListed: true }];
  });
}

/** Sub-agents of which only the log of the session tells, and not what they used. */
export function withoutFile({ mute = [] }: SessionFigures, [main, ...parts]: readonly SessionFile[]): LeftOut[] {
  const lost = mute.filter((agent) => parts.every(({ id }) => id !== agent));
  if (lost.length === 0) return [];
  const why = `${plural(lost.length, 'sub-agent')} of it without a file (${lost.join(', ')}), so their cost is unknown`;
  return [{ agent: main!.agent, path: main!.path, why, isListed: true }];
}
