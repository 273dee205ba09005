/**
 * A session of pi under another id: in the folder of its project, its name with the time and the id, which stands in
 * its first line beside the path of the old session. As @mariozechner/pi-coding-agent 0.73.1 names them (2026-11-26).
 */
import { type JsonFields, patch } from '../../json/edit.js';
import { type Fork, isIn, settingsBefore } from '../fork.js';
import { lineWith } from '../resume.js';

const SETTINGS = ['model_change', 'thinking_level_change', 'session_info'];

export default {
  agent: 'pi',
  idsByTime: true,
  lines(lines, kept, { id, time, path, project }) {
    const own = lines.filter(({ node }) => node?.isObject);
    const header = own.find(({ node }) => node!.get('type')?.string === 'session');
    const settings = settingsBefore(own, kept, SETTINGS);
    const rest = own.filter((line) => settings.includes(line) || (isIn(line, kept) && line !== header));
    const ids = new Set(rest.map(({ node }) => node!.get('id')?.string));
    const gone = Math.max(0, own.filter((line) => line.at < kept.first).length - settings.length - 1);
    const above = new Map(settings.map((line, at) => [line, settings[at - 1]]));
    const moved = project === undefined ? {} : { cwd: project };
    const first: JsonFields = { id, timestamp: new Date(time).toISOString(), ...moved, parentSession: path };
    const stays = rest.filter(({ node }) => !node!.get('targetId')?.isString || ids.has(node!.get('targetId')!.string));
    return [...(header === undefined ? [] : [header]), ...stays].map((line) => {
      const node = line.node!;
      if (line === header) return lineWith({ ...line, lineBreak: '\n' }, patch(node, first));
      const parent = node.get('parentId')?.string;
      const index = node.get('firstKeptEntryIndex')?.number;
      const isLoose = above.has(line) || (parent !== undefined && !ids.has(parent));
      const before = above.has(line) ? above.get(line) : settings.at(-1);
      const fields: JsonFields = {
        ...(isLoose ? { parentId: before?.node?.get('id') ?? null } : {}),
        ...(index === undefined ? {} : { firstKeptEntryIndex: Math.max(1, index - gone) }),
      };
      return lineWith({ ...line, lineBreak: '\n' }, patch(node, fields));
    });
  },
  place({ id, path, time, project }, home, cwd) {
    const own = /^(.*[\\/]sessions[\\/])(--[^\\/]+--)[\\/][^\\/]+$/.exec(path);
    const folder = `--${(project ?? cwd).replace(/^[\\/]/, '').replace(/[\\/:]/g, '-')}--`;
    const name = `${new Date(time).toISOString().replace(/[:.]/g, '-')}_${id}.jsonl`;
    return `${own?.[1] ?? `${home}/`}${project === undefined ? (own?.[2] ?? folder) : folder}/${name}`;
  },
} satisfies Fork;
