/** LangChain: `createAgent` with our middleware, and the middleware that asks a person. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, createMiddleware, humanInTheLoopMiddleware } from 'langchain';
import { z } from 'zod';
import { TOOLS } from '../turns.mjs';

class FakeModel extends BaseChatModel {
  constructor(options) {
    super({});
    Object.assign(this, { options, at: 0, model: 'gpt-5' });
  }
  _llmType() {
    return 'fake';
  }
  bindTools() {
    return this;
  }
  next(messages) {
    const { turns, onSent, abortAt, abort } = this.options;
    onSent(messages);
    const index = this.at++;
    if (index === abortAt) {
      abort();
      throw new Error('aborted');
    }
    return messageOf(turns[index]);
  }
  async _generate(messages) {
    return { generations: [{ text: '', message: this.next(messages) }] };
  }
  async *_streamResponseChunks(messages) {
    const { content, tool_calls } = this.next(messages);
    const chunks = tool_calls.map(({ id, name, args }, index) => ({ id, name, index, args: JSON.stringify(args) }));
    const message = new AIMessageChunk({ content, tool_call_chunks: chunks });
    yield new ChatGenerationChunk({ text: content, message });
  }
}

function agentFor({ turns, hooks, onSent, onTool, abortAt }, more = [], options = {}) {
  const controller = new AbortController();
  const model = new FakeModel({ turns, onSent, abortAt, abort: () => controller.abort() });
  const tools = TOOLS.map((name) =>
    tool(async (_, { toolCall }) => onTool(toolCall.id), {
      name,
      description: name,
      schema: z.object({ q: z.string() }),
    }),
  );
  const middleware = [...(hooks === undefined ? [] : [createMiddleware(hooks)]), ...more];
  return { agent: createAgent({ model, tools, middleware, ...options }), signal: controller.signal };
}

async function talk(options) {
  const { history = [], prompt, isStreamed, abortAt } = options;
  const messages = [...history, ...(prompt === undefined ? [] : [new HumanMessage(prompt)])];
  const { agent, signal } = agentFor(options);
  const config = { recursionLimit: 100_000, signal };
  let last = messages;
  try {
    if (isStreamed || abortAt !== undefined) {
      const streamMode = isStreamed ? ['values', 'messages'] : ['values'];
      for await (const [mode, value] of await agent.stream({ messages }, { ...config, streamMode }))
        if (mode === 'values') last = value.messages;
    } else last = (await agent.invoke({ messages }, config)).messages;
  } catch (error) {
    if (abortAt === undefined) throw error;
  }
  return last;
}

/** The user is asked about both calls, and takes the first. */
async function approve(options) {
  const interruptOn = Object.fromEntries(TOOLS.map((name) => [name, { allowedDecisions: ['approve', 'reject'] }]));
  const { agent } = agentFor(options, [humanInTheLoopMiddleware({ interruptOn })], { checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: '1' }, recursionLimit: 1000 };
  await agent.invoke({ messages: [...options.history, new HumanMessage('Run.')] }, config);
  const decisions = [{ type: 'approve' }, { type: 'reject', message: 'Not this one.' }];
  return (await agent.invoke(new Command({ resume: { decisions } }), config)).messages;
}

export const langchain = { from: 'langchain', talk, approve, messagesOf, plain: plainOf };

/** What a provider is sent of a message: the framework gives each run other ids and metadata. */
function plainOf(message) {
  const { kwargs } = JSON.parse(JSON.stringify(message));
  const { content, tool_calls = [], tool_call_id, name } = kwargs;
  return [content, tool_calls.map(({ id, name: tool, args }) => [id, tool, args]), tool_call_id, name];
}

function messageOf({ text, calls }) {
  const tool_calls = calls.map(({ id, tool: name, args }) => ({ id, name, args, type: 'tool_call' }));
  return new AIMessage({ content: text, tool_calls });
}

function messagesOf(turn) {
  if (turn.who === 'user') return [new HumanMessage(turn.text)];
  const results = turn.calls.filter(({ result }) => result !== undefined);
  return [
    messageOf(turn),
    ...results.map(({ id, tool: name, result }) => new ToolMessage({ content: result, tool_call_id: id, name })),
  ];
}
