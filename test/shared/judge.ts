/** What must hold between a text and what a transform made of it: judged on the JSON, not by the code under test. */
import { JsonNode } from '../../src/json/node.js';
import type { Transcript } from '../../src/transcript/types.js';
import { type OpenedText, openText, sourceOf } from './opened.js';
import { type ChatMessage, faultsOf } from './valid-chat.js';

type Raw = Readonly<Record<string, unknown>>;

/** The messages as chat messages: how each format says which result answers which call. */
const CHAT_SHAPE: Readonly<Record<string, (messages: readonly Raw[]) => ChatMessage[]>> = {
  'openai-chat': (messages) =>
    messages.map(
      (message) =>
        ({
          tool_call_id: (message['tool_call_ids'] as string[] | undefined)?.[0],
          ...message,
        }) as unknown as ChatMessage,
    ),
  inspect: (messages) => messages as unknown as ChatMessage[],
  'swe-agent': (messages) => CHAT_SHAPE['openai-chat']!(messages),
  // An observation answers what its metadata, or its cause, names; early ones answer in order.
  openhands: (events) => {
    const isCall = (event: Raw) =>
      event['action'] !== undefined && !['message', 'finish', 'reject', 'system'].includes(event['action'] as string);
    const idOf = (event: Raw) =>
      String(
        (event['tool_call_metadata'] as Raw | undefined)?.['tool_call_id'] ?? event[isCall(event) ? 'id' : 'cause'],
      );
    const isResult = (event: Raw) =>
      event['observation'] !== undefined && !['condense', 'chat', 'message'].includes(event['observation'] as string);
    if (events.every((event) => event['id'] === undefined && event['tool_call_metadata'] === undefined))
      return byOrder(events.map((event) => ({ calls: isCall(event) ? 1 : 0, isResult: isResult(event) })));
    return events.map(
      (event) =>
        (isResult(event)
          ? { role: 'tool', tool_call_id: idOf(event) }
          : {
              role: isCall(event) ? 'assistant' : 'user',
              tool_calls: isCall(event) ? [{ id: idOf(event) }] : [],
            }) as unknown as ChatMessage,
    );
  },
  // Who plays the user is a model too: with a list of calls, it is that model's message.
  tau2: (messages) =>
    messages.map((message) => {
      const role = message['role'] === 'user' && Array.isArray(message['tool_calls']) ? 'assistant' : message['role'];
      return { ...message, role, tool_call_id: message['id'] } as unknown as ChatMessage;
    }),
  'anthropic-messages': (messages) => messages.flatMap(blocksOf),
  'bedrock-converse': (messages) =>
    messages.flatMap((line) => {
      const { role, content } = (line['message'] ?? line) as {
        role?: string;
        content?: readonly Record<string, Raw>[];
      };
      return blocksOf({
        role,
        // System tools ran on the server: their blocks have types, and are none of the client's.
        content: content?.map(({ toolUse, toolResult, ...rest }) =>
          toolUse && toolUse['type'] !== 'server_tool_use'
            ? { type: 'tool_use', id: toolUse['toolUseId'] }
            : toolResult && role !== 'assistant'
              ? { type: 'tool_result', tool_use_id: toolResult['toolUseId'] }
              : rest,
        ),
      });
    }),
  // Lines with one message id are one message, whatever stands between them.
  'claude-code': (lines) => {
    const chat: ChatMessage[] = [];
    let open: { id: unknown; message: { tool_calls: { id: string }[] } } | undefined;
    for (const line of lines) {
      const inner = (line['message'] ?? queued(line)) as Raw;
      for (const message of blocksOf(inner)) {
        if (message.role === 'assistant' && open !== undefined && open.id === inner['id'])
          open.message.tool_calls.push(...(message.tool_calls ?? []));
        else chat.push(message);
        if (message.role === 'assistant' && open?.id !== inner['id'])
          open = { id: inner['id'], message: message as unknown as { tool_calls: { id: string }[] } };
        if (message.role === 'user') open = undefined;
      }
    }
    return chat;
  },
  'claude-agent-sdk': (lines) =>
    CHAT_SHAPE['claude-code']!(
      lines.map((line) => (line['direction'] === undefined ? line : (line['message'] as Raw))),
    ),
  // Items of the model up to the first output are one turn.
  'openai-responses': (items) => {
    const chat: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[] = [];
    for (const item of items) {
      const type = String(item['type'] ?? 'message');
      const id = item['call_id'] as string;
      // a program runs on the server
      const isClients = typeof id === 'string' && item['execution'] !== 'server' && type !== 'program_output';
      if (isClients && type.endsWith('_output')) chat.push({ role: 'tool', tool_call_id: id });
      else if (type === 'message' && item['role'] !== 'assistant')
        chat.push({ role: (item['role'] as string | undefined) ?? 'system' });
      else {
        if (chat.at(-1)?.role !== 'assistant') chat.push({ role: 'assistant', tool_calls: [] });
        if (isClients && type.endsWith('_call')) chat.at(-1)!.tool_calls!.push({ id });
      }
    }
    return chat;
  },
  // A part of a request is a message; a retry that names no tool is the user's.
  'pydantic-ai': (messages) =>
    messages.map((message) => {
      const kind = message['part_kind'] as string | undefined;
      const isResult = kind === 'tool-return' || (kind === 'retry-prompt' && message['tool_name'] != null);
      if (isResult) return { role: 'tool', tool_call_id: message['tool_call_id'] } as unknown as ChatMessage;
      if (message['kind'] !== 'response') return { role: kind === 'user-prompt' ? 'user' : 'system' } as ChatMessage;
      const calls = (message['parts'] as readonly Raw[]).filter((part) => part['part_kind'] === 'tool-call');
      return {
        role: 'assistant',
        tool_calls: calls.map((call) => ({ id: call['tool_call_id'] })),
      } as unknown as ChatMessage;
    }),
  // The content of a stored message is a UI message.
  mastra: (messages) =>
    CHAT_SHAPE['vercel-ui']!(
      messages.map(({ role, content }) => ({ role, parts: (content as Raw | undefined)?.['parts'] ?? [] })),
    ),
  // The same with other names, which become those of the API.
  'openai-agents': (items) =>
    CHAT_SHAPE['openai-responses']!(
      items.map((item) => ({
        ...item,
        call_id: item['callId'] ?? item['call_id'],
        type: String(item['type'] ?? 'message')
          .replace(/^program(?=$|_output$)/, 'program_call')
          .replace(/_result$/, '_output'),
      })),
    ),
  'codex-rollout': (lines) => CHAT_SHAPE['openai-responses']!(lines.map((line) => (line['payload'] ?? line) as Raw)),
  // Ids are optional: where a part has none, its order among the calls, and the results, of its name stands for one.
  'gemini-contents': (messages) => {
    const counts = new Map<string, number>();
    const idOf = (kind: string, { id, name }: Raw) => {
      const key = `${kind} ${name as string}`;
      if (id) return id as string;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return `${name as string}#${counts.get(key)}`;
    };
    return messages.flatMap((message): ChatMessage[] => {
      const content = (message['content'] ??
        (message['candidates'] as readonly Raw[] | undefined)?.[0]?.['content'] ??
        message) as Raw;
      const parts = (content['parts'] ?? []) as readonly Raw[];
      const results = parts.flatMap<Raw>(
        (part) => (part['functionResponse'] ?? part['function_response'] ?? []) as Raw,
      );
      const calls = parts.flatMap<Raw>((part) => (part['functionCall'] ?? part['function_call'] ?? []) as Raw);
      const answers = results.map((result) => ({ role: 'tool', tool_call_id: idOf('result', result) }));
      if (results.length > 0 && results.length === parts.length) return answers;
      return [
        ...answers,
        {
          role: content['role'] === 'model' || calls.length > 0 ? 'assistant' : 'user',
          tool_calls: calls.map((call) => ({ id: idOf('call', call) })),
        },
      ];
    });
  },
  // A call and its result are one value; calls may stand among the parts of the content too.
  'gemini-cli-session': (messages) =>
    messages.flatMap(({ type, content, toolCalls }): ChatMessage[] => {
      const parts = (Array.isArray(content) ? content : []) as readonly Raw[];
      const responses = (list: unknown) =>
        (Array.isArray(list) ? list : []).flatMap<Raw>((part: Raw) => (part['functionResponse'] ?? []) as Raw);
      if (type === 'user')
        return [
          ...responses(parts).map(({ id }) => ({ role: 'tool', tool_call_id: id as string })),
          ...(responses(parts).length > 0 ? [] : [{ role: 'user' }]),
        ];
      const entries = (toolCalls ?? []) as readonly Raw[];
      const said = parts
        .flatMap<Raw>((part) => (part['functionCall'] ?? []) as Raw)
        .filter(
          (call) =>
            !entries.some(({ id, name }) => (call['id'] === undefined ? name === call['name'] : id === call['id'])),
        );
      const ids = entries.map(({ id }) => id);
      const answered = entries.filter(
        ({ id, result }) =>
          typeof result === 'string' ||
          responses(result).some((response) => response['id'] === id || !ids.includes(response['id'])),
      );
      return [
        { role: 'assistant', tool_calls: [...said, ...entries] as unknown as { id: string }[] },
        ...answered.map(({ id }) => ({ role: 'tool', tool_call_id: id as string })),
      ];
    }),
  'copilot-cli': (lines) =>
    lines.map((line) => {
      const data = line['data'] as Raw;
      if (line['type'] === 'tool.execution_complete')
        return { role: 'tool', tool_call_id: data['toolCallId'] as string };
      const requests = (data['toolRequests'] ?? []) as readonly Raw[];
      return {
        role: (line['type'] as string).split('.')[0]!,
        tool_calls: requests.map(({ toolCallId }) => ({ id: toolCallId as string })),
      };
    }),
  sharegpt: (messages) =>
    byOrder(
      messages.map((message) => ({
        calls: message['from'] === 'function_call' ? 1 : 0,
        isResult: message['from'] === 'observation',
      })),
    ),
  'pi-session': (lines) =>
    lines.map((line) => {
      const inner = (line['message'] ?? line) as Raw;
      // In memory, pi leaves these out of the next request.
      const isLeftOut = inner === line && ['aborted', 'error'].includes(inner['stopReason'] as string);
      const blocks = Array.isArray(inner['content']) && !isLeftOut ? (inner['content'] as readonly Raw[]) : [];
      if (inner['role'] === 'toolResult') return { role: 'tool', tool_call_id: inner['toolCallId'] as string };
      return {
        role: inner['role'] as string,
        tool_calls: blocks.filter(({ type }) => type === 'toolCall') as unknown as { id: string }[],
      };
    }),
  langchain: (messages) =>
    messages.map((message) => {
      const fields = (message['kwargs'] ?? message['data'] ?? message) as Raw;
      const around = (fields['additional_kwargs'] ?? {}) as Raw;
      const kind = String(
        message['type'] === 'constructor' ? (message['id'] as string[]).at(-1) : (message['type'] ?? message['role']),
      ).toLowerCase();
      if (kind.startsWith('function')) return { role: 'function' };
      if (kind.startsWith('tool')) return { role: 'tool', tool_call_id: fields['tool_call_id'] as string };
      // LangChain.js, of which this is an instance, does not send invalid calls.
      const keys = fields['lc_kwargs'] === undefined ? ['tool_calls', 'invalid_tool_calls'] : ['tool_calls'];
      const listed = keys.flatMap((key) => (fields[key] ?? []) as { id: string }[]);
      const blocks = Array.isArray(fields['content'])
        ? (fields['content'] as readonly Raw[])
            .filter(({ type }) => type === 'tool_use')
            .map(({ id }) => ({ id: id as string }))
        : [];
      const repeats = [blocks, (around['tool_calls'] ?? []) as { id: string }[]].filter(({ length }) => length > 0);
      for (const repeat of repeats)
        if (repeat.map(({ id }) => id).join() !== listed.map(({ id }) => id).join())
          throw new Error(`calls stand unlike in ${JSON.stringify(message)}`);
      return { role: kind.startsWith('ai') ? 'assistant' : kind, tool_calls: listed };
    }),
  // Calls and results of a step are its own. What names no call answers the step's calls that are left, or none.
  atif: (steps) =>
    steps.flatMap((step): ChatMessage[] => {
      const calls = (step['tool_calls'] ?? []) as readonly Raw[];
      const results = ((step['observation'] as Raw | undefined)?.['results'] ?? []) as readonly Raw[];
      const named = results.flatMap(({ source_call_id: id }) =>
        id === undefined || id === null ? [] : [id as string],
      );
      const free = calls.map((call) => call['tool_call_id'] as string).filter((id) => !named.includes(id));
      const answers = [...named, ...free.slice(0, results.length - named.length)];
      return [
        { role: 'assistant', tool_calls: calls.map((call) => ({ id: call['tool_call_id'] as string })) },
        ...answers.map((id) => ({ role: 'tool', tool_call_id: id })),
      ];
    }),
  autogen: (messages) =>
    messages.flatMap((message): ChatMessage[] => {
      const content = Array.isArray(message['content']) ? (message['content'] as readonly Raw[]) : [];
      const results = /^(FunctionExecutionResultMessage|ToolCallExecutionEvent)$/.test(message['type'] as string);
      if (results) return content.map((result) => ({ role: 'tool', tool_call_id: result['call_id'] as string }));
      return [
        {
          role: 'assistant',
          tool_calls: content.filter((item) => typeof item === 'object' && 'arguments' in item) as unknown as {
            id: string;
          }[],
        },
      ];
    }),
  // What the user typed is no line of Claude Code; what other agents told has calls and results of its own kind.
  happy: (rows) =>
    CHAT_SHAPE['claude-code']!(
      rows.map((row) => {
        const said = (row['content'] as Raw)['content'] as Raw;
        const data = (said['data'] ?? {}) as Raw;
        if (data['message'] !== undefined && typeof data['message'] === 'object') return data;
        const event = (data['ev'] ?? data) as Raw;
        const type = (event['t'] ?? event['type']) as string;
        const id = event['call'] ?? event['callId'];
        const isResult = /^tool-(call-)?(result|end)$/.test(type);
        const block = isResult
          ? { type: 'tool_result', tool_use_id: id }
          : /^tool-call(-start)?$/.test(type)
            ? { type: 'tool_use', id }
            : { type: 'text' };
        return {
          message: {
            id: data['id'],
            role: said['type'] === 'text' || isResult ? 'user' : 'assistant',
            content: [block],
          },
        };
      }),
    ),
  // A call and its result are one part: a message, then the results in it.
  'vercel-ui': (messages) =>
    messages.flatMap((message): ChatMessage[] => {
      const inParts = ((message['parts'] ?? []) as readonly Raw[]).flatMap<Raw>(
        (part) => (part['toolInvocation'] ?? part) as Raw,
      );
      const tools = (
        message['parts'] === undefined ? ((message['toolInvocations'] ?? []) as readonly Raw[]) : inParts
      ).filter((tool) => 'toolCallId' in tool && tool['providerExecuted'] !== true);
      const answered = tools.filter(({ state }) => state === 'result' || (state as string).startsWith('output-'));
      const repeated =
        message['parts'] === undefined
          ? []
          : ((message['toolInvocations'] ?? []) as readonly Raw[]).filter(
              (tool) => !inParts.some((part) => JSON.stringify(part) === JSON.stringify(tool)),
            );
      const calls = tools.filter(({ type, toolName }) =>
        type === undefined || type === 'dynamic-tool' ? toolName !== undefined : true,
      );
      return [
        { role: message['role'] as string, tool_calls: calls.map((tool) => ({ id: tool['toolCallId'] as string })) },
        ...[...answered, ...repeated].map((tool) => ({ role: 'tool', tool_call_id: tool['toolCallId'] as string })),
      ];
    }),
  'vercel-model': (messages) =>
    messages.flatMap((message): ChatMessage[] => {
      const items = Array.isArray(message['content']) ? (message['content'] as readonly Raw[]) : [];
      if (message['role'] === 'tool')
        return items
          .filter(({ type }) => type === 'tool-result')
          .map((part) => ({ role: 'tool', tool_call_id: part['toolCallId'] as string }));
      const calls = items.filter((part) => part['type'] === 'tool-call' && part['providerExecuted'] !== true);
      return [
        {
          role: (message['role'] as string | undefined) ?? 'system',
          tool_calls: calls.map((part) => ({ id: part['toolCallId'] as string })),
        },
      ];
    }),
  // Chunks of the model up to the first output are one turn.
  'vercel-uistream': (chunks) => {
    const chat: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[] = [];
    for (const { type, toolCallId } of chunks) {
      if ((type as string).startsWith('tool-output')) chat.push({ role: 'tool', tool_call_id: toolCallId as string });
      else {
        if (chat.at(-1)?.role !== 'assistant') chat.push({ role: 'assistant', tool_calls: [] });
        if ((type as string).startsWith('tool-input')) chat.at(-1)!.tool_calls!.push({ id: toolCallId as string });
      }
    }
    return chat;
  },
  // In version 1 the order among the calls, and the results, of one name stands for an id.
  'cohere-chat': (messages) => {
    const counts = new Map<string, number>();
    const idOf = (kind: string, name: string) => {
      counts.set(`${kind} ${name}`, (counts.get(`${kind} ${name}`) ?? 0) + 1);
      return `${name}#${counts.get(`${kind} ${name}`)}`;
    };
    return messages.flatMap((line): ChatMessage[] => {
      const message = ('finish_reason' in line ? line['message'] : line) as Raw;
      const role = message['role'] as string;
      if (role === 'TOOL')
        return (message['tool_results'] as { call: { name: string } }[]).map(({ call }) => ({
          role: 'tool',
          tool_call_id: idOf('result', call.name),
        }));
      if (role !== 'CHATBOT') return [message as unknown as ChatMessage];
      return [
        {
          role: 'assistant',
          tool_calls: ((message['tool_calls'] ?? []) as { name: string }[]).map(({ name }) => ({
            id: idOf('call', name),
          })),
        },
      ];
    });
  },
  // What the model writes up to the next result, or message of another, is one message.
  'kimi-cli': (lines) => {
    const chat: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[] = [];
    const piece = (calls: readonly { id: string }[]) => {
      if (chat.at(-1)?.role !== 'assistant') chat.push({ role: 'assistant', tool_calls: [] });
      chat.at(-1)!.tool_calls!.push(...calls);
    };
    for (const line of lines) {
      const [event, message] = [line['event'] as Raw | undefined, line['message'] as Raw | undefined];
      const payload = message?.['payload'] as Raw | undefined;
      const type = event?.['type'] ?? message?.['type'];
      if (type === 'tool.call' || type === 'ToolCall')
        piece([{ id: (event?.['toolCallId'] ?? payload?.['id']) as string }]);
      else if (type === 'tool.result' || type === 'ToolResult')
        chat.push({ role: 'tool', tool_call_id: (event?.['toolCallId'] ?? payload?.['tool_call_id']) as string });
      else if (type === 'content.part' || type === 'ContentPart') piece([]);
      else if (message?.['role'] === 'assistant') piece(message['toolCalls'] as { id: string }[]);
      else
        chat.push({
          role: (message?.['role'] as string | undefined) ?? 'user',
          tool_call_id: message?.['toolCallId'] as string,
        });
    }
    return chat;
  },
  // A call and its result are one part: of a message, or in a file of its own.
  opencode: (messages) =>
    messages.flatMap((message): ChatMessage[] => {
      const role = (message['info'] as Raw | undefined)?.['role'] ?? 'assistant';
      const tools = ((message['parts'] ?? [message]) as readonly Raw[]).filter(({ type }) => type === 'tool');
      const idsOf = (fits: (state: Raw) => boolean) =>
        tools.filter(({ state }) => fits(state as Raw)).map(({ callID }) => callID as string);
      const isAnswered = ({ status }: Raw) => status === 'completed' || status === 'error';
      const calls = idsOf((state) => 'input' in state || !isAnswered(state)).map((id) => ({ id }));
      return [
        { role: role as string, tool_calls: calls },
        ...idsOf(isAnswered).map((id) => ({ role: 'tool', tool_call_id: id })),
      ];
    }),
  // Ids may be missing: then order stands for them.
  'otel-genai': (messages) => {
    const counts = { call: 0, result: 0 };
    const idOf = (kind: 'call' | 'result', id: unknown) =>
      typeof id === 'string' && id !== '' ? id : `#${counts[kind]++}`;
    return messages.flatMap((message): ChatMessage[] => {
      const parts = (Array.isArray(message) ? message : (message['parts'] ?? [])) as readonly Raw[];
      const answers = parts
        .filter(({ type }) => type === 'tool_call_response')
        .map(({ id }) => ({ role: 'tool', tool_call_id: idOf('result', id) }));
      const calls = parts.filter(({ type }) => type === 'tool_call').map(({ id }) => ({ id: idOf('call', id) }));
      if (answers.length > 0 && answers.length === parts.length) return answers;
      return [...answers, { role: (message['role'] as string | undefined) ?? 'system', tool_calls: calls }];
    });
  },
  'bare-calls': (lists) =>
    lists.map((list) => ({
      role: 'assistant',
      tool_calls: (list as unknown as Raw[]).map((call) => ({ id: (call['toolCallId'] ?? call['id']) as string })),
    })),
  // A result that names no call answers the first open one of its tool. A text of any role may be a list of calls.
  'chat-variants': (messages) => {
    const open: { id: string; name: unknown }[] = [];
    return messages.map((message, index) => {
      const kwargs = message['additional_kwargs'] as Raw | undefined;
      const content = message['content'];
      const told = typeof content === 'string' && content.startsWith('[{"function"') ? JSON.parse(content) : undefined;
      const calls = ((message['tool_calls'] ?? kwargs?.['tool_calls'] ?? told ?? []) as readonly Raw[]).map((call) => ({
        id: call['id'] as string,
        name: ((call['function'] ?? call) as Raw)['name'],
      }));
      const legacy = message['function_call'] as Raw | undefined; // has no id: its result has its name
      if (legacy !== undefined) calls.push({ id: `function_call ${index}`, name: legacy['name'] });
      open.push(...calls);
      const role = message['role'] as string;
      if (told !== undefined || ['system', 'user', 'assistant'].includes(role))
        return { role: told === undefined ? role : 'assistant', tool_calls: calls };
      const given = message['tool_call_id'] as string | undefined;
      const at = open.findIndex(({ id, name }) =>
        given === undefined ? name === (role === 'function' ? message['name'] : role) || role === 'tool' : id === given,
      );
      return { role: 'tool', tool_call_id: at < 0 ? given : open.splice(at, 1)[0]!.id };
    });
  },
  langfuse: carried,
  langsmith: carried,
  openinference: carried,
  otlp: carried,
  'call-log': carried,
  promptfoo: carried,
  'trace-log': carried,
  'prompt-answers': carried,
  'llama-factory': (messages) => {
    let calls = 0;
    let results = 0;
    return messages.flatMap((message): ChatMessage[] => {
      const content = message['content'] as readonly Raw[];
      if (message['role'] === 'tool')
        return Array.from({ length: resultsListed(content) }, () => ({ role: 'tool', tool_call_id: `${results++}` }));
      results = calls;
      return [
        {
          role: message['role'] as string,
          tool_calls: content.filter(({ type }) => type === 'tool_call').map(() => ({ id: `${calls++}` })),
        },
      ];
    });
  },
};

