/** `select` in the process of the test: laws, plain scripts as judges, hostile files, and all recordings. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { tabledAt } from '../../../src/engine/rewrite/tables/by-table.js';
import { PLACES } from '../../../src/engine/select/near.js';
import { callsIn, messagesIn, modelsIn, toolsIn } from '../../../src/engine/select/record.js';
import { open } from '../../../src/source/open.js';
import { readerOver } from '../../../src/source/read-back.js';
import { fixtures, sampled, sharedRecordings } from '../../shared/recordings.js';
import { memoryTerminal } from '../../shared/terminal.js';

const shared = sharedRecordings();
const cwd = mkdtempSync(join(tmpdir(), 'ctx-trim-select-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const inFolder = (name: string) => join(cwd, name);

/** What `select` says; `input` is its stdin. */
async function select(words: readonly string[], input: string | Buffer = '') {
  const bytes = Buffer.from(input);
  let at = 0;
  const stdin = (buffer: Buffer, start: number, length: number) => {
    const got = bytes.copy(buffer, start, at, Math.min(bytes.length, at + Math.min(length, 1000)));
    at += got;
    return got;
  };
  const chunks: Buffer[] = [];
  const { terminal, err } = memoryTerminal({ cwd, stdin, stdinIsTerminal: false });
  const stdout = {
    ...terminal.stdout,
    write: (text: string) => void chunks.push(Buffer.from(text)),
    data: (data: Uint8Array) => void chunks.push(Buffer.from(data)),
  };
  const status = await runIn({ ...terminal, stdout }, ['select', ...words]);
  return { out: Buffer.concat(chunks).toString(), err: err(), status };
}

interface Row {
  readonly id: number;
  readonly model?: string;
  readonly reward?: unknown;
  readonly messages: { readonly role: string; readonly content?: unknown; readonly tool_calls?: unknown[] }[];
}

/** 120 chats of various lengths: some with calls, open calls, failures, and copies of others with another spelling. */
const rows = Array.from({ length: 120 }, (_, id): Row => {
  const call = (name: string, at: number) => ({ id: `c${at}`, type: 'function', function: { name, arguments: '{}' } });
  const calls = Array.from({ length: id % 5 }, (_, at) => {
    const answer = id % 7 === 0 ? 'Error: no such file' : `result ${at}`;
    const isOpen = id % 11 === 3 && at === 1;
    return [
      { role: 'assistant', content: null, tool_calls: [call(at % 2 ? 'read_file' : 'search', at)] },
      ...(isOpen ? [] : [{ role: 'tool', tool_call_id: `c${at}`, content: answer }]),
    ];
  }).flat();
  return {
    id,
    ...(id % 3 === 0 ? { model: id % 2 ? 'gpt-4o' : 'gpt-4o-mini' } : {}),
    ...(id % 4 === 0 ? {} : { reward: id % 8 === 1 ? String(id / 100) : id / 100 }),
    messages: [
      { role: 'user', content: `question ${id % 40} naïve\n日本` },
      ...calls,
      { role: 'assistant', content: 'done' },
    ],
  };
});
const spell = (row: Row) =>
  row.id % 6 === 5 ? JSON.stringify(row).replace(/":/g, '" : ').replace('naïve', 'na\\u00efve') : JSON.stringify(row);
const lines = rows.map(spell);
const text = `${lines.join('\n')}\n`;
const idsIn = (jsonl: string) =>
  jsonl
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as Row).id);
const where = (keeps: (row: Row) => boolean) => rows.filter(keeps).map(({ id }) => id);
const callsOf = ({ messages }: Row) =>
  messages.flatMap(({ tool_calls = [] }) => tool_calls) as { function: { name: string } }[];
const answered = (row: Row) => row.messages.filter(({ role }) => role === 'tool').length === callsOf(row).length;

beforeAll(() => {
  writeFileSync(inFolder('rows.jsonl'), text);
  mkdirSync(inFolder('in'));
});

