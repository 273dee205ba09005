/** Sessions that agents keep in databases, or spread over many files. Databases need a Node that reads them. */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENTS } from '../../../src/formats/agents.js';
import { printed } from '../../../src/json/print.js';
import { runProgram } from '../../shared/program.js';

const NO_VALUE = null as unknown;
const TOKENS = { input: 100, output: 50, reasoning: 0, cache: { read: 10_000, write: 20 } };
const CURSOR = '9f1c0000-0000-4000-8000-000000000001';

/** https://github.com/aaif-goose/goose/pull/10172 */
function ledgerRow(row: Readonly<Record<string, unknown>>) {
  const empty = { model: NO_VALUE, cache_read_tokens: 0, cache_write_tokens: 0, cost: NO_VALUE, cost_source: NO_VALUE };
  return { session_id: '20261120_1', created_timestamp: 1795255203, ...empty, is_compaction: 0, ...row };
}

type Table = readonly Readonly<Record<string, unknown>>[];

/** What the tables of each agent hold, with what they have in common only by chance left out. */
const TABLES: Readonly<Record<string, { readonly file: string; readonly tables: Readonly<Record<string, Table>> }>> = {
  opencode: {
    file: '.local/share/opencode/opencode.db',
    tables: {
      session: [
        {
          id: 'ses_1',
          project_id: 'p',
          parent_id: NO_VALUE,
          directory: '/p',
          time_created: 1763600000000,
          time_updated: 1763600001000,
        },
      ],
      message: [
        { id: 'msg_1', session_id: 'ses_1', time_created: 1, data: '{"role":"user","time":{"created":1763600000000}}' },
        {
          id: 'msg_2',
          session_id: 'ses_1',
          time_created: 2,
          data: JSON.stringify({
            role: 'assistant',
            modelID: 'claude-sonnet-4-5',
            cost: 0.05,
            time: { created: 1763600000000 },
            tokens: TOKENS,
          }),
        },
      ],
      part: [
        { id: 'prt_1', message_id: 'msg_1', session_id: 'ses_1', data: '{"type":"text","text":"hi"}' },
        {
          id: 'prt_2',
          message_id: 'msg_2',
          session_id: 'ses_1',
          data:
            '{"type":"tool","callID":"c1","tool":"bash","state":{"status":"completed",' +
            '"input":{"n":12345678901234567890},"output":"x","title":"","metadata":{},"time":{"start":1,"end":2}}}',
        },
      ],
    },
  },
  goose: {
    file: '.local/share/goose/sessions/sessions.db',
    tables: {
      sessions: [
        {
          id: '20261120_1',
          model_config_json: '{"model_name":"claude-sonnet-4-5"}',
          created_at: '2026-11-20 10:00:00',
          input_tokens: 1000,
          output_tokens: 200,
          accumulated_input_tokens: 4500,
          accumulated_output_tokens: 500,
          accumulated_cache_read_tokens: 1000,
          accumulated_cost: NO_VALUE,
        },
      ],
      messages: [
        {
          id: 1,
          session_id: '20261120_1',
          role: 'user',
          created_timestamp: 1795255200,
          content_json: '[{"type":"text","text":"hi"}]',
        },
        {
          id: 2,
          session_id: '20261120_1',
          role: 'assistant',
          created_timestamp: 1795255201,
          content_json: JSON.stringify([
            { type: 'thinking', thinking: 'hm' },
            {
              type: 'toolRequest',
              id: 't1',
              toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'ls' } } },
            },
          ]),
        },
        {
          id: 3,
          session_id: '20261120_1',
          role: 'user',
          created_timestamp: 1795255202,
          content_json:
            '[{"type":"toolResponse","id":"t1",' +
            '"toolResult":{"status":"success","value":[{"type":"text","text":"a.txt"}]}}]',
        },
      ],
      // what was used before there was a ledger, a request, and one that compacts
      usage_ledger: [
        ledgerRow({ input_tokens: 500, output_tokens: 100, cost_source: 'carried_forward' }),
        ledgerRow({ model: 'claude-sonnet-4-5', input_tokens: 3000, output_tokens: 300, cache_read_tokens: 1000 }),
        ledgerRow({ model: 'claude-haiku-4-5', input_tokens: 1000, output_tokens: 100, cost: 0.25, is_compaction: 1 }),
      ],
    },
  },
  cursor: {
    file: '.config/Cursor/User/globalStorage/state.vscdb',
    tables: {
      cursorDiskKV: Object.entries({
        [`composerData:${CURSOR}`]: {
          createdAt: 1779815196792,
          modelConfig: { modelName: 'claude-sonnet-4-5' },
          fullConversationHeadersOnly: [{ bubbleId: 'b1' }, { bubbleId: 'b2' }, { bubbleId: 'lost' }],
        },
        'composerData:empty': { fullConversationHeadersOnly: [] },
        [`bubbleId:${CURSOR}:b1`]: { type: 1, text: 'hi' },
        [`bubbleId:${CURSOR}:b2`]: {
          type: 2,
          createdAt: '2026-05-26T17:06:40.792Z',
          tokenCount: { inputTokens: 1000, outputTokens: 100 },
          toolFormerData: { toolCallId: 'tc1', name: 'read_file', rawArgs: '{"path":"a"}', result: 'x' },
        },
      }).map(([key, value]) => ({ key, value: JSON.stringify(value) })),
    },
  },
};

