// What a request holds, read by the rules of its API alone, and not with this program's own formats.

/** The texts of user and model, the calls and the results; what the agent itself adds is in them. */
export function saidIn(body) {
  if (body.contents !== undefined) return ofContents(body.contents);
  if (body.input !== undefined) return ofItems(body.input);
  return ofMessages(body.messages);
}

const empty = () => ({ texts: [], calls: [], results: [] });

function textOf(content) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === null || content === undefined ? '' : JSON.stringify(content);
  return content.map((part) => part.text ?? '').join('\n');
}

/** Anthropic's messages, and OpenAI's chats. */
function ofMessages(messages) {
  const said = empty();
  for (const { role, content, tool_calls = [] } of messages) {
    for (const call of tool_calls) said.calls.push(`${call.function.name} ${call.function.arguments}`);
    if (role === 'tool') said.results.push(textOf(content));
    else if (role === 'system' || role === 'developer') continue;
    else if (typeof content === 'string') said.texts.push(content);
    else
      for (const part of content ?? []) {
        if (part.type === 'text') said.texts.push(part.text);
        if (part.type === 'tool_use') said.calls.push(`${part.name} ${JSON.stringify(part.input)}`);
        if (part.type === 'tool_result') said.results.push(textOf(part.content));
      }
  }
  return said;
}

function ofItems(items) {
  const said = empty();
  for (const item of items) {
    if (item.type === 'message' && item.role !== 'developer')
      for (const { text } of item.content) said.texts.push(text ?? '');
    if (/_call$/.test(item.type)) said.calls.push(`${item.name} ${item.arguments ?? item.input}`);
    if (/_call_output$/.test(item.type)) said.results.push(textOf(item.output));
  }
  return said;
}

function ofContents(contents) {
  const said = empty();
  for (const { parts } of contents)
    for (const { text, thought, functionCall, functionResponse } of parts) {
      if (text !== undefined && thought !== true) said.texts.push(text);
      if (functionCall) said.calls.push(`${functionCall.name} ${JSON.stringify(functionCall.args)}`);
      if (functionResponse)
        said.results.push(
          String(
            functionResponse.response.output ??
              functionResponse.response.error ??
              functionResponse.response.result ??
              JSON.stringify(functionResponse.response),
          ),
        );
    }
  return said;
}

/** The texts and results of one request that another does not hold anywhere. Agents break and trim texts. */
export function missingIn(said, other) {
  const all = bare([...other.texts, ...other.results, ...other.calls].join('\n'));
  const wanted = [...said.texts, ...said.results].filter((text) => text.trim() !== '');
  return wanted.filter((text) => !all.includes(bare(text)));
}

function bare(text) {
  return text.replace(/\s+/g, '');
}
