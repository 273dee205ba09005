// A provider on this machine: it answers with the replies of a script, and keeps the messages that it was sent.
import { createServer } from 'node:http';

/**
 * Serves Chat Completions and Anthropic Messages. `replies`: lists of shell commands, each a reply that calls the tool
 * `tool` so often; then it says `done`. `sent` has the messages of each request that offers tools.
 */
export async function serve(replies, tool) {
  const sent = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await textOf(request)) || '{}');
    const isAsked = body.tools?.length > 0; // titles and the like are asked for without tools
    if (isAsked) sent.push(body.messages);
    const commands = isAsked ? (replies[sent.length - 1] ?? []) : [];
    const calls = commands.map((command, index) => ({
      id: `toolu_${sent.length}_${index}`,
      name: tool,
      args: { command, description: 'a command' },
    }));
    const events = request.url.includes('/messages') ? anthropic(calls) : openAi(calls);
    if (body.stream !== true) return response.end(JSON.stringify(events.whole));
    response.setHeader('content-type', 'text/event-stream');
    response.end(events.stream.join(''));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { sent, url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function openAi(calls) {
  const event = (delta, reason = null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })}\n\n`;
  const tool_calls = calls.map(({ id, name, args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = calls.length === 0 ? { content: 'done' } : { content: 'next', tool_calls };
  const reason = calls.length === 0 ? 'stop' : 'tool_calls';
  return {
    stream: [event({ role: 'assistant', ...message }), event({}, reason), 'data: [DONE]\n\n'],
    whole: { choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }] },
  };
}

function anthropic(calls) {
  const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const blocks = [
    { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: calls.length === 0 ? 'done' : 'next' } },
    ...calls.map(({ id, name, args }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(args) },
    })),
  ];
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [], usage };
  const stop_reason = calls.length === 0 ? 'end_turn' : 'tool_use';
  return {
    stream: [
      event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }),
      ...blocks.flatMap(({ start, delta }, index) => [
        event('content_block_start', { index, content_block: start }),
        event('content_block_delta', { index, delta }),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage }),
      event('message_stop', {}),
    ],
    whole: { ...message, content: [{ type: 'text', text: 'done' }], stop_reason },
  };
}
