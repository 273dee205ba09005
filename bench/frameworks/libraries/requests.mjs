/** Agents that send request bodies themselves, with the clients of OpenAI and Anthropic, whose `fetch` records them. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

const OPENAI = {
  client: (fetch) => new OpenAI({ apiKey: 'none', fetch, maxRetries: 0 }),
  fixed: { model: 'gpt-5' },
};
const BODIES = {
  chat: {
    from: 'openai-chat',
    list: 'messages',
    messagesOf: chatMessages,
    ...OPENAI,
    send: (client, body, options) => client.chat.completions.create(body, options),
  },
  responses: {
    from: 'openai-responses',
    list: 'input',
    messagesOf: responseItems,
    ...OPENAI,
    send: (client, body, options) => client.responses.create(body, options),
  },
  anthropic: {
    from: 'anthropic-messages',
    list: 'messages',
    messagesOf: blockMessages,
    client: (fetch) => new Anthropic({ apiKey: 'none', fetch, maxRetries: 0 }),
    send: (client, body, options) => client.messages.create(body, options),
    fixed: { model: 'claude-opus-4-6', max_tokens: 100 },
    cache: 'anthropic',
  },
};

/** `name`: chat, responses or anthropic. An agent of twenty lines, as users write them. */
export function requests(name) {
  const { from, cache, list, messagesOf, client, send, fixed } = BODIES[name];
  async function talk({ turns, history = [], prompt, hooks, onSent, onTool, isStreamed, abortAt }) {
    let messages = [...history, ...(prompt === undefined ? [] : messagesOf({ who: 'user', text: prompt }))];
    let sent = 0;
    const controller = new AbortController();
    const fetch = async (_, { body }) => {
      onSent(JSON.parse(body)[list]);
      if (sent++ === abortAt) controller.abort();
      controller.signal.throwIfAborted();
      const type = isStreamed ? 'text/event-stream' : 'application/json';
      return new Response(isStreamed ? '' : '{}', { headers: { 'content-type': type } });
    };
    const api = client(fetch);
    for (const { text, calls } of turns) {
      const body = { ...fixed, [list]: messages, ...(isStreamed && { stream: true }) };
      try {
        await send(api, hooks === undefined ? body : await hooks.request(body), { signal: controller.signal });
      } catch (error) {
        if (abortAt === undefined) throw error;
        return messages;
      }
      const answered = [];
      for (const call of calls) answered.push({ ...call, result: await onTool(call.id) });
      messages = [...messages, ...messagesOf({ who: 'assistant', text, calls: answered })];
    }
    return messages;
  }
  return { from, cache, talk, messagesOf };
}

const answeredOf = ({ calls }) => calls.filter(({ result }) => result !== undefined);

function chatMessages(turn) {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const calls = turn.calls.map(({ id, tool: name, args }) => ({
    ...{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
  }));
  return [
    { role: 'assistant', content: turn.text, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
    ...answeredOf(turn).map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  ];
}

function responseItems(turn) {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const said = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: turn.text, annotations: [] }],
  };
  return [
    ...(turn.text === '' && turn.calls.length > 0 ? [] : [said]),
    ...turn.calls.map(({ id: call_id, tool: name, args }) => ({
      ...{ type: 'function_call', call_id, name, arguments: JSON.stringify(args) },
    })),
    ...answeredOf(turn).map(({ id: call_id, result: output }) => ({ type: 'function_call_output', call_id, output })),
  ];
}

function blockMessages(turn) {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const said = turn.text === '' ? [] : [{ type: 'text', text: turn.text }];
  const calls = turn.calls.map(({ id, tool: name, args }) => ({ type: 'tool_use', id, name, input: args }));
  const results = answeredOf(turn).map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result }));
  return [
    { role: 'assistant', content: [...said, ...calls] },
    ...(results.length === 0 ? [] : [{ role: 'user', content: results }]),
  ];
}
