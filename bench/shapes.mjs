// Transcripts of so many calls in the shapes that tempt a program to look at every call for every other, written in
// several formats.

/** What is said, one after the other: texts, calls and results, each with the id that it is known by, if any. */
const user = (text) => ({ user: text });
const model = (text, calls = []) => ({ text, calls });
const results = (list) => ({ results: list });
const each = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const call = (id, index) => ({ id, name: `tool${index % 7}`, path: `f${index % 100}` });
const result = (id, index) => ({ id, name: `tool${index % 7}`, text: `what is in f${index}, and a little more of it` });
const pairsOf = (count, id) => [each(count, (at) => call(id(at), at)), each(count, (at) => result(id(at), at))];
const own = (at) => `call_${at}`;
const none = () => undefined;
const ask = user('Read them all.');

/** More than 2,000 characters, with colors, a progress bar and repeated lines. */
const noise = (at) =>
  [
    `\u001b[32mStep ${at}\u001b[0m`,
    each(20, (done) => `Reading: ${done * 5} %\r`).join(''),
    `${'warning: not used\n'.repeat(40)}${'.'.repeat(1200)}`,
  ].join('\n');

/** Each with `size` calls, results or messages. */
export const shapes = {
  'one id in one message': (size) => {
    const [calls, answers] = pairsOf(size, () => 'call_0');
    return [ask, model('', calls), results(answers)];
  },
  'one id again and again': (size) =>
    [ask].concat(each(size, (at) => [model('', [call('call_0', at)]), results([result('call_0', at)])]).flat()),
  'one message': (size) => {
    const [calls, answers] = pairsOf(size, own);
    return [ask, model('', calls), results(answers)];
  },
  'no ids, one message': (size) => {
    const [calls, answers] = pairsOf(size, none);
    return [ask, model('', calls), results(answers)];
  },
  'no ids, one tool': (size) => {
    const [calls, answers] = pairsOf(size, none);
    return [
      ask,
      model(
        '',
        calls.map((at) => ({ ...at, name: 'a' })),
      ),
      results(answers.map((at) => ({ ...at, name: 'b' }))),
    ];
  },
  'no ids, one by one': (size) =>
    [ask].concat(each(size, (at) => [model('', [call(undefined, at)]), results([result(undefined, at)])]).flat()),
  'no ids, all before all': (size) => [
    ask,
    ...each(size, (at) => model('', [call(undefined, at)])),
    ...each(size, (at) => results([result(undefined, at)])),
  ],
  'empty ids': (size) => {
    const [calls] = pairsOf(size, () => '');
    return [ask, model('', calls), results(each(size, (at) => result(own(at), at)))];
  },
  'results first': (size) => {
    const [calls, answers] = pairsOf(size, own);
    return [ask, ...answers.map((answer) => results([answer])), ...calls.map((made) => model('', [made]))];
  },
  'results of one id first': (size) => {
    const [calls, answers] = pairsOf(size, () => 'call_0');
    return [ask, ...answers.map((answer) => results([answer])), ...calls.map((made) => model('', [made]))];
  },
  'late results': (size) => {
    const [calls, answers] = pairsOf(size, own);
    return [ask, ...calls.map((made) => model('', [made])), user('Well?'), results(answers.reverse())];
  },
  'late results of one id': (size) => {
    const [calls, answers] = pairsOf(size, () => 'call_0');
    return [
      ask,
      ...calls.map((made) => model('', [made])),
      user('Well?'),
      ...answers.map((answer) => results([answer])),
    ];
  },
  'calls alone': (size) => [ask, ...each(size, (at) => model('', [call(own(at), at)]))],
  'results alone': (size) => [ask, ...each(size, (at) => results([result(own(at), at)]))],
  'many results of a call': (size) => [
    ask,
    model('', [call('call_0', 0)]),
    results(each(size, (at) => result('call_0', at))),
  ],
  rounds: (size) =>
    [ask].concat(each(size, (at) => [model('', [call(own(at), at)]), results([result(own(at), at)])]).flat()),
  'long results': (size) =>
    [ask].concat(
      each(Math.ceil(size / 4), (at) => [
        model('', [call(own(at), at)]),
        results([{ ...result(own(at), at), text: noise(at) }]),
      ]).flat(),
    ),
  chat: (size) => each(size, (at) => [user(`Question ${at}`), model(`Answer ${at}`)]).flat(),
  'user after user': (size) => each(size, (at) => user(`Question ${at}`)),
};