/** The results of parallel calls stand in one text: `[{"name": …, "content": …}, …]`. */
function resultsListed(content: readonly Raw[]): number {
  try {
    const list = content.length === 1 ? (JSON.parse(content[0]!['value'] as string) as unknown) : undefined;
    const isListed =
      Array.isArray(list) && list.length > 1 && list.every((item: Raw) => typeof item?.['name'] === 'string');
    return isListed ? list.length : 1;
  } catch {
    return 1;
  }
}

/**
 * The transcript of a trace: each element says which format its message is of. Those of one format, in a row or not,
 * are judged as one list.
 */
function carried(elements: readonly Raw[]): ChatMessage[] {
  const variants = elements.some(({ format }) => format === 'chat-variants');
  const formats = [
    ...new Set(
      elements.map(({ format }) => (variants && format === 'openai-chat' ? 'chat-variants' : (format as string))),
    ),
  ].filter((format) => !format.startsWith('text-'));
  const [only] = formats;
  if (formats.length > 1)
    return elements.flatMap(
      ({ format, message }) => CHAT_SHAPE[format as string]?.([message as Raw]) ?? [{ role: 'user' }],
    );
  const plain = (role: string): Raw =>
    only === 'gemini-contents'
      ? { role: role === 'assistant' ? 'model' : 'user', parts: [] }
      : only === 'otel-genai'
        ? { role, parts: [] }
        : { role, content: '' };
  return only === undefined
    ? []
    : CHAT_SHAPE[only]!(
        elements.map(({ format, message }) =>
          typeof message === 'string' || (format as string).startsWith('text-')
            ? plain((format as string).slice(5))
            : (message as Raw),
        ),
      );
}