/** By the flags: what a plain script over parsed JSON says. */
const JUDGED: readonly (readonly [flags: readonly string[], keeps: (row: Row) => boolean])[] = [
  [['--min-messages=5'], ({ messages }) => messages.length >= 5],
  [['--max-messages=4'], ({ messages }) => messages.length <= 4],
  [['--min-calls=2'], (row) => callsOf(row).length >= 2],
  [['--max-calls=0'], (row) => callsOf(row).length === 0],
  [['--tool=read*'], (row) => callsOf(row).some(({ function: { name } }) => name.startsWith('read'))],
  [['--tool=search', '--tool=none'], (row) => callsOf(row).some(({ function: { name } }) => name === 'search')],
  [['--model=gpt-4o*'], ({ model }) => model !== undefined],
  [['--model=gpt-4o'], ({ model }) => model === 'gpt-4o'],
  [['--has-error'], (row) => row.id % 7 === 0 && callsOf(row).length > 0],
  [['--valid'], answered],
  [['--invalid'], (row) => !answered(row)],
  [['--where=reward>=0.5'], ({ reward }) => reward !== undefined && Number(reward) >= 0.5],
  [
    ['--where=reward<0.5', '--where=id!=7'],
    ({ reward, id }) => reward !== undefined && Number(reward) < 0.5 && id !== 7,
  ],
  [['--where=model=gpt-4o'], ({ model }) => model === 'gpt-4o'],
  [['--where=messages[].role=tool'], ({ messages }) => messages.some(({ role }) => role === 'tool')],
  [['--where=messages[0].role=tool'], () => false],
  [['--format-is=openai-*'], () => true],
  [['--format-is=anthropic-*'], () => false],
];

describe('conditions', () => {
  it.each(JUDGED)('%s', async (flags, keeps) => {
    const { out, status } = await select(flags, text);
    expect(status).toBe(0);
    expect(idsIn(out)).toEqual(where(keeps));
    expect(out).toBe(
      lines
        .filter((_, id) => keeps(rows[id]!))
        .map((line) => `${line}\n`)
        .join(''),
    );
  });

  it('count tokens as stats does', async () => {
    const { terminal, out } = memoryTerminal({ cwd });
    await runIn(terminal, ['stats', 'rows.jsonl', '--format', 'json', '--as-model', 'gpt-4o']);
    const { transcripts } = JSON.parse(out()) as { transcripts: { tokens: number }[] };
    const least = transcripts.map(({ tokens }) => tokens).sort((a, b) => a - b)[60]!;
    for (const [flag, keeps] of [
      ['min', (tokens: number) => tokens >= least],
      ['max', (tokens: number) => tokens <= least],
    ] as const) {
      const { out: kept } = await select([`--${flag}-tokens=${least}`, '--as-model=gpt-4o'], text);
      expect(idsIn(kept)).toEqual(where(({ id }) => keeps(transcripts[id]!.tokens)));
    }
  });

  it('are one after the other the same as together, and twice the same as once', async () => {
    const nameOf = ([flag = '']: readonly string[]) => flag.split('=')[0]!;
    for (const [flags] of JUDGED) {
      const first = (await select(flags, text)).out;
      expect((await select(flags, first)).out, String(flags)).toBe(first);
      for (const [more] of JUDGED.filter((_, index) => index % 9 === 3)) {
        if (nameOf(flags) === nameOf(more)) continue; // given twice is another condition
        const then = (await select(more, first)).out;
        expect(then, `${flags} ${more}`).toBe((await select([...flags, ...more], text)).out);
      }
    }
  });
});