/** Costs at the prices of claude-sonnet-4-5, $3 and $15 a million: https://www.anthropic.com/pricing (2026-11) */
const EXPECTED = [
  ['opencode', 'ses_1', 0.05, 2],
  // the haiku request as it is stated, the other and the rest at the price of sonnet
  ['goose', '20261120_1', 0.25 + (2500 * 3 + 1000 * 0.3 + 400 * 15) / 1e6, 2],
  ['cursor', CURSOR, (1000 * 3 + 100 * 15) / 1e6, 2],
] as const;

const CALL = { tool_call_id: 't1', function_name: 'shell', arguments: { command: 'ls' } };
const DOCUMENTS = {
  opencode: {
    info: { id: 'ses_1', projectID: 'p', directory: '/p', time: { created: 1763600000000, updated: 1763600001000 } },
    messages: [
      { info: { id: 'msg_1', sessionID: 'ses_1', role: 'user' }, parts: [{ id: 'prt_1', type: 'text', text: 'hi' }] },
      { info: { id: 'msg_2', cost: 0.05 }, parts: [{ id: 'prt_2', messageID: 'msg_2', type: 'tool', callID: 'c1' }] },
    ],
  },
  goose: {
    session_id: '20261120_1',
    agent: { name: 'goose', model_name: 'claude-sonnet-4-5' },
    steps: [
      { source: 'user', message: 'hi', timestamp: '2026-11-21T10:00:00.000Z' },
      {
        source: 'agent',
        reasoning_content: 'hm',
        tool_calls: [CALL],
        observation: { results: [{ source_call_id: 't1', content: 'a.txt' }] },
      },
    ],
    final_metrics: { total_prompt_tokens: 4500, total_completion_tokens: 500 },
    extra: {
      requests: [
        { model_name: 'claude-sonnet-4-5', metrics: { prompt_tokens: 3000, cached_tokens: 1000 } },
        { model_name: 'claude-haiku-4-5', timestamp: '2026-11-21T10:00:03.000Z', metrics: { cost_usd: 0.25 } },
      ],
    },
  },
  cursor: {
    session_id: CURSOR,
    agent: { name: 'cursor', model_name: 'claude-sonnet-4-5' },
    steps: [
      { source: 'user', message: 'hi' },
      {
        source: 'agent',
        timestamp: '2026-05-26T17:06:40.792Z',
        tool_calls: [{ tool_call_id: 'tc1', function_name: 'read_file', arguments: { path: 'a' } }],
        observation: { results: [{ source_call_id: 'tc1', content: 'x' }] },
        metrics: { prompt_tokens: 1000, completion_tokens: 100 },
      },
    ],
  },
};