/** Without ids a result answers the first call before it that waits. */
function byOrder(messages: readonly { readonly calls: number; readonly isResult: boolean }[]): ChatMessage[] {
  let calls = 0;
  let results = 0;
  return messages.map((message) => {
    if (message.isResult) return { role: 'tool', tool_call_id: `${results++}` };
    results = calls;
    return { role: 'assistant', tool_calls: Array.from({ length: message.calls }, () => ({ id: `${calls++}` })) };
  });
}

/** What the user of Claude Code writes while it works. */
const queued = (line: Raw) => ({ role: 'user', content: (line['attachment'] as Raw)['prompt'] });

/** A user message is its results, then what else it says. */
function blocksOf(message: Raw): ChatMessage[] {
  const blocks = Array.isArray(message['content']) ? (message['content'] as readonly Raw[]) : [];
  const role = typeof message === 'object' && !Array.isArray(message) ? (message['role'] as string) : 'system';
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({ role: 'tool', tool_call_id: block['tool_use_id'] as string }));
  const calls = blocks.filter(({ type }) => type === 'tool_use') as unknown as { id: string }[];
  const says = results.length === 0 || blocks.some(({ type }) => type !== 'tool_result');
  return [...results, ...(says ? [{ role, tool_calls: calls }] : [])];
}

