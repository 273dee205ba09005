/** AI SDK: `generateText` and `streamText`, with `prepareStep` or the middleware of a model. */
import { z } from 'zod';
import { TOOLS } from '../turns.mjs';

/** `specification`: of the models that this version takes. `hook`: which one of ours is used. */
export function aiSdk(sdk, specification, hook) {
  const isOld = specification === 'v2';
  const isSoFar = specification !== 'v4';
  const usage = isOld ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 } : { inputTokens: {}, outputTokens: {} };
  const reasonOf = (calls) => {
    const reason = calls.length > 0 ? 'tool-calls' : 'stop';
    return isOld ? reason : { unified: reason, raw: undefined };
  };

  function fakeModel(turns, { onSent, abortAt, abort }) {
    let at = 0;
    const answer = ({ prompt, abortSignal }) => {
      onSent(prompt);
      const index = at++;
      if (index === abortAt) {
        abort();
        abortSignal?.throwIfAborted();
      }
      return turns[index];
    };
    return modelOf(answer, { specification, reasonOf, usage });
  }

  async function talk({ turns, history = [], prompt, hooks, onSent, onTool, isStreamed, abortAt, needsApproval }) {
    const controller = new AbortController();
    const fake = fakeModel(turns, { onSent, abortAt, abort: () => controller.abort(new Error('aborted')) });
    const isWrapped = hooks !== undefined && hook === 'middleware';
    const model = isWrapped ? sdk.wrapLanguageModel({ model: fake, middleware: hooks.middleware }) : fake;
    const execute = async (_, { toolCallId }) => onTool(toolCallId);
    const inputSchema = z.object({ q: z.string() });
    const messages = [...history, ...(prompt === undefined ? [] : [{ role: 'user', content: prompt }])];
    const made = [];
    let ids = 0;
    const options = {
      model,
      messages,
      tools: Object.fromEntries(TOOLS.map((name) => [name, { inputSchema, execute, needsApproval }])),
      stopWhen: sdk.stepCountIs(100_000),
      abortSignal: controller.signal,
      maxRetries: 0,
      onError: () => {},
      // up to version 6 these are the messages of all steps
      onStepFinish: ({ response }) => made.splice(isSoFar ? 0 : made.length, made.length, ...response.messages),
      _internal: { generateId: () => `id_${++ids}` },
      ...(hooks !== undefined && hook === 'prepareStep' && { prepareStep: hooks.prepareStep }),
    };
    try {
      if (isStreamed) await sdk.streamText(options).consumeStream();
      else await sdk.generateText(options);
    } catch (error) {
      if (abortAt === undefined) throw error;
    }
    return [...messages, ...made];
  }

  // the SDK refuses a call without its result before a middleware is asked
  const needsResults = hook === 'middleware';
  return { from: 'vercel-model', needsResults, talk, messagesOf: modelMessages, approve: isOld ? undefined : approve };

  /** The user is asked about both calls, and takes the first. */
  async function approve({ hooks, history, turns, onSent, onTool }) {
    const asked = await talk({ turns, history, prompt: 'Run.', hooks, onSent, onTool, needsApproval: true });
    const requests = asked.at(-1).content.filter(({ type }) => type === 'tool-approval-request');
    const content = requests.map(({ approvalId }, index) => ({
      type: 'tool-approval-response',
      approvalId,
      approved: index === 0,
      ...(index > 0 && { reason: 'Not this one.' }),
    }));
    const answered = [...asked, { role: 'tool', content }];
    return talk({ turns: turns.slice(1), history: answered, hooks, onSent, onTool, needsApproval: true });
  }
}

/** A model that replies with `answer`, a text and calls. */
export function modelOf(answer, { specification, reasonOf, usage }) {
  const callOf = ({ id, tool, args }) => ({
    ...{ type: 'tool-call', toolCallId: id, toolName: tool, input: JSON.stringify(args) },
  });
  return {
    ...{ specificationVersion: specification, provider: 'fake', modelId: 'gpt-5', supportedUrls: {} },
    async doGenerate(options) {
      const { text, calls } = answer(options);
      const said = text === '' ? [] : [{ type: 'text', text }];
      return { content: [...said, ...calls.map(callOf)], finishReason: reasonOf(calls), usage, warnings: [] };
    },
    async doStream(options) {
      const { text, calls } = answer(options);
      return { stream: streamOf(text, calls.map(callOf), { finishReason: reasonOf(calls), usage }) };
    },
  };
}

/** The parts in which a model streams a reply. */
function streamOf(text, calls, end) {
  const id = '1';
  const said = [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ];
  return ReadableStream.from([
    { type: 'stream-start', warnings: [] },
    ...(text === '' ? [] : said),
    ...calls,
    { type: 'finish', ...end },
  ]);
}

export function modelMessages(turn) {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const calls = turn.calls.map(({ id, tool, args }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: tool,
    input: args,
  }));
  const results = turn.calls
    .filter(({ result }) => result !== undefined)
    .map(({ id, tool, result }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: tool,
      output: { type: 'text', value: result },
    }));
  const said = turn.text === '' ? [] : [{ type: 'text', text: turn.text }];
  return [
    { role: 'assistant', content: [...said, ...calls] },
    ...(results.length === 0 ? [] : [{ role: 'tool', content: results }]),
  ];
}