/** Node's own types know it later. */
interface Sqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: unknown[]): void };
    close(): void;
  };
}
const sqlite = ((): Sqlite | undefined => {
  try {
    return createRequire(import.meta.url)('node:sqlite') as Sqlite;
  } catch {
    return undefined;
  }
})();

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-databases-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const ctxTrim = (...words: string[]) =>
  runProgram(words, { cwd: home, env: { HOME: home, TZ: 'UTC', CTX_TRIM_CACHE: 'off', TMPDIR: home } });

describe('a session in a database', () => {
  /** Answers what the agents ask, without SQL: rows of the table, whose column after WHERE has the value. */
  it.each(EXPECTED)('of %s becomes a document', (agent, id) => {
    const { tables } = TABLES[agent]!;
    const select = (sql: string, ...[value]: readonly string[]) => {
      const [, table = '', column = ''] = /FROM (\w+) WHERE (\w+) =/.exec(sql) ?? [];
      if (table === 'sqlite_master') return [{}];
      return (tables[table] ?? [])
        .filter((row) => String(row[column]) === value)
        .map((row) => ({ ...row, data: row['data'] ?? row['value'] }));
    };
    const { database } = AGENTS.find((one) => one.id === agent)!.stores!.find((store) => store.database !== undefined)!;
    expect(database!.session('none', select)).toBeUndefined();
    expect(JSON.parse(printed(database!.session(id, select)!))).toMatchObject(DOCUMENTS[agent]);
  });

  it.runIf(sqlite === undefined)('is left out by a Node that reads none, with its path', () => {
    for (const { file } of Object.values(TABLES)) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), 'SQLite format 3\0');
    }
    const { left_out: left } = JSON.parse(ctxTrim('sessions', '--format', 'json').stdout) as { left_out: object[] };
    const why = expect.stringMatching(/^it is a database, which needs Node 22\.13 or later/) as unknown;
    expect(left).toEqual(
      Object.entries(TABLES).map(([agent, { file }]) =>
        expect.objectContaining({ agent, path: join(home, file), why }),
      ),
    );
    const { status, stderr } = ctxTrim('show', join(home, TABLES['goose']!.file, '20261120_1'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('it is a database')]);
  });

  describe.runIf(sqlite !== undefined)('is read', () => {
    const opened = new Map<string, InstanceType<Sqlite['DatabaseSync']>>();

    beforeAll(() => {
      for (const [agent, { file, tables }] of Object.entries(TABLES)) {
        mkdirSync(dirname(join(home, file)), { recursive: true });
        const database = new sqlite!.DatabaseSync(join(home, file));
        for (const [name, rows] of Object.entries(tables)) {
          const columns = Object.keys(rows[0]!);
          database.exec(`CREATE TABLE ${name} (${columns.join(', ')})`);
          const insert = database.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`);
          for (const row of rows) insert.run(...Object.values(row));
        }
        opened.set(agent, database);
      }
    });
    afterAll(() => opened.forEach((database) => void database.close()));

    it.each(EXPECTED)('of %s by every command, at its cost', (agent, id, cost, messages) => {
      const { sessions } = JSON.parse(ctxTrim('sessions', agent, '--format', 'json').stdout) as { sessions: object[] };
      expect(sessions).toEqual([expect.objectContaining({ id, agent, cost_usd: cost, messages })]);
      if (agent === 'opencode') expect(ctxTrim('patch', `@${id}`).stdout).toContain('12345678901234567890');
      for (const words of [['show'], ['check'], ['stats'], ['report'], ['patch'], ['redact']])
        expect(ctxTrim(...words, `@${id}`).status, words[0]).toBe(0);
    });

    it('of a whole database, as of a folder, which is not written', () => {
      const path = TABLES['opencode']!.file;
      for (const words of [['show'], ['stats'], ['formats']]) {
        const { status, stdout } = ctxTrim(...words, path);
        expect([words, status, stdout.includes('ses_1')]).toEqual([words, 0, true]);
      }
      const { status, stdout, stderr } = ctxTrim('patch', '--write', path);
      expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(/opencode\.db: .* only read .*--output/)]);
    });

    it('whose ids are completed', () => {
      expect(ctxTrim('complete', 'ctx-trim show @ses').stdout.split('\n')).toContain('@ses_1');
      expect(ctxTrim('complete', 'ctx-trim show @goose:2').stdout).toBe('@goose:20261120_1\n');
      expect(ctxTrim('complete', 'ctx-trim show @').stdout.split('\n')).toEqual(
        expect.arrayContaining(['@opencode', '@goose', '@cursor']),
      );
    });

    it('and messages that are listed but missing are said', () => {
      const said = '1 message of 1 session is listed in it but missing: figures are without it';
      const { left_out: left } = JSON.parse(ctxTrim('sessions', '--format', 'json').stdout) as { left_out: object[] };
      expect(left).toEqual([{ agent: 'cursor', path: join(home, TABLES['cursor']!.file), sessions: null, why: said }]);
      for (const words of [
        ['stats', '@all'],
        ['show', '@cursor:last'],
      ])
        expect(ctxTrim(...words).stderr.split(said)).toHaveLength(2);
      expect(ctxTrim('stats', '@opencode').stderr).not.toContain('missing');
    });

    it('with what stands in its log only, and nothing is left behind', () => {
      const database = opened.get('opencode')!;
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`UPDATE session SET directory = '/new'`);
      const before = readdirSync(home, { recursive: true });
      expect(ctxTrim('sessions', 'opencode', '--format', 'json').stdout).toContain('"/new"');
      expect(readdirSync(home, { recursive: true })).toEqual(before);
    });

    it('but not where it is broken, or has other tables, and the others still are', () => {
      opened.get('cursor')!.exec('ALTER TABLE cursorDiskKV RENAME TO other');
      opened.get('goose')!.close();
      opened.delete('goose');
      writeFileSync(join(home, TABLES['goose']!.file), 'no database at all'.repeat(100));
      const { stdout, stderr, status } = ctxTrim('stats', '@all', '--by', 'agent', '--format', 'csv');
      expect([status, stdout]).toEqual([0, expect.stringMatching(/,opencode,/)]);
      expect(stderr).toMatch(/sessions\.db is left out: it is broken .*\n.*its tables are none that are known/);
    });
  });
});

it('a database of another program is refused', () => {
  writeFileSync(join(home, 'other.db'), 'SQLite format 3\0');
  const { status, stdout, stderr } = ctxTrim('stats', 'other.db');
  const why = /other\.db: it is a database of SQLite; those of agents are read, by their names: opencode\.db/;
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(why)]);
});

const SPREAD = '.local/share/opencode/storage';

describe('a session that is spread over many files', () => {
  beforeAll(() => {
    const files = {
      'session/p/ses_2.json': { id: 'ses_2', projectID: 'p', directory: '/p', time: { created: 1763600000000 } },
      'message/ses_2/msg_1.json': { id: 'msg_1', sessionID: 'ses_2', role: 'user', time: { created: 1763600000000 } },
      'message/ses_2/msg_2.json': {
        id: 'msg_2',
        sessionID: 'ses_2',
        role: 'assistant',
        modelID: 'claude-sonnet-4-5',
        cost: 0.07,
        time: { created: 1763600001000 },
        tokens: TOKENS,
      },
      'part/msg_1/prt_1.json': { id: 'prt_1', sessionID: 'ses_2', messageID: 'msg_1', type: 'text', text: 'hi' },
      'part/msg_2/prt_2.json': { id: 'prt_2', sessionID: 'ses_2', messageID: 'msg_2', type: 'text', text: 'ho' },
    };
    for (const [name, value] of Object.entries(files)) {
      mkdirSync(dirname(join(home, SPREAD, name)), { recursive: true });
      appendFileSync(join(home, SPREAD, name), JSON.stringify(value));
    }
  });

  it('is one', () => {
    const { sessions } = JSON.parse(ctxTrim('sessions', 'opencode', '--format', 'json').stdout) as {
      sessions: object[];
    };
    expect(sessions).toContainEqual(expect.objectContaining({ id: 'ses_2', messages: 2, cost_usd: 0.07 }));
    expect(ctxTrim('show', '@ses_2').stdout).toMatch(/hi[\s\S]*ho/);
  });

  it('is not written', () => {
    const { status, stderr } = ctxTrim('patch', '--write', join(home, SPREAD, 'session/p/ses_2.json'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('only read and stay as they are')]);
  });
});