export const chatOf = once((transcript: Transcript): ChatMessage[] => {
  const sources = transcript.messages.filter(({ role }) => role !== 'meta').map(sourceOf);
  return CHAT_SHAPE[transcript.format]?.(sources.map((source) => JSON.parse(source) as Raw)) ?? [];
});

/** The answer for each argument, found out once: many outputs are judged beside one recording. */
function once<Argument extends object, Answer>(find: (argument: Argument) => Answer): (argument: Argument) => Answer {
  const found = new WeakMap<Argument, Answer>();
  return (argument) => {
    if (!found.has(argument)) found.set(argument, find(argument));
    return found.get(argument)!;
  };
}

export interface Judged {
  readonly opened: OpenedText;
  readonly text: string;
}

/** Everything that is wrong with `after` as what a transform other than patch made of `before`. */
export function complaints(before: Judged, after: Judged): string[] {
  const found: string[] = [];
  const now = after.opened.transcripts;
  const all = before.opened.transcripts;
  const isLess = sharesList(before) && now.length < all.length; // of an agent may be nothing left
  const old = isLess ? all.filter(({ id }) => now.some((one) => one.id === id)) : all;
  if (old.length !== now.length) return [`${old.length} transcripts became ${now.length}`];
  old.forEach((transcript, index) => {
    const wasValid = faultsOf(chatOf(transcript)).length === 0;
    if (wasValid) found.push(...faultsOf(chatOf(now[index]!)));
  });
  return [
    ...found,
    ...respelled(before, after),
    ...(echoes(before) ? survivors(before, after) : strayed(before, after)),
  ];
}

