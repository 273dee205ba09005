/** The page of `report`, as far as it can be judged without a browser. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../shared/program.js';

const SESSION = 'fixtures/formats/claude-code/short.jsonl';
const CHATS = 'fixtures/formats/openai-chat/tau-bench-retail.json';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-page-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = (...words: string[]) => runProgram(['report', ...words]).stdout;
const between = (text: string, start: string, end: string) => text.split(start)[1]!.split(end)[0]!;

/** The long texts of a page. */
function keptIn(html: string): readonly string[] {
  const packed = between(html, 'id="texts">', '</script>');
  return packed === '' ? [] : (JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString()) as string[]);
}

function chat(name: string, messages: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ model: 'gpt-5', messages }));
  return path;
}

it('allows only its own script and style sheet', () => {
  const html = page(SESSION, '--policy', 'truncate:max-length=10');
  const policy = between(html, 'http-equiv="Content-Security-Policy" content="', '"').replaceAll('&apos;', "'");
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hash(between(html, '<script>', '</script>'))}`,
    `style-src ${hash(between(html, '<style>', '</style>'))}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toMatch(/<[^>]+ (?:style|on\w+)=/);
  const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address!);
  expect(addresses.filter((address) => !/^(?:#|data:,$)/.test(address))).toEqual([]);
});

it('begins with what it cost, where the money went and what to do', () => {
  const headline = (html: string) =>
    [...between(html, '<ul class="headline">', '</ul>').matchAll(/<li>(.*?)<\/li>/g)].map(([, sentence]) =>
      sentence!.replace(/<[^>]*>/g, ''),
    );
  const session = 'fixtures/formats/pi-session/coding-agent.jsonl';
  expect(headline(page(session))).toEqual([
    '14 requests cost $1.17, by their recorded usage.',
    '11.6 % (~$0.14) went for results of read, which every later request sends again.',
    '41.5 % ($0.48) went for 3 requests that missed the cache; the main cause: history rewritten.',
    'With --policy clear:trigger=0,keep=10,every=auto, this page shows what clearing old results would have saved.',
  ]);
  const [, , , saved] = headline(page(session, '--policy', 'clear:trigger=0,keep=1', '--scope', 'all'));
  expect(saved).toBe('In a replay of these requests, none of the policies would have saved anything.');
  const broken = 'fixtures/transforms/patch/interrupted-pair/input.json';
  expect(headline(page(broken)).at(-1)).toBe(
    '1 error for which a provider would refuse a request; ctx-trim check --fix --diff shows the repair.',
  );
  expect(headline(page(broken))[0]).toContain('no price is known');
});

it('says which costs are not recorded', () => {
  const line = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: '2026-11-21T10:00:00.000Z', type, payload })}\n`;
  const said = (role: string, type: string, text: string) =>
    line('response_item', { type: 'message', role, content: [{ type, text }] });
  const path = join(folder, 'counted.jsonl');
  const lines = [
    line('session_meta', { id: 's', timestamp: '2026-11-21T10:00:00.000Z', cwd: '/src' }),
    line('turn_context', { cwd: '/src', model: 'gpt-5-codex' }),
    said('user', 'input_text', 'Go.'),
    said('assistant', 'output_text', 'Gone.'),
  ];
  writeFileSync(path, lines.join(''));
  const html = page('fixtures/formats/pi-session/coding-agent.jsonl', path);
  const [cost] = between(html, '<ul class="headline">', '</ul>').split('</li>');
  expect(cost!.replace(/<[^>]*>/g, '')).toBe(
    '15 requests cost $1.17, by their recorded usage, ' +
      'and where they have none by counted tokens, as if there were no cache.',
  );
  expect(between(html, '<dl class="figures">', '</dl>')).toContain('15 requests, partly counted');
});

it('adds the costs of requests up to what the session cost', () => {
  const html = page('fixtures/formats/pi-session/coding-agent.jsonl');
  const rows = between(between(html, '<caption>Cost of each request', '</table>'), '<tbody>', '</tbody>').split(
    '</tr>',
  );
  const cells = rows.map((row) => row.replace(/<[^>]*>/g, ' ').match(/\$[\d.]+/g));
  expect(cells.slice(0, 2)).toEqual([
    ['$0.10', '$0.10'],
    ['$0.17', '$0.27'],
  ]);
  expect(cells.at(-2)).toEqual(['$0.19', '$1.17']);
});

it('names sessions by their first prompt', () => {
  expect(between(page(CHATS), '<main', '</main>')).toMatch(/<h2><a href="#s1">[^<]*\w/);
  const named = chat('named.json', [{ role: 'user', content: 'Why is <b>it</b> slow?' }]);
  expect(page(named)).toContain('<h1>Why is &lt;b&gt;it&lt;/b&gt; slow?</h1>');
});

it('keeps the whole of a long text, and shows its beginning and end', () => {
  const text = Array.from({ length: 200 }, (_, index) => `line ${index} <b>&amp; é 🎉`).join('\n');
  const html = page(
    chat('long.json', [
      { role: 'user', content: 'Go.' },
      { role: 'tool', tool_call_id: 'x', content: text },
    ]),
  );
  const [, head, tail] = /<div class="fold"><pre>(.*?)<\/pre><button.*?<\/button><pre>(.*?)<\/pre>/s.exec(html)!;
  const unescaped = (part: string) => part.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  expect(unescaped(head!) + keptIn(html).join('') + unescaped(tail!)).toBe(text);
  expect(html).toContain('line 0 &lt;b&gt;&amp;amp; é 🎉');
  expect(html).toContain('line 199 ');
  expect(html).not.toContain('line 100 ');
  expect(html).toMatch(/<button[^>]*>\d+ more lines, [\d,]+ characters<\/button>/);
});

it('keeps the script below 60 KB', () => {
  expect(between(page(SESSION), '<script>', '</script>').length).toBeLessThan(60_000);
});

it('redacts secrets in texts, arguments, names and folded texts, unless it is told not to', () => {
  const secret = `${'gh'}p_${'q7Zr2Lw9Xc4Vb8Nm1Ks6Td3Yf5Hj0Gp2Aa4e'}`;
  const call = { id: 'c', type: 'function', function: { name: 'read', arguments: JSON.stringify({ token: secret }) } };
  const file = chat('secret.json', [
    { role: 'user', content: `my token is ${secret}` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: `${'word '.repeat(2000)}${secret} ${'word '.repeat(2000)}` },
  ]);
  const policy = ['--policy', 'truncate:max-length=100'];
  for (const format of ['html', 'json']) {
    const redacted = page(file, ...policy, '--format', format);
    expect(redacted + keptIn(format === 'html' ? redacted : 'id="texts"></script>').join('')).not.toContain(secret);
    expect(redacted).toContain('[secret:github-token:1]');
    expect(page(file, ...policy, '--format', format, '--no-redact')).toContain(secret);
  }
});

it('redacts what only the names of arguments tell, and what titles or parts would cut', () => {
  const token = `${'gh'}p_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
  const [half, rest] = [token.slice(0, 20), token.slice(20)];
  const args = JSON.stringify({ password: 'Zq7vR2pLm9XwK4', options: { api_key: 'aK93mZp20xLqW8sN' } });
  const texts = [half, rest].map((text) => ({ type: 'text', text }));
  const call = { id: 'c', type: 'function', function: { name: 'login', arguments: args } };
  const calls = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c', content: texts },
  ];
  const files = [
    chat('titled.json', [
      { role: 'user', content: `${'x '.repeat(35)}use ${token} and then go on with the rest of it` },
    ]),
    chat('parts.json', [{ role: 'user', content: [{ type: 'text', text: 'my key: ' }, ...texts] }, ...calls]),
  ];
  for (const [file, format] of files.flatMap((one) => [[one, 'html'] as const, [one, 'json'] as const])) {
    const words = [file, '--policy', 'clear:trigger=0,keep=0', '--format', format];
    const redacted = page(...words);
    for (const secret of [half, rest, 'Zq7vR2pLm9XwK4', 'aK93mZp20xLqW8sN'])
      expect(redacted, `${file} ${format}`).not.toContain(secret);
    if (file === files[1]) expect(page(...words, '--no-redact')).toContain('aK93mZp20xLqW8sN');
  }
});

