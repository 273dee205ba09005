/**
 * A rollout of Codex under another id: in the folder of the day, its name with the time and the id, which stands in its
 * first line. As codex-rs names them: rollout/src/recorder.rs (2026-11-26).
 */
import { type JsonFields, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fork, isIn } from '../fork.js';
import { type Line, lineWith } from '../resume.js';

export default {
  agent: 'codex',
  idsByTime: true,
  lines(lines, kept, { id, time, project }) {
    const own = lines.filter(({ node }) => node?.isObject);
    const header = own.find((line) => isOf('session_meta', line));
    const context = own.findLast((line) => isOf('turn_context', line) && line.at < kept.first);
    const rest = own.filter(
      (line) => line !== header && (isIn(line, kept) || (line.at < kept.first && saysUsage(line))),
    );
    const all = [header, context, ...rest].filter((line) => line !== undefined);
    return all.map((line, ordinal) => {
      const node = line.node!;
      const payload = node.get('payload');
      const moved = project !== undefined && payload?.get('cwd') !== undefined ? { cwd: project } : {};
      const named = line === header ? namesOf(payload!, id, new Date(time).toISOString()) : {};
      const counted = node.get('ordinal') === undefined ? {} : { ordinal };
      const changes = payload?.isObject ? { payload: patch(payload, { ...named, ...moved }) } : {};
      return lineWith({ ...line, lineBreak: '\n' }, patch(node, { ...changes, ...counted }));
    });
  },
  /** By the files of Codex 0.171.0 (2026-11-26). */
  stays({ path }, lines) {
    const root = rootOf(path);
    const old = lines
      .find(({ node }) => node?.get('type')?.string === 'session_meta')
      ?.node?.get('payload')
      ?.get('id');
    if (root === undefined) return [];
    return [
      ['the name', `${root}session_index.jsonl`],
      ['goal and queued prompts, which are in databases', `${root}goals_1.sqlite`],
      ['generated images', `${root}generated_images/${old?.string}`],
    ];
  },
  place({ id, path, time }, home) {
    const at = new Date(time);
    const two = (number: number) => String(number).padStart(2, '0');
    const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())];
    const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two);
    const root = rootOf(path);
    const sessions = root === undefined ? home : `${root}sessions`;
    return `${sessions}/${day.join('/')}/rollout-${day.join('-')}T${clock.join('-')}-${id}.jsonl`;
  },
} satisfies Fork;

const rootOf = (path: string) => /^(.*[\\/])(?:archived_)?sessions[\\/]/.exec(path)?.[1];
const isOf = (type: string, { node }: Line) => node!.get('type')?.string === type;

/** The totals of a fork go on from these: without them, requests of the old session would count as its own. */
function saysUsage({ node }: Line): boolean {
  return node!.get('payload')?.get('type')?.string === 'token_count';
}

function namesOf(payload: JsonNode, id: string, timestamp: string): JsonFields {
  const session = payload.get('session_id') === undefined ? {} : { session_id: id };
  return { id, ...session, timestamp, forked_from_id: payload.get('id') };
}