/** Formats whose records repeat their messages, before and behind them. */
const ECHOING = new Set(['inspect', 'swe-agent']);

function echoes({ opened }: Judged): boolean {
  return ECHOING.has(opened.detection.format.id);
}

/** What a scorer said of the answer, word for word or not, is no copy of it: it stays. */
const VERDICTS = new Set(['scores', 'reductions']);

/** What was said in a call or a result of the recording, stands in no message any more, and still stands somewhere. */
function survivors(before: Judged, after: Judged): string[] {
  const said = ({ opened }: Judged) =>
    opened.transcripts.flatMap(({ messages }) =>
      messages
        .filter(({ role }) => role === 'tool' || role === 'assistant')
        .flatMap((message) => strings(JSON.parse(sourceOf(message)))),
    );
  const now = said(after);
  const everywhere = strings(JSON.parse(after.text, (key, value) => (VERDICTS.has(key) ? undefined : value)));
  const trimmed = said(before).filter((text) => text.length > 100 && !now.some((other) => other.includes(text)));
  return [...new Set(trimmed)]
    .filter((text) => everywhere.some((other) => other.includes(text)))
    .map((text) => `survives beside the messages: ${text.slice(0, 100)}`);
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(strings);
}

/** The ways in which each message of a recording is spelled, by what it says. */
const spellingsOf = once((judged: Judged): Map<string, Set<string>> => {
  const spellings = new Map<string, Set<string>>();
  for (const source of sources(judged)) {
    const value = JSON.stringify(JSON.parse(source));
    spellings.set(value, (spellings.get(value) ?? new Set()).add(source));
  }
  return spellings;
});

