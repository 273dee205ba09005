/** Price files of users that say what is not read, or say it twice; and a found config that is no UTF-8. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const cwd = mkdtempSync(join(tmpdir(), 'ctx-trim-price-files-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const messages = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
];
writeFileSync(join(cwd, 'a.json'), JSON.stringify({ model: 'gpt-4o', messages }));

async function stats(list: string) {
  writeFileSync(join(cwd, 'p.json'), list);
  const { terminal, err } = memoryTerminal({ cwd });
  return { code: await runIn(terminal, ['stats', '--prices', 'p.json', 'a.json']), err: err() };
}

const row = (price: number, more: object = {}) =>
  JSON.stringify({ input_cost_per_token: price, output_cost_per_token: price, ...more });

it('says that a model stands twice', async () => {
  const { code, err } = await stats(`{"gpt-4o": ${row(1e-6)},\n "gpt-4o": ${row(2e-6)}}`);
  expect(code).toBe(0);
  expect(err).toContain('warning: p.json:2:2: `gpt-4o` stands twice in one object: the last one is taken\n');
  const thrice = `{"x": ${row(1e-6)}, "x": ${row(1e-6)}, "x": ${row(1e-6)}}`;
  expect((await stats(thrice)).err).toContain('`x` stands twice in one object (and 1 more): the last one is taken\n');
  expect((await stats(`{"gpt-4o": ${row(1e-6)}}`)).err).not.toContain('twice');
});

it.each([
  ['gpt-4o.currency', `{"gpt-4o": ${row(1e-6, { currency: 'EUR' })}}`],
  ['o.models.m.cost.currency', '{"o": {"models": {"m": {"cost": {"input": 3, "output": 9, "currency": "EUR"}}}}}'],
  ['currency', `{"source": "LiteLLM", "date": "2026-11-01", "currency": "EUR", "prices": {"m": ${row(1e-6)}}}`],
])('refuses prices in another currency: %s', async (path, list) => {
  const { code, err } = await stats(list);
  expect(code).toBe(2);
  expect(err).toContain(`\`${path}\`: prices in EUR are not read, only those in USD; convert them`);
});

it('takes prices that say that they are in dollars', async () => {
  expect(await stats(`{"gpt-4o": ${row(1e-6, { currency: 'usd' })}}`)).toMatchObject({ code: 0, err: '' });
});

it('refuses a found config that is no UTF-8, as it does a named one', async () => {
  const text = Buffer.from('{"pipelines": {"caf\xe9": ["patch"]}}', 'latin1');
  writeFileSync(join(cwd, 'ctx-trim.config.json'), text, { mode: 0o600 });
  for (const words of [[], ['--config', 'ctx-trim.config.json']]) {
    const { terminal, err } = memoryTerminal({ cwd });
    expect(await runIn(terminal, ['stats', 'a.json', ...words])).toBe(2);
    expect(err()).toMatch(/^ctx-trim: ctx-trim\.config\.json:1:20: these bytes are not UTF-8;/);
  }
});
