/** What sums of money say of themselves: what of them is replayed, and whose prices they have. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const cwd = mkdtempSync(join(tmpdir(), 'ctx-trim-partly-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

beforeAll(() => {
  const reply = (more: object) => ({
    type: 'ai',
    content: 'Done.',
    response_metadata: { model_name: 'gpt-4o' },
    ...more,
  });
  const usage_metadata = { input_tokens: 100_000, output_tokens: 5000, total_tokens: 105_000 };
  const write = (name: string, more: object) =>
    writeFileSync(join(cwd, name), JSON.stringify([{ type: 'human', content: 'Go.' }, reply(more)]));
  write('recorded.json', { usage_metadata });
  write('counted.json', {});
  const heard = (model: string) => ({
    ...{ id: 'c', object: 'chat.completion', model },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage: {
      ...{ prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      prompt_tokens_details: { audio_tokens: 50 },
    },
  });
  for (const model of ['gpt-5', 'nobody-sells-it'])
    writeFileSync(join(cwd, `${model}.json`), JSON.stringify(heard(model)));
  const dollars = (input: number) => ({ input_cost_per_token: input, output_cost_per_token: 4 * input });
  const long = (tier: string) => ({
    [`input_cost_per_token_above_128k_tokens${tier}`]: 4e-6,
    [`output_cost_per_token_above_128k_tokens${tier}`]: 16e-6,
  });
  const rows = {
    'gpt-4o': dollars(1e-6),
    'long-tier': { litellm_provider: 'openai', ...dollars(1e-6), ...long('_priority') },
    'long-only': { litellm_provider: 'openai', ...long('') },
  };
  writeFileSync(join(cwd, 'mine.json'), JSON.stringify(rows));
  writeFileSync(join(cwd, 'ours.json'), JSON.stringify({ 'gpt-x': dollars(1e-6) }));
});

async function printed(...words: string[]): Promise<string> {
  const { terminal, out, err } = memoryTerminal({ cwd });
  await runIn(terminal, words);
  return `${out()}${err()}`;
}

const stats = (...words: string[]) => printed('stats', ...words);

it('marks what is replayed, in the table and in the sum', async () => {
  const text = await stats('--by', 'session', 'recorded.json', 'counted.json');
  expect(text).toMatch(/^recorded\.json:1 +1 +100,000 +5,000 +\$0\.3000/m);
  expect(text).toMatch(/^counted\.json:1 +1 +\d+ +\d+ +<\$0\.0001/m);
  expect(text).toMatch(/^total +2 +~100,0\d\d +~5,0\d\d +~\$0\.300\d/m);
  expect(text).toMatch(/^paid +2 requests, ~100,0\d\d input tokens, ~5,0\d\d output, ~\$0\.30$/m);
  expect(text).toMatch(/^ +with 1 request without recorded usage, replayed$/m);
});

it('counts it in the document', async () => {
  const totalsOf = async (...files: string[]) => JSON.parse(await stats('--format', 'json', ...files)).totals;
  expect(await totalsOf('recorded.json', 'counted.json')).toMatchObject({ requests: 2, replayed_requests: 1 });
  expect(await totalsOf('recorded.json')).toMatchObject({ requests: 1, replayed_requests: 0 });
});

it('marks nothing where all usage is recorded, or none', async () => {
  for (const file of ['recorded.json', 'counted.json'])
    expect(await stats('--by', 'session', file)).not.toMatch(/~|without recorded/);
});

it('names the price files', async () => {
  const files = ['--prices', 'ours.json', '--prices', 'mine.json'];
  expect(await stats(...files, 'recorded.json')).toMatch(
    /^prices from mine\.json, then ours\.json, then @pydantic\/genai-prices \S+ of 2026-\d\d-\d\d$/m,
  );
  const document = JSON.parse(await stats('--format', 'json', ...files, 'recorded.json'));
  expect(document.prices.files).toEqual(['ours.json', 'mine.json']);
  expect(await stats('recorded.json')).toMatch(/^prices from @pydantic/m);
});

it('takes the usual price for prompts below those that a tier has a price for, and says so', async () => {
  const tier = await printed('prices', '--prices', 'mine.json', '--tier', 'priority', 'long-tier');
  expect(tier).toMatch(/^input +1\.00 +4\.00$/m);
  expect(tier).toMatch(/^output +4\.00 +16\.00$/m);
  expect(tier).toContain('priority: input, output of shorter prompts at the usual price');
  const only = await printed('prices', '--prices', 'mine.json', 'long-only');
  expect(only).toContain('input, output: no price for shorter prompts, so that of longer ones');
});

it('says what has no price, if it is only audio', async () => {
  expect(await stats('gpt-5.json')).toContain('gpt-5.json:1: no known price for audio tokens of gpt-5\n');
  expect(await stats('nobody-sells-it.json')).toContain('no known price for nobody-sells-it\n');
});