/** Messages that say what a message before said, but are spelled otherwise. */
function respelled(before: Judged, after: Judged): string[] {
  const spellings = spellingsOf(before);
  const spelled = new Set([...spellings.values()].flatMap((all) => [...all]));
  return sources(after)
    .filter((source) => !spelled.has(source) && spellings.has(JSON.stringify(JSON.parse(source))))
    .map((source) => `spelled otherwise: ${source}`);
}

function sources({ opened }: Judged): string[] {
  return opened.transcripts.flatMap(({ messages }) => messages.filter(({ role }) => role !== 'meta').map(sourceOf));
}

/** Their messages stand in copies all over the record, in strings and under keys. */
const REPEATING = new Set(['langfuse', 'langsmith', 'openinference', 'otlp', 'trace-log']);

/** Their messages are members of an object, which are added at its end. */
const APPENDING = new Set(['chatgpt-export']);

/** Counts of messages beside them: as a specification has it, they follow. The tests of the format ask for each. */
const COUNTS: Readonly<Record<string, RegExp>> = {
  // https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md
  atif: /(?<="total_steps":\s*)\d+/g,
};

/** Whether several agents may share a list of messages. */
function sharesList({ opened }: Pick<Judged, 'opened'>): boolean {
  return opened.detection.format.threads !== undefined;
}