describe('what is the same', () => {
  it('--unique: by content, whatever its spelling', async () => {
    const again = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).reverse()), null, 1).replace(/\n */g, ' '),
    );
    const { out } = await select(['--unique'], `${text}${again.join('\n')}\n`);
    expect(out).toBe(text);
    expect((await select(['--unique'], '[1.0, 1]\n')).status).toBe(2); // no messages
  });

  it('--unique-by: by the values at a path', async () => {
    const seen = new Set<string>();
    const { out } = await select(['--unique-by=messages'], text);
    expect(idsIn(out)).toEqual(where(({ messages }) => seen.size < seen.add(JSON.stringify(messages)).size));
    expect(idsIn(out).length).toBeLessThan(rows.length);
  });

  it('--near: most pairs that a plain comparison of all pairs finds, and no others', async () => {
    const recordings = [...fixtures(), ...shared].filter(({ bytes }) => bytes.length < 300_000);
    const texts = recordings.map(({ bytes }) =>
      bytes
        .toString('latin1')
        .replace(/[^ -~]/g, ' ')
        .slice(0, 20_000),
    );
    // with a part of their words replaced, each is a near duplicate to a degree
    const made = texts
      .filter((all) => all.split(/[^a-zA-Z0-9]+/).length > 200)
      .slice(0, process.env['LAWS'] === 'all' ? 400 : 40)
      .flatMap((all, at) => [
        all,
        all
          .split(' ')
          .map((word, index) => (index % (20 + 20 * (at % 12)) === 7 ? `${word}x` : word))
          .join(' '),
      ]);
    const jsonl = made.map((content, id) => JSON.stringify({ id, messages: [{ role: 'user', content }] })).join('\n');
    const kept = new Set(idsIn((await select(['--near=0.9'], jsonl)).out));
    const sets = made.map(shinglesOf);
    const [found, missed, wrong] = [[] as number[], [] as number[], [] as number[]];
    sets.forEach((set, id) => {
      const nearest = Math.max(
        0,
        ...sets.slice(0, id).flatMap((other, at) => (kept.has(at) ? [jaccard(set, other)] : [])),
      );
      if (nearest >= 0.9) (kept.has(id) ? missed : found).push(nearest);
      else if (!kept.has(id)) wrong.push(nearest);
    });
    const chances = [...found, ...missed].map(missedAt);
    const expected = chances.reduce((sum, chance) => sum + chance, 0);
    const deviation = Math.sqrt(chances.reduce((sum, chance) => sum + chance * (1 - chance), 0));
    if (process.env['NEAR']) console.log({ found: found.length, missed, wrong, expected, deviation });
    expect(found.length).toBeGreaterThan(missed.length);
    expect(missed.length).toBeLessThanOrEqual(expected + 3 * deviation);
    expect(Math.min(1, ...wrong)).toBeGreaterThan(0.8); // the estimate is off by four deviations at most
    expect(Math.max(0, ...missed)).toBeLessThan(0.97);
  });
});

/** The chance that fewer than 90 % of 128 places are equal, where each is with this likelihood. */
function missedAt(similarity: number): number {
  let sum = 0;
  let chance = (1 - similarity) ** PLACES;
  for (let equal = 0; equal < 0.9 * PLACES; equal++) {
    sum += chance;
    chance *= ((PLACES - equal) / (equal + 1)) * (similarity / (1 - similarity));
  }
  return similarity === 1 ? 0 : sum;
}

function shinglesOf(content: string): ReadonlySet<string> {
  const words = content.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return new Set(words.slice(4).map((_, at) => words.slice(at, at + 5).join(' ')));
}

function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const shingle of one) if (other.has(shingle)) both++;
  return both / (one.size + other.size - both);
}

