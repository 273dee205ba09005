/** Agents that keep the folder of a session in a file beside it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const CLI = '.cline/data/sessions/17_xf';
const ROO = '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/18';
const session = readFileSync('fixtures/formats/anthropic-messages/hand-cline-cli.json', 'utf8');

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-project-beside-'));
  const files = {
    [`${CLI}/17_xf.messages.json`]: session,
    [`${CLI}/agent_1.messages.json`]: session,
    [`${CLI}/17_xf.json`]: JSON.stringify({ version: 1, cwd: '/home/u/app' }),
    [`${ROO}/api_conversation_history.json`]: readFileSync('fixtures/formats/anthropic-messages/cline-compaction.json'),
    [`${ROO}/history_item.json`]: JSON.stringify({ id: '18', workspace: '/home/u/site' }),
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
});
afterAll(() => rmSync(home, { recursive: true }));

async function runs(...words: readonly string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: home, env: { HOME: home, CTX_TRIM_CACHE: 'off' } });
  await runIn(terminal, words);
  return { out: out(), err: err() };
}

it.each([
  ['cline', '/home/u/app'],
  ['roo-code', '/home/u/site'],
])('%s', async (agent, project) => {
  const { sessions } = JSON.parse((await runs('sessions', agent, '--format=json')).out);
  expect(sessions.map((one: { project: string }) => one.project)).toEqual([project]);
  expect((await runs('sessions', agent, '--project', project.slice(-3))).out).toContain(project);
  expect((await runs('stats', '--by=project', '--format=csv', `@${agent}`)).out).toContain(project);
});

it('says which file cannot be read', async () => {
  writeFileSync(join(home, CLI, '17_xf.json'), '{');
  const { out, err } = await runs('stats', '--by=project', '--format=csv', `${CLI}/17_xf.messages.json`);
  expect(err).toMatch(/warning: \S*17_xf\.json is left out: /);
  expect(out).not.toContain('/home/u/app');
});