const firstTold = once((judged: Judged) => toldAt(judged, 0));
const lastTold = once((judged: Judged) => toldAt(judged, -1));

/** The messages of the first transcript, or the last, and of those that share its list, as they stand in the text. */
function toldAt({ opened, text }: Judged, at: 0 | -1): string[] {
  const transcripts = sharesList({ opened })
    ? opened.pieces.at(at)?.transcripts
    : opened.transcripts.slice(at).slice(0, 1);
  const messages = (transcripts ?? []).flatMap((transcript) => transcript.messages);
  // instructions beside the parts of a request stand around other messages, not among them
  const isAround = (raw: JsonNode) =>
    messages.some(({ raw: other }) => other instanceof JsonNode && !other.is(raw) && raw.encloses(other));
  const told = messages
    .filter(({ raw }) => !(raw instanceof JsonNode) || raw.isObject)
    .filter(({ role, raw }) => role !== 'system' || !(raw instanceof JsonNode) || !isAround(raw))
    .map((message) => (message.raw instanceof JsonNode ? sourceOf(message) : ''));
  if ((transcripts ?? []).length < 2) return told;
  // several transcripts hold the same messages: each is looked for once
  const places = new Map(
    [...new Set(told)].map((source) => [source, at === 0 ? text.indexOf(source) : text.lastIndexOf(source)]),
  );
  return told.sort((a, b) => places.get(a)! - places.get(b)!);
}

