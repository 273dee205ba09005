// A provider on this machine: it answers each request with "Done.", in the API of the request, and keeps the bodies.
import { createServer } from 'node:http';

export async function startProvider() {
  const bodies = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = parsed(Buffer.concat(chunks).toString());
      if (body?.messages ?? body?.input ?? body?.contents) bodies.push(body);
      answer(request.url ?? '', body ?? {}, response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, bodies, close: () => server.close() };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answer(url, body, response) {
  const json = (value) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  const stream = (events, isNamed = false) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      const data = typeof event === 'string' ? event : JSON.stringify(event);
      response.write(`${isNamed ? `event: ${event.type}\n` : ''}data: ${data}\n\n`);
    }
    response.end();
  };
  if (url.includes('count_tokens')) return json({ input_tokens: 10 });
  if (url.includes('/messages'))
    return body.stream ? stream(messageEvents(body.model), true) : json(message(body.model));
  if (url.includes('/responses')) return stream(responseEvents(body.model), true);
  if (url.includes('/chat/completions')) return stream(chatEvents(body.model));
  if (url.includes('enerateContent')) return url.includes('stream') ? stream([CONTENT]) : json(CONTENT);
  if (url.includes('/models')) return json({ object: 'list', data: [], models: [] });
  response.writeHead(404);
  return response.end('{}');
}

function message(model) {
  const usage = { input_tokens: 10, output_tokens: 2 };
  const content = [{ type: 'text', text: 'Done.' }];
  return { id: 'msg_x', type: 'message', role: 'assistant', model, content, stop_reason: 'end_turn', usage };
}

function messageEvents(model) {
  return [
    { type: 'message_start', message: { ...message(model), content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ];
}

function responseEvents(model) {
  const content = [{ type: 'output_text', text: 'Done.', annotations: [] }];
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  const usage = {
    ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, total_tokens: 12 },
    ...{ output_tokens: 2, output_tokens_details: { reasoning_tokens: 0 } },
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model,
    status: 'completed',
    output: [item],
    usage,
  };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
}

function chatEvents(model) {
  const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model };
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  return [
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
    '[DONE]',
  ];
}

const CONTENT = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
  modelVersion: 'gemini-2.5-pro',
};
