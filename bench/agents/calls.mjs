// Replies that call a tool where the user asks for it, or a sub-agent, and state other counts for each request.

export const TOOL = 'Please call a tool: TOOLPLEASE';
export const AGENT = 'Please call a sub-agent: AGENTPLEASE';

const SHELLS = [
  'bash',
  'shell',
  'run_shell_command',
  'shell_command',
  'exec_command',
  'execute_command',
  'run_commands',
];
const AGENTS = ['task', 'agent', 'spawn_agent', 'use_subagents', 'subagent', 'new_task', 'delegate_task'];
const SAYS = 'echo tool-ran';
const VALUES = { command: SAYS, cmd: SAYS, commands: [SAYS], description: 'a small task', timeout: 5000 };
const PROMPTS = ['prompt', 'task', 'message', 'instructions'];

/** A function for `startProvider`: replies with rising counts. */
export function billing() {
  let count = 0;
  return (body) => {
    count++;
    const call = callFor(body, `call_${count}`);
    const text = call === undefined ? `Done ${count}.` : `I call it ${count}.`;
    return { text, call, input: 1000 + 10 * count, cached: 600, output: 50, reasoning: 20 };
  };
}

/** Undefined where what follows the model's last words is a result, or asks for nothing. */
function callFor(body, id) {
  const { messages, input, contents, tools = [] } = body;
  const list = [messages ?? input ?? contents ?? []].flat();
  const said = list.findLastIndex(({ role, type }) => role === 'assistant' || role === 'model' || /_call$/.test(type));
  const last = JSON.stringify(list.slice(said + 1));
  if (/tool_result|"role":"tool"|function_call_output|functionResponse/.test(last)) return undefined;
  if (last.includes('AGENTPLEASE')) return callOf(tools, AGENTS, { id, subagent: subagentIn(body) });
  return last.includes('TOOLPLEASE') ? callOf(tools, SHELLS, { id }) : undefined;
}

/** The one for all tasks, as the agent tells the model of it. */
function subagentIn(body) {
  return JSON.stringify(body).includes('general-purpose') ? 'general-purpose' : 'general';
}

function callOf(tools, names, { id, subagent }) {
  const all = tools.flatMap((tool) => tool.functionDeclarations ?? [tool]).map((tool) => tool.function ?? tool);
  const tool = all.find(({ name }) => names.includes(name?.toLowerCase()));
  if (tool === undefined) return undefined;
  const { properties = {}, required = [] } = tool.parameters ?? tool.input_schema ?? tool.parametersJsonSchema ?? {};
  const named = Object.keys(properties).filter(
    (key) => required.includes(key) || key in VALUES || PROMPTS.includes(key),
  );
  return {
    id,
    name: tool.name,
    args: Object.fromEntries(named.map((key) => [key, valueFor(key, properties[key], subagent)])),
  };
}

function valueFor(key, { type, enum: choices, items }, subagent) {
  if (PROMPTS.includes(key)) return `${TOOL} in the sub-agent`;
  if (key === 'subagent_type' || key === 'agent_type') return choices?.[0] ?? subagent;
  if (key === 'command' && type === 'array') return SAYS.split(' ');
  if (key === 'commands' && items?.type === 'object') return [{ command: SAYS }];
  if (key in VALUES) return VALUES[key];
  if (choices !== undefined) return choices[0];
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  return type === 'number' || type === 'integer' ? 1 : 'x';
}