/**
 * What stands before the messages, and behind them, is the same: where the first transcript, and the last, keeps one of
 * them.
 */
function strayed(before: Judged, after: Judged): string[] {
  const { id } = before.opened.detection.format;
  if (REPEATING.has(id) || APPENDING.has(id)) return [];
  const of = (judged: Judged, at: number) => (at === 0 ? firstTold(judged) : lastTold(judged));
  const keeps = (at: number) => {
    const told = new Set(of(before, at));
    return of(after, at).some((source) => told.has(source));
  };
  const [first] = of(before, 0);
  const last = of(before, -1).at(-1);
  const wrong: string[] = [];
  // an envelope: the messages do not stand in the text
  if (first !== undefined && !before.text.includes(first)) return wrong;
  const plain = (text: string) => (COUNTS[id] === undefined ? text : text.replace(COUNTS[id], '#'));
  const written = plain(after.text);
  if (keeps(0) && !written.startsWith(plain(before.text.slice(0, before.text.indexOf(first!)))))
    wrong.push('what stands before the messages changed');
  if (keeps(-1) && !written.endsWith(plain(before.text.slice(before.text.lastIndexOf(last!) + last!.length))))
    wrong.push('what stands behind the messages changed');
  return wrong;
}

export function judged(text: string, from?: string): Judged {
  return { text, opened: openText(text, from === undefined ? undefined : { from }) };
}

/** What was written in a format, which may be hard to tell by now. As a rule it is opened as a later run would. */
export function judgedAs(format: string, text: string): Judged {
  const found = judged(text);
  return found.opened.detection.format.id === format ? found : judged(text, format);
}
