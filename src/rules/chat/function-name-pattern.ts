import { table } from '../../formats/shared/table.js';
import { type Json, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { mapMessages } from '../../transcript/edit.js';
import { errorRule, type RuleContext } from '../rule.js';
import { takeFree } from '../shared/call-ids.js';
import { asName, NAME } from '../shared/calls.js';
import { isUnsentReply } from '../shared/ends.js';

/**
 * By format. https://platform.openai.com/docs/api-reference/chat/create (`function.name`) and …/responses/create,
 * 2026-11
 */
const LONGEST = table<number>({ 'openai-chat': 64, 'openai-responses': 128 });

export default errorRule({
  id: 'chat/function-name-pattern',
  summary: 'a tool name with invalid characters, or one that is too long',
  providers: ['openai-chat', 'azure', 'groq', 'deepseek', 'github-copilot', 'mistral', 'moonshot', 'openai-responses'],
  alone: true,
  error: {
    'openai-chat azure github-copilot groq deepseek':
      "Invalid 'messages[9].tool_calls[0].function.name': string does not match pattern. Expected a string that " +
      "matches the pattern '^[a-zA-Z0-9_-]+$'.",
    'openai-chat azure github-copilot':
      "Invalid 'messages[1].tool_calls[0].function.name': string too long. Expected a string with maximum length 64, " +
      'but got a string with length 65 instead.',
    'openai-responses':
      "Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern " +
      "'^[a-zA-Z0-9_-]+$'.",
  },
  cause: 'The model made the name up, or it is an MCP or OpenAPI name with dots, slashes or spaces.',
  reported: commaList(`
    mcp-use/mcp-use#90, mcp-use/mcp-use#94, hackers365/xiaozhi-esp32-server-golang#268, danishjsheikh/swagger-mcp#13,
    nanbingxyz/5ire#33, coinbase/agentkit#217, nikkigallery/Whimbox#61, Vortiago/mcp-azure-devops#30
  `),
  *check(context) {
    const { pairing, request } = context;
    for (const { part, message } of pairing.calls)
      if (isBad(part.tool, longest(context)) && !isUnsentReply(context, message) && isJudged(context))
        yield { message, part, callId: part.callId, text: sentence(part.tool, longest(context)) };
    for (const name of request === undefined ? [] : definedNames(context))
      if (isBad(name.string))
        yield { message: undefined, node: name, text: `${sentence(name.text)}, in a tool definition` };
  },
  fix: {
    safety: 'synthetic',
    summary: 'Replace invalid characters with underscores and cut the name, in calls and results.',
    reaches: ({ transcript, wire }, { message }) =>
      message !== undefined && wire(transcript.messages[message]!) !== undefined,
    apply(context, problems) {
      const at = new Set(problems.map(({ message }) => message));
      const names = newNames(context);
      return mapMessages(context.transcript, (message, index) => {
        const wire = at.has(index) || message.role === 'tool' ? context.wire(message) : undefined;
        const renamed = wire === undefined ? undefined : withNames(wire, names);
        return renamed === undefined || renamed === wire ? message : context.rewire(message, renamed);
      });
    },
  },
});

/** Logs of the Responses API also hold the calls of other servers, which take any name. */
function isJudged({ asRequest, provider, transcript }: RuleContext): boolean {
  return provider.format === 'openai-chat' || (asRequest && transcript.format === provider.format);
}

function longest({ provider }: RuleContext): number {
  return LONGEST[provider.format]!;
}

function isBad(name: string | undefined, most = Infinity): boolean {
  return name !== undefined && name !== '' && (!NAME.test(name) || name.length > most);
}

function sentence(name: string, most = Infinity): string {
  if (NAME.test(name))
    return `the tool name ${name.slice(0, most)}… has ${name.length} characters; at most ${most} are allowed`;
  const bad = [...new Set(name.replace(/[a-zA-Z0-9_-]/g, ''))].map((character) => JSON.stringify(character));
  return `the tool name ${JSON.stringify(name)} contains ${bad.join(' and ')}`;
}

function definedNames({ transcript: { tools } }: RuleContext): JsonNode[] {
  const definitions = tools instanceof JsonNode ? tools.items() : [];
  return definitions.flatMap((definition) => definition.get('function')?.get('name') ?? []);
}

/** New names by old name; different tools keep different names. */
function newNames(context: RuleContext): ReadonlyMap<string, string> {
  const taken = new Set(context.pairing.calls.map(({ part }) => part.tool));
  const names = new Map<string, string>();
  const most = longest(context);
  const bad = [...taken].filter((name) => isBad(name, most));
  const defined = new Set(definedNames(context).map(({ text }) => text));
  const rename = (old: string) => names.set(old, takeFree(shortened(asName(old), most), taken));
  for (const old of bad) if (!defined.has(old)) rename(old); // a misspelling of a name that is defined
  for (const name of defined) taken.add(name);
  for (const old of bad) if (defined.has(old)) rename(old);
  return names;
}

/** Leaves room for a number. */
function shortened(name: string, most: number): string {
  return name.length > most ? name.slice(0, most - 4) : name;
}

/** Renames the tools in the calls of a message, or in its result. */
function withNames(wire: JsonNode, names: ReadonlyMap<string, string>): Json {
  const renamed = (node: JsonNode): Json =>
    patch(node, { name: names.get(node.get('name')?.string ?? '') ?? node.get('name') });
  if (wire.get('role')?.string !== 'assistant') return renamed(wire); // a result, or an item of the Responses API
  const [calls, legacy] = [wire.get('tool_calls'), wire.get('function_call')];
  const items = calls?.items().map((call) => {
    const key = call.get('custom') === undefined ? 'function' : 'custom';
    const called = call.get(key);
    return called === undefined ? call : patch(call, { [key]: renamed(called) });
  });
  return patch(wire, {
    ...(items === undefined || !calls!.isArray ? {} : { tool_calls: patchItems(calls!, items) }),
    ...(legacy?.isObject ? { function_call: renamed(legacy) } : {}),
  });
}
