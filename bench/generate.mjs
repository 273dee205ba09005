// Prints transcripts that are made up, always the same for the same words: `node bench/generate.mjs runs 100` is 100 MB
// of agent runs as JSON Lines, `chats` are conversations without tools, `array` is runs in one JSON array, `session
// 10000` is one transcript of so many messages, `claude-code 100 folder` writes logs of Claude Code with usage into a
// folder.
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = [
  'error',
  'file',
  'return',
  'const',
  'value',
  'line',
  'test',
  'import',
  'index',
  'state',
  'the',
  'is',
  'not',
  '42',
  '=>',
  '{}',
  '"quoted"',
  'naïve',
  '日本語',
  'a\nbreak',
];

/** The same numbers for the same seed. */
export function randomFrom(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

export function textOf(random, words) {
  return Array.from({ length: words }, () => WORDS[random(WORDS.length)]).join(' ');
}

export function run(random, rounds) {
  const messages = [
    { role: 'system', content: textOf(random, 200) },
    { role: 'user', content: textOf(random, 40) },
  ];
  for (let round = 0; round < rounds; round++) {
    const id = `call_${random(1e9).toString(36)}`;
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id,
          type: 'function',
          function: { name: 'read_file', arguments: JSON.stringify({ path: textOf(random, 2) }) },
        },
      ],
    });
    messages.push({ role: 'tool', tool_call_id: id, content: textOf(random, 50 + random(400)) });
    messages.push({ role: 'assistant', content: textOf(random, 30) });
  }
  return { model: 'gpt-4o', messages };
}

export function chat(random) {
  const messages = [{ role: 'system', content: textOf(random, 100) }];
  for (let turn = 0; turn < 6; turn++)
    messages.push({ role: 'user', content: textOf(random, 60) }, { role: 'assistant', content: textOf(random, 200) });
  return { model: 'gpt-4o', messages };
}

/** A session of Claude Code, as its log has it, with the usage of each response. */
export function claudeCode(random, session, rounds) {
  const lines = [];
  let parent = null;
  const line = (type, message, more = {}) => {
    const uuid = `${session}-${lines.length}`;
    lines.push(
      JSON.stringify({
        parentUuid: parent,
        isSidechain: false,
        userType: 'external',
        cwd: '/project',
        sessionId: `session-${session}`,
        version: '2.0.0',
        type,
        message,
        uuid,
        timestamp: new Date(Date.UTC(2026, 0, 1) + lines.length * 1000).toISOString(),
        ...more,
      }),
    );
    parent = uuid;
  };
  line('user', { role: 'user', content: textOf(random, 30) });
  for (let round = 0; round < rounds; round++) {
    const id = `toolu_${session}_${round}`;
    const usage = {
      input_tokens: random(50),
      cache_creation_input_tokens: random(2000),
      cache_read_input_tokens: 10000 + 500 * round,
      output_tokens: 1 + random(300),
      service_tier: 'standard',
    };
    line(
      'assistant',
      {
        id: `msg_${session}_${round}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: textOf(random, 2) } }],
        usage,
      },
      { requestId: `req_${session}_${round}` },
    );
    line('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: textOf(random, 100 + random(600)) }],
    });
  }
  return `${lines.join('\n')}\n`;
}

/** Writes as much as the reader takes: a full pipe is waited for. */
function put(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(0);
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function main([kind = 'runs', size = '10', folder]) {
  const random = randomFrom(1);
  const bytes = Number(size) * 1e6;
  if (kind === 'session') return put(`${JSON.stringify(run(random, Math.ceil(Number(size) / 3)))}\n`);
  if (kind === 'claude-code') {
    for (let session = 0, done = 0; done < bytes; session++) {
      mkdirSync(join(folder, 'projects', `p${session % 20}`), { recursive: true });
      const log = claudeCode(random, session, 200);
      writeFileSync(join(folder, 'projects', `p${session % 20}`, `${session}.jsonl`), log);
      done += log.length;
    }
    return;
  }
  // a block of lines that is told apart from the next by a number alone: gigabytes are made as fast as they can be read
  const block = Array.from({ length: 200 }, () => JSON.stringify(kind === 'chats' ? chat(random) : run(random, 6)));
  if (kind === 'array') put('[\n');
  for (let done = 0, count = 0; done < bytes; count++) {
    const part = block
      .map((line, index) => `{"id":"${count}-${index}",${line.slice(1)}`)
      .join(kind === 'array' ? ',\n' : '\n');
    put(kind === 'array' && count > 0 ? `,\n${part}` : kind === 'array' ? part : `${part}\n`);
    done += Buffer.byteLength(part);
  }
  if (kind === 'array') put('\n]\n');
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