/** How a format writes what is said: one text, a record a line where it is a log. */
export const writers = {
  'openai-chat': (said) => document({ model: 'gpt-4o', messages: chat(said) }),
  'anthropic-messages': (said) =>
    document({ model: 'claude-sonnet-4-5-20250929', max_tokens: 1000, messages: blocks(said) }),
  'gemini-contents': (said) => document({ model: 'gemini-2.5-pro', contents: contents(said) }),
  'openai-responses': (said) => document({ model: 'gpt-4o', input: items(said) }),
  'claude-code': (said) =>
    blocks(said)
      .map((message, at) =>
        document({
          parentUuid: at === 0 ? null : `u${at - 1}`,
          isSidechain: false,
          sessionId: 's',
          type: message.role,
          message:
            message.role === 'user'
              ? message
              : { id: `m${at}`, type: 'message', model: 'claude-sonnet-4-5-20250929', ...message },
          uuid: `u${at}`,
          timestamp: '2026-01-01T00:00:00.000Z',
        }),
      )
      .join(''),
  'codex-rollout': (said) =>
    [
      { type: 'session_meta', payload: { id: 's', cwd: '/src', cli_version: '0.146.0', model_provider: 'openai' } },
      { type: 'turn_context', payload: { cwd: '/src', model: 'gpt-5.2-codex' } },
      ...rolloutItems(said).map((payload) => ({ type: 'response_item', payload })),
    ]
      .map((line) => document({ timestamp: '2026-01-01T00:00:00.000Z', ...line }))
      .join(''),
};

const document = (value) => `${JSON.stringify(value)}\n`;
const args = ({ path }) => JSON.stringify({ path });

function chat(said) {
  return said.flatMap(({ user: asked, text, calls, results: answers }) => {
    if (asked !== undefined) return [{ role: 'user', content: asked }];
    if (answers !== undefined)
      return answers.map(({ id, text: content }) => ({ role: 'tool', tool_call_id: id, content }));
    const made = calls.map((one) => ({
      id: one.id,
      type: 'function',
      function: { name: one.name, arguments: args(one) },
    }));
    return [{ role: 'assistant', content: text || null, ...(made.length > 0 && { tool_calls: made }) }];
  });
}

function blocks(said) {
  return said.map(({ user: asked, text, calls, results: answers }) => {
    if (asked !== undefined) return { role: 'user', content: asked };
    if (answers !== undefined)
      return {
        role: 'user',
        content: answers.map((one) => ({ type: 'tool_result', tool_use_id: one.id, content: one.text })),
      };
    return {
      role: 'assistant',
      content: [
        ...(text ? [{ type: 'text', text }] : []),
        ...calls.map(({ id, name, path }) => ({ type: 'tool_use', id, name, input: { path } })),
      ],
    };
  });
}

function contents(said) {
  return said.map(({ user: asked, text, calls, results: answers }) => {
    if (asked !== undefined) return { role: 'user', parts: [{ text: asked }] };
    if (answers !== undefined)
      return {
        role: 'user',
        parts: answers.map(({ id, name, text: output }) => ({ functionResponse: { id, name, response: { output } } })),
      };
    return {
      role: 'model',
      parts: [
        ...(text ? [{ text }] : []),
        ...calls.map(({ id, name, path }) => ({ functionCall: { id, name, args: { path } } })),
      ],
    };
  });
}

function items(said) {
  return said.flatMap(({ user: asked, text, calls, results: answers }) => {
    if (asked !== undefined) return [{ role: 'user', content: asked }];
    if (answers !== undefined)
      return answers.map(({ id, text: output }) => ({ type: 'function_call_output', call_id: id, output }));
    return [
      ...(text ? [{ role: 'assistant', content: text }] : []),
      ...calls.map((one) => ({ type: 'function_call', call_id: one.id, name: one.name, arguments: args(one) })),
    ];
  });
}

/** Those of Codex: contents are blocks. */
function rolloutItems(said) {
  return items(said).map((item) => {
    if (item.content === undefined) return item;
    const type = item.role === 'user' ? 'input_text' : 'output_text';
    return { type: 'message', role: item.role, content: [{ type, text: item.content }] };
  });
}

/** Many transcripts in one record: runs of a dataset, each with a call. */
export function runs(size) {
  const [calls, answers] = pairsOf(1, own);
  const messages = chat([ask, model('', calls), results(answers), model('Done.')]);
  return document({ runs: each(size, () => ({ messages })) });
}