it('has a table of all sessions, and a page for each with --split', () => {
  const one = page(CHATS);
  expect(one).toContain('<h1>2 sessions</h1>');
  expect(one).toContain('<a href="#s1">');
  expect(one).toContain('id="s2-m1"');
  expect(page(CHATS, '--top', '1')).not.toContain('id="s2-m1"');
  const out = join(folder, 'split');
  expect(runProgram(['report', CHATS, '--split', '-o', out])).toMatchObject({ status: 0, stdout: '' });
  expect(readdirSync(out).sort()).toEqual(['index.html', 'session-1.html', 'session-2.html']);
  const index = readFileSync(join(out, 'index.html'), 'utf8');
  expect(index).toContain('<a href="session-2.html">');
  expect(index).not.toContain('id="m1"');
  expect(readFileSync(join(out, 'session-2.html'), 'utf8')).toContain('<a href="index.html">all sessions</a>');
});

it('is the same each time', () => {
  expect(page(CHATS, '--policy', 'filter:max-tool-calls=1')).toBe(page(CHATS, '--policy', 'filter:max-tool-calls=1'));
});

it('says what is wrong, and writes nothing', () => {
  const out = join(folder, 'none.html');
  for (const [words, said] of [
    [[SESSION, '--policy', 'nonsense'], /--policy `nonsense`: unknown step or pipeline `nonsense`/],
    [[SESSION, '--policy', 'filter:max-tool-calls=x'], /expected a whole number/],
    [[join(folder, 'missing.json')], /no such file/],
    [[SESSION, '--split'], /--split needs --output/],
  ] as const) {
    const output = words.includes('--split' as never) ? [] : ['-o', out];
    const { status, stderr } = runProgram(['report', ...words, ...output]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
  }
  expect(readdirSync(folder)).not.toContain('none.html');
});

it('makes links only with --links, and of http and https only', () => {
  const addresses = [
    'https://evil.test/?q="x"&y',
    'http://one.test',
    'javascript:alert(1)',
    'ftp://two.test',
    'data:,x',
  ];
  const content = addresses.map((address) => `See ${address} there`).join('\n');
  const path = chat('links.json', [{ role: 'user', content }]);
  const hrefs = (html: string) => [...html.matchAll(/<a [^>]*href="([^#"][^"]*)"[^>]*>/g)];
  const plain = page(path);
  expect(hrefs(plain)).toEqual([]);
  expect(plain).toContain('See http://one.test there');
  const links = hrefs(page(path, '--links'));
  expect(links.map(([, href]) => href)).toEqual(['https://evil.test/?q=', 'http://one.test']);
  for (const [tag] of links) expect(tag).toContain('target="_blank" rel="noopener noreferrer nofollow"');
});

const textIn = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

it('shows markdown as elements, and leaves nothing of it out', () => {
  const content = [
    '# A <i>head</i>',
    '',
    'Some **strong `code`** text, *em*, ~~gone~~, snake_case_name and [a](https://x.test/?a=1&b).',
    '> quoted',
    '- one',
    '  - two',
    '    goes on',
    '3. three',
    '---',
    '| a | b \\| c |',
    '|---|--:|',
    '| **1** | <b>2</b> |',
    'after',
    '```js',
    '- no item',
    '```',
    '**never *ended `here',
  ].join('\n');
  const html = page(chat('markdown.json', [{ role: 'user', content }]));
  const prose = /<div class="prose">(.*)<\/div><\/article>/s.exec(html)![1]!;
  expect(textIn(prose)).toBe(content);
  const hidden = /<i class="md">[^<]*<\/i>/g;
  const seen = prose
    .replace(hidden, '')
    .replace(/<(?:\/|p|pre|code|li|td|tr|th|b |ul|div|span|table|thead|tbody)[^>]*>/g, '·');
  for (const part of [
    'A &lt;i&gt;head',
    '<b>strong ·code·· text',
    '<em>em',
    '<s>gone',
    'snake_case_name',
    '<blockquote>quoted',
  ])
    expect(seen).toContain(part);
  expect(prose).toMatch(/<li class="dot d1">.*goes on/s);
  expect(prose).toContain('<span class="sign">3.</span>');
  expect(prose.match(/<th scope="col">/g)).toHaveLength(2);
  expect(prose).toContain('<pre class="code">```js\n- no item\n```</pre>');
  expect(prose).not.toMatch(/<i>head|<a /);
});

it('reads long lines of marks in little time', () => {
  for (const mark of ['*', '_', '[', '`', '~~', '![', '|', '> '])
    expect(textIn(page(chat('marks.json', [{ role: 'user', content: mark.repeat(3000) }])))).toContain(
      mark.repeat(3000).trim(),
    );
});

it('keeps the markdown of a long text behind its fold', () => {
  const section = (number: number) => `## Part ${number}\n\n${'Some **strong** words. '.repeat(30)}`;
  const content = Array.from({ length: 20 }, (_, number) => section(number)).join('\n\n');
  const html = page(chat('long.json', [{ role: 'user', content }]));
  const rest = between(html, '<details class="rest">', '</details>');
  expect(rest).toMatch(/^<summary>[\d,]+ more characters<\/summary><div class="prose">/);
  expect(rest).toContain('Part 19</b>');
  expect(html).toContain('<b class="head2">');
});

it('has sub-agents inside of their session', () => {
  const log = 'fixtures/formats/claude-code/hand-sidechains.jsonl';
  const html = page(log);
  expect(html).not.toMatch(/<h1>\d+ sessions/);
  expect(html).toContain('<details class="agent" id="a1">');
  expect(html).toContain('id="a1-m');
});

it('shows two sessions side by side, and how costs went', () => {
  const html = page('fixtures/formats/claude-code/short.jsonl', 'fixtures/formats/pi-session/coding-agent.jsonl');
  const rows = between(between(html, 'id="compared"', '</table>'), '<tbody>', '</tbody>').split('</tr>');
  const cells = (row: string) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => textIn(cell!));
  expect(rows.map(cells).find(([name]) => name === 'requests')).toEqual([
    'requests',
    expect.any(String),
    '14',
    expect.any(String),
  ]);
  expect(between(html, 'id="trend"', '</section>')).toMatch(/Cost by week and project\./);
});

it('begins the trend where costs begin, and says what was before', () => {
  const at = (time: string, tokens: number) => ({
    type: 'assistant',
    uuid: time,
    sessionId: time,
    timestamp: `${time}T10:00:00Z`,
    message: {
      id: time,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: 'Hi.',
      usage: { input_tokens: tokens, output_tokens: 1 },
    },
  });
  const files = [at('2025-01-05', 1), at('2026-03-05', 1e6), at('2026-03-09', 1e6)].map((row, index) => {
    const path = join(folder, `trend-${index}.jsonl`);
    writeFileSync(path, JSON.stringify(row));
    return path;
  });
  const trend = textIn(between(page(...files), 'id="trend"', '</section>'));
  expect(trend).toContain('Cost by day and');
  expect(trend).toContain('Before 2026-03-05: 1 request, not shown.');
});

it('prints the messages that it is told to', () => {
  for (const choice of ['text', 'all', 'none'])
    expect(page(SESSION, '--print-messages', choice)).toContain(`<body class="print-${choice}">`);
  expect(page(SESSION)).toContain('<body class="print-text">');
});
