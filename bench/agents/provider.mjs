// A provider on this machine: it answers each request in the API of the request, and keeps the bodies.
import { createServer } from 'node:http';

/** What it says, and the counts that it states: `input` with what was read from the cache, `output` with reasoning. */
const DONE = { text: 'Done.', call: undefined, input: 10, cached: 0, output: 2, reasoning: 0 };

/** `replyTo`: the reply to a body, in the shape of `DONE`; a call is `{id, name, args}`. */
export async function startProvider(replyTo = () => DONE) {
  const bodies = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = parsed(Buffer.concat(chunks).toString());
      if (body?.messages ?? body?.input ?? body?.contents) bodies.push(body);
      answer(request.url ?? '', body ?? {}, response, replyTo);
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

function answer(url, body, response, replyTo) {
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
  const { model } = body;
  if (url.includes('/messages')) {
    const message = messageOf(model, replyTo(body));
    return body.stream ? stream(messageEvents(message), true) : json(message);
  }
  if (url.includes('/responses')) {
    const reply = responseOf(model, replyTo(body));
    return body.stream === false ? json(reply) : stream(responseEvents(reply), true);
  }
  if (url.includes('/chat/completions')) {
    const reply = replyTo(body);
    return body.stream ? stream(chatEvents(model, reply)) : json(completionOf(model, reply));
  }
  if (url.includes('enerateContent')) {
    const content = contentOf(replyTo(body));
    return url.includes('stream') ? stream([content]) : json(content);
  }
  if (url.includes('/models')) return json({ object: 'list', data: [{ id: 'here', object: 'model' }], models: [] });
  response.writeHead(404);
  return response.end('{}');
}

// --- Anthropic Messages

function messageOf(model, { text, call, input, cached, output }) {
  const use = call && { type: 'tool_use', id: call.id, name: call.name, input: call.args };
  return {
    ...{ id: `msg_${input}`, type: 'message', role: 'assistant', model },
    content: [{ type: 'text', text }, ...(use ? [use] : [])],
    ...{ stop_reason: use ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: output },
  };
}

function messageEvents(message) {
  const { content, stop_reason, usage } = message;
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => {
      const isText = block.type === 'text';
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      return [
        { type: 'content_block_start', index, content_block: { ...block, ...(isText ? { text: '' } : { input: {} }) } },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ];
    }),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    },
    { type: 'message_stop' },
  ];
}

// --- OpenAI Responses

function responseOf(model, { text, call, input, cached, output, reasoning }) {
  const message = { id: `m_${input}`, type: 'message', role: 'assistant', status: 'completed' };
  const use = call && { ...{ id: `fc_${call.id}`, type: 'function_call', call_id: call.id, name: call.name } };
  return {
    ...{ id: `resp_${input}`, object: 'response', created_at: 1, model, status: 'completed' },
    output: [
      { ...message, content: [{ type: 'output_text', text, annotations: [] }] },
      ...(use ? [{ ...use, arguments: JSON.stringify(call.args), status: 'completed' }] : []),
    ],
    usage: {
      ...{ input_tokens: input, input_tokens_details: { cached_tokens: cached }, total_tokens: input + output },
      ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: reasoning } },
    },
  };
}

function responseEvents(response) {
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    ...response.output.flatMap((item, output_index) => {
      const [own, item_id] = [{ output_index }, item.id];
      if (item.type !== 'message')
        return [
          { type: 'response.output_item.added', ...own, item: { ...item, arguments: '' } },
          { type: 'response.function_call_arguments.delta', ...own, item_id, delta: item.arguments },
          { type: 'response.function_call_arguments.done', ...own, item_id, arguments: item.arguments },
          { type: 'response.output_item.done', ...own, item },
        ];
      const [{ text }] = item.content;
      return [
        { type: 'response.output_item.added', ...own, item: { ...item, content: [] } },
        { type: 'response.output_text.delta', ...own, item_id, content_index: 0, delta: text },
        { type: 'response.output_text.done', ...own, item_id, content_index: 0, text },
        { type: 'response.output_item.done', ...own, item },
      ];
    }),
    { type: 'response.completed', response },
  ];
}

// --- OpenAI Chat Completions

function chatUsage({ input, cached, output, reasoning }) {
  return {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function chatCalls(call) {
  return [{ id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }];
}

function completionOf(model, reply) {
  const message = { role: 'assistant', content: reply.text };
  const calls = reply.call && chatCalls(reply.call);
  return {
    ...{ id: `c${reply.input}`, object: 'chat.completion', created: 1, model, usage: chatUsage(reply) },
    choices: [
      {
        index: 0,
        message: { ...message, ...(calls && { tool_calls: calls }) },
        finish_reason: calls ? 'tool_calls' : 'stop',
      },
    ],
  };
}

function chatEvents(model, reply) {
  const chunk = { id: `c${reply.input}`, object: 'chat.completion.chunk', created: 1, model };
  const calls = reply.call && chatCalls(reply.call).map((call) => ({ index: 0, ...call }));
  const choice = (delta, finish_reason = null) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason }] });
  return [
    choice({ role: 'assistant', content: reply.text }),
    ...(calls ? [choice({ tool_calls: calls })] : []),
    choice({}, calls ? 'tool_calls' : 'stop'),
    { ...chunk, choices: [], usage: chatUsage(reply) },
    '[DONE]',
  ];
}

// --- Gemini

function contentOf({ text, call, input, cached, output, reasoning }) {
  const use = call && { functionCall: { id: call.id, name: call.name, args: call.args } };
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text }, ...(use ? [use] : [])] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: {
      ...{ promptTokenCount: input, cachedContentTokenCount: cached, candidatesTokenCount: output - reasoning },
      ...{ thoughtsTokenCount: reasoning, totalTokenCount: input + output },
    },
    ...{ modelVersion: 'gemini-2.5-pro', responseId: `r${input}` },
  };
}