describe('samples and splits', () => {
  it('has as many as asked for, in order, the same for the same seed', async () => {
    for (const count of [0, 1, 50, 119, 120, 5000]) {
      const { out } = await select([`--sample=${count}`], text);
      expect(idsIn(out).length).toBe(Math.min(count, 120));
      expect(idsIn(out)).toEqual(idsIn(out).sort((a, b) => a - b));
      expect((await select([`--sample=${count}`, 'rows.jsonl'])).out).toBe(out);
      expect((await select([`--sample=${count}`], out === '' ? text : out)).out).toBe(out);
    }
    const [one, other] = [await select(['--sample=50'], text), await select(['--sample=50', '--seed=1'], text)];
    expect(one.out).not.toBe(other.out);
  });

  it('has a share, by content alone', async () => {
    const { out } = await select(['--sample=50%'], text);
    expect(Math.abs(idsIn(out).length - 60)).toBeLessThan(25);
    const turned = `${lines.toReversed().join('\n')}\n`;
    expect(idsIn((await select(['--sample=50%'], turned)).out).reverse()).toEqual(idsIn(out));
    expect(idsIn((await select(['--sample=50%', '--min-calls=1'], text)).out)).toEqual(
      idsIn(out).filter((id) => callsOf(rows[id]!).length > 0),
    );
  });

  it('is drawn from the records that meet the conditions', async () => {
    const { out, err } = await select(['--sample=10', '--min-calls=2', '--summary'], text);
    expect(idsIn(out).length).toBe(10);
    expect(idsIn(out).every((id) => callsOf(rows[id]!).length >= 2)).toBe(true);
    expect(err).toBe('stdin: kept 10 of 120 records; dropped 48 by --min-calls, 62 by --sample\n');
  });

  const read = (folder: string) =>
    ['train', 'test'].map((name) => readFileSync(inFolder(`${folder}/${name}.jsonl`), 'utf8'));

  it('splits into parts that stay when records are added', async () => {
    const half = `${lines.slice(0, 60).join('\n')}\n`;
    expect(await select(['--split=train=0.8,test=0.2', '-o', 'half'], half)).toEqual({ out: '', err: '', status: 0 });
    await select(['--split=train=0.8,test=0.2', '-o', 'all'], text);
    const [all, before] = [read('all'), read('half')];
    expect(all.flatMap((part) => part.split('\n').filter(Boolean)).sort()).toEqual([...lines].sort());
    expect(all.map((part, index) => part.startsWith(before[index]!))).toEqual([true, true]);
    expect(Math.abs(idsIn(all[1]!).length - 24)).toBeLessThan(15);
  });

  it('goes by SHA-256, as the documentation says', async () => {
    await select(['--split=train=0.8,test=0.2', '--split-by=model', '--seed=3', '-o', 'by'], text);
    const shareOf = (model: string) => {
      const sha = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
      const digest = sha(`${JSON.stringify(model)}\n`);
      return sha(Buffer.concat([Buffer.from('split 3 '), digest])).readUIntBE(0, 6) / 2 ** 48;
    };
    const [train, test] = read('by').map(idsIn) as [number[], number[]];
    for (const { id, model } of rows)
      if (model !== undefined) expect((shareOf(model) < 0.8 ? train : test).includes(id), model).toBe(true);
  });

  it('writes elements and documents on a line each', async () => {
    writeFileSync(inFolder('in/list.json'), JSON.stringify(rows.slice(0, 60), null, 2));
    for (const row of rows.slice(60, 70)) writeFileSync(inFolder(`in/${row.id}.json`), JSON.stringify(row, null, 2));
    writeFileSync(inFolder('in/rest.jsonl'), lines.slice(70).join('\r\n'));
    expect((await select(['--split=train=0.5,test=0.5', '-o', 'from-list', 'in'])).err).toBe('');
    const ids = read('from-list').flatMap(idsIn);
    expect(ids.sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
    await select(['-o', 'one.jsonl', 'in']);
    expect(idsIn(readFileSync(inFolder('one.jsonl'), 'utf8')).sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
  });

  it.each([
    ['--split=train=0.5,test=0.6'],
    ['--split=../a=0.5,b=0.5'],
    ['--split=a=0.5,a=0.5'],
    ['--sample=-1'],
    ['--sample=200%'],
    ['--where=x'],
    ['--where==x'],
    ['--where=id==7'],
    ['--where=id!==7'],
    ['--where=id=>7'],
    ['--unique-by=a..b'],
    ['--skip-bad-lines=keep'],
    ['--valid', '--invalid'],
    ['--provider=openai'],
    ['--seed=1'],
    ['--valid', '--provider=nobody'],
  ])('refuses %s', async (...flags) => {
    const { out, err, status } = await select([...flags, ...(flags[0]!.includes('split') ? ['-o', 'x'] : [])], text);
    expect([out, status]).toEqual(['', 2]);
    expect(err).toMatch(/^ctx-trim: .*(invalid|expected|cannot be combined|needs|is not a path|no provider|unknown)/s);
  });
});

describe('bytes', () => {
  const one = (id: number) => lines[id]!;
  it.each([
    ['CRLF', `${one(5)}\r\n${one(6)}\r\n${one(7)}\r\n`, `${one(5)}\r\n${one(7)}\r\n`],
    ['a BOM', `\ufeff${one(6)}\n${one(7)}\n`, `\ufeff${one(7)}\n`],
    ['no newline at the end', `${one(5)}\n${one(7)}`, `${one(5)}\n${one(7)}`],
    ['no newline at the end, and the last goes', `${one(5)}\n${one(6)}`, `${one(5)}\n`],
    ['blank lines', `${one(5)}\n\n\n${one(6)}\n\n${one(7)}\n\n`, `${one(5)}\n\n\n${one(7)}\n\n`],
    ['an array', `[${one(5)}, ${one(6)},\n  ${one(7)} ]\n`, `[${one(5)},\n  ${one(7)} ]\n`],
    ['an array whose first goes', `[\n ${one(6)},\n ${one(7)}\n]`, `[\n ${one(7)}\n]`],
    ['an array of which all go', `[\n ${one(6)}\n]\n`, '[]\n'],
    ['an empty array', '[ ]\n', '[ ]\n'],
  ])('stay with %s', async (_, input, output) => {
    expect(await select(['--where=id!=6'], input)).toEqual({ out: output, err: '', status: 0 });
    expect((await select(['--where=id!=6'], output)).out).toBe(output);
  });

  it('are compressed again', async () => {
    writeFileSync(inFolder('rows.jsonl.gz'), gzipSync(text));
    expect((await select(['--max-calls=0', '--write', 'rows.jsonl.gz'])).status).toBe(0);
    const kept = gunzipSync(readFileSync(inFolder('rows.jsonl.gz'))).toString();
    expect(kept).toBe((await select(['--max-calls=0'], text)).out);
  });

  it('--write touches no file that stays, and empties none; --check and --list write nothing', async () => {
    writeFileSync(inFolder('a.jsonl'), text);
    writeFileSync(inFolder('b.jsonl'), `${one(0)}\n`);
    expect(await select(['--check', '--max-calls=0', 'a.jsonl', 'b.jsonl'])).toMatchObject({
      out: 'a.jsonl\n',
      status: 1,
    });
    expect(await select(['--list', '--min-calls=1', 'a.jsonl', 'b.jsonl'])).toMatchObject({
      out: 'a.jsonl\n',
      status: 0,
    });
    expect(await select(['--write', '--min-calls=1', 'a.jsonl', 'b.jsonl'])).toMatchObject({ status: 2 });
    expect(readFileSync(inFolder('b.jsonl'), 'utf8')).toBe(`${one(0)}\n`);
    expect(idsIn(readFileSync(inFolder('a.jsonl'), 'utf8'))).toEqual(where((row) => callsOf(row).length > 0));
  });

  it('--write empties no array either', async () => {
    const array = `[${lines.slice(0, 3).join(',\n')}]\n`;
    writeFileSync(inFolder('c.json'), array);
    const { err, status } = await select(['--write', '--where=id=999', 'c.json']);
    expect([err, status]).toEqual([expect.stringContaining('no record would stay'), 2]);
    expect(readFileSync(inFolder('c.json'), 'utf8')).toBe(array);
  });

  it('has an empty file as a dataset without records', async () => {
    expect(await select(['--min-calls=1'], '')).toEqual({
      ...{ out: '', status: 0 },
      err: 'ctx-trim: stdin: empty, so it has no records\n',
    });
  });

  it('copies or drops bad lines, and counts them', async () => {
    const bad = `${one(5)}\n{"broken\n${one(6)}\n${one(7).slice(0, 40)}`;
    expect((await select([], bad)).status).toBe(2);
    const copied = await select(['--skip-bad-lines', '--where=id!=6', '--summary'], bad);
    expect(copied.out).toBe(`${one(5)}\n{"broken\n${one(7).slice(0, 40)}`);
    expect(copied.err).toContain('2 bad lines copied unchanged\n');
    const dropped = await select(['--skip-bad-lines=drop', '--where=id!=6', '--summary'], bad);
    expect(dropped.out).toBe(`${one(5)}\n`);
    expect(dropped.err).toContain('2 bad lines dropped\n');
    expect(dropped.err).toContain('stdin: kept 1 of 2 records; dropped 1 by --where; 2 bad lines dropped\n');
  });

  it('survives deep JSON and a huge line', async () => {
    const deep = `{"id":1,"x":${'['.repeat(30_000)}${']'.repeat(30_000)},"messages":[{"role":"user","content":"a"}]}`;
    const huge = JSON.stringify({ id: 2, messages: [{ role: 'user', content: 'word '.repeat(1 << 20) }] });
    const input = `${deep}\n${huge}\n${deep}\n`;
    const { out, status } = await select(
      ['--unique', '--near=0.95', '--where=x[]!=1', '--max-tokens=9999999'],
      `${input}`,
    );
    expect([out, status]).toEqual(['', 0]);
    expect((await select(['--unique', '--sample=100%'], input)).out).toBe(`${deep}\n${huge}\n`);
  });
});

it('whole numbers compare as they are, however long', async () => {
  const ids = ['1234567890123456788', '1234567890123456789', '-1234567890123456789', '9', '1e18'];
  const input = ids.map((id) => `{"user":${id},"messages":[{"role":"user","content":"a"}]}\n`);
  const kept = async (condition: string) => (await select([`--where=user${condition}`], input.join(''))).out;
  expect(await kept('=1234567890123456789')).toBe(input[1]);
  expect(await kept('<=1234567890123456788')).toBe([0, 2, 3, 4].map((at) => input[at]).join(''));
  expect(await kept('!=9')).toBe([0, 1, 2, 4].map((at) => input[at]).join(''));
  expect(await kept('>1000000000000000000')).toBe([0, 1].map((at) => input[at]).join(''));
  const texts = '{"x":"=b","messages":[{"role":"user","content":"a"}]}\n';
  expect((await select(['--where=x= =b'], texts)).out).toBe(texts);
});

describe('the summary', () => {
  it('counts what could be read', async () => {
    const { out, err, status } = await select([
      '--check',
      '--max-calls=0',
      '--format=json',
      'rows.jsonl',
      'none.jsonl',
    ]);
    expect([JSON.parse(out).total.records, status]).toEqual([120, 2]);
    expect(err).toContain('none.jsonl: cannot read it: no such file');
    expect(
      (await select(['--max-calls=0', '--summary', '-o', 'no.jsonl', 'rows.jsonl', 'none.jsonl'])).err,
    ).not.toContain('kept');
  });

  it('adds up, as text and as JSON', async () => {
    const flags = ['--min-calls=1', '--valid', '--unique-by=messages', '--sample=40%', 'rows.jsonl', 'rows.jsonl'];
    writeFileSync(inFolder('again.jsonl'), text);
    const { out, err } = await select([...flags, 'again.jsonl', '--format=json']);
    const { files, total } = JSON.parse(err);
    for (const part of [...files, total])
      expect(part.kept + part.dropped.reduce((sum: number, { records }: { records: number }) => sum + records, 0)).toBe(
        part.records,
      );
    expect([total.files, total.records, total.kept]).toEqual([2, 240, idsIn(out).length]);
    expect(files[1].kept).toBe(0);
  });
});

describe('recordings', () => {
  const all = [...sampled(fixtures(), 'select', 1), ...sampled(shared, 'select')];

  it.each(all)('$name: what stays is its bytes, what goes is nothing, and both are counted', async ({ bytes }) => {
    const flags = ['--skip-bad-lines', '--format=json'];
    const kept = await select(['--max-messages=999999', ...flags], bytes);
    if (kept.status === 2) return expect((await select(['--min-messages=999999', ...flags], bytes)).status).toBe(2);
    expect(kept.out).toBe(bytes.toString());
    const gone = await select(['--min-messages=999999', ...flags], bytes);
    expect(gone.out.trim().length).toBeLessThanOrEqual(gone.err.includes('"bad_lines": 0') ? 2 : bytes.length);
    const { total, unread } = JSON.parse(gone.err.slice(gone.err.indexOf('{\n')));
    expect(unread.length > 0).toBe(/ hold.* does not read, first in line/.test(gone.err));
    expect([total.kept, total.dropped[0].records]).toEqual([0, total.records]);
  });

  it.each(all)('$name: what a table tells is what messages tell', ({ bytes }) => {
    const facts = (tables: typeof tabledAt | undefined) => {
      const piecesIn = open(readerOver(bytes), { skipBadLines: true, tables });
      return Array.from(piecesIn, (piece) => {
        if (piece.type !== 'opened') return [];
        const record = { file: '', format: '', piece, value: undefined };
        return [messagesIn(record), callsIn(record), toolsIn(record), modelsIn(record)[0]];
      });
    };
    expect(facts(tabledAt)).toEqual(facts(undefined));
  });
});
