/** Mastra: an agent with a memory, tools, and our processor. */
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { TOOLS } from '../turns.mjs';
import { modelMessages, modelOf } from './ai-sdk.mjs';

const PLACE = { thread: 't', resource: 'r' };
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

function fakeModel({ turns, onSent, abortAt, abort }) {
  let at = 0;
  const answer = ({ prompt }) => {
    onSent(prompt);
    const index = at++;
    if (index === abortAt) {
      abort();
      throw new DOMException('aborted', 'AbortError');
    }
    return turns[index];
  };
  const reasonOf = (calls) => (calls.length > 0 ? 'tool-calls' : 'stop');
  return modelOf(answer, { specification: 'v2', reasonOf, usage });
}

function agentFor({ hooks, onTool, ...options }, more = {}) {
  const controller = new AbortController();
  const tools = TOOLS.map((id) => [
    id,
    createTool({
      ...{ id, description: id, inputSchema: z.object({ q: z.string() }) },
      execute: async (_, { agent }) => onTool(agent.toolCallId),
    }),
  ]);
  const memory = new MockMemory();
  const agent = new Agent({
    ...{ id: 'a', name: 'a', instructions: 'Help.', memory, tools: Object.fromEntries(tools) },
    model: fakeModel({ ...options, abort: () => controller.abort() }),
    ...(hooks !== undefined && { inputProcessors: [hooks] }),
    ...more,
  });
  return { agent, memory, signal: controller.signal };
}

async function talk(options) {
  const { history = [], prompt, isStreamed, abortAt } = options;
  const { agent, memory, signal } = agentFor(options);
  const messages = [...history, ...(prompt === undefined ? [] : [{ role: 'user', content: prompt }])];
  const settings = { memory: PLACE, maxSteps: 100_000, abortSignal: signal, maxRetries: 0 };
  try {
    if (isStreamed) await (await agent.stream(messages, settings)).consumeStream();
    else await agent.generate(messages, settings);
  } catch (error) {
    if (abortAt === undefined) throw error;
  }
  return storedIn(memory);
}

/** Again as messages that an agent takes, without the ids and moments of this run. */
async function storedIn(memory) {
  const { messages } = await memory.recall({ threadId: 't', resourceId: 'r', perPage: false });
  return messages.flatMap(({ role, content: { parts } }) => {
    const texts = parts.flatMap(({ type, text }) => (type === 'text' ? [{ type, text }] : []));
    if (role === 'user') return [{ role, content: texts.map(({ text }) => text).join('\n') }];
    return parts.flatMap(({ type, text, toolInvocation: call }) => {
      if (type === 'text') return [{ role, content: [{ type, text }] }];
      if (type !== 'tool-invocation') return [];
      const { toolCallId: id, toolName: tool, args, result } = call;
      return modelMessages({ who: 'assistant', text: '', calls: [{ id, tool, args, result }] });
    });
  });
}

/** The user is asked about both calls, and takes the first. */
async function approve(options) {
  const { agent, memory } = agentFor(options);
  new Mastra({ agents: { a: agent }, storage: new InMemoryStore(), logger: false });
  const settings = { memory: PLACE, maxSteps: 1000, requireToolApproval: true };
  let output = await agent.generate([...options.history, { role: 'user', content: 'Run.' }], settings);
  for (let asked = 0; output.finishReason === 'suspended' && asked < 4; asked++) {
    const { runId, suspendPayload } = output;
    const { toolCallId } = suspendPayload;
    const answer = { runId, toolCallId, memory: PLACE };
    output =
      toolCallId === 'asked_1'
        ? await agent.approveToolCallGenerate(answer)
        : await agent.declineToolCallGenerate({ ...answer, reason: 'Not this one.' });
  }
  return storedIn(memory);
}

export const mastra = { from: 'vercel-model', talk, approve, messagesOf: modelMessages, holds, plain: withoutOptions };

/** Mastra joins messages: whether all texts, calls and results are there. */
function holds(stored, turns) {
  const parts = stored.flatMap(({ content }) => (typeof content === 'string' ? [{ text: content }] : content));
  const texts = new Set(parts.map(({ text }) => text));
  const calls = new Map(parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part]] : [])));
  const results = new Map(parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, part]] : [])));
  const isKept = ({ id, args, result }) =>
    JSON.stringify(calls.get(id)?.input) === JSON.stringify(args) && results.get(id)?.output.value === result;
  return turns.every(({ text, calls: made = [] }) => (text === '' || texts.has(text)) && made.every(isKept));
}

/** Mastra puts moments into the options of parts. */
function withoutOptions(message) {
  return JSON.parse(JSON.stringify(message), (key, value) => (key === 'providerOptions' ? undefined : value));
}
