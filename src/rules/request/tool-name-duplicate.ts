import { canonical } from '../../json/canonical.js';
import { commaList } from '../../lists.js';
import { errorRule } from '../rule.js';
import { bodyOf } from '../shared/own-format.js';
import { bodyFix, type ToolEntry, toolsOf, withoutTools } from '../shared/request.js';

export default errorRule({
  id: 'request/tool-name-duplicate',
  summary: 'two tools of one name',
  providers: commaList(`
    anthropic, vertex-claude, openai-chat, azure, deepseek, gemini, vertex, github-copilot, xai
  `),
  alone: true,
  asRequest: true,
  error: {
    'anthropic vertex-claude github-copilot': 'tools: Tool names must be unique.',
    'gemini vertex': 'Duplicate function declaration found: search',
    'openai-chat azure': 'Duplicate function name: search',
    xai: 'Duplicate tool names: view_image',
    deepseek: 'Tool names must be unique.',
  },
  cause: 'Two MCP servers have a tool of this name, or a list of tools was added twice.',
  reported: commaList(`
    anthropics/claude-code#10687, tailcallhq/forgecode#892, microsoft/vscode#316983, liliMozi/openhanako#789,
    chenyme/grok2api#879
  `),
  *check(context) {
    const body = bodyOf(context);
    const first = new Map<string, ToolEntry>();
    const again: ToolEntry[] = [];
    for (const tool of body === undefined ? [] : toolsOf(context, body)) {
      if (tool.name === undefined) continue;
      if (first.has(tool.name)) again.push(tool);
      else first.set(tool.name, tool);
    }
    const copies = again.filter(({ name, entry }) => isSame(first.get(name!)!, entry));
    const removed = new Set(copies.map(({ entry }) => entry));
    for (const tool of again)
      yield {
        message: undefined,
        node: tool.entry,
        text: `\`${tool.path}\` has the name \`${tool.name}\`, as \`${first.get(tool.name!)!.path}\` has`,
        ...(removed.has(tool.entry) ? { changes: [withoutTools(tool, removed)] } : {}),
      };
  },
  /** Which of two different tools is meant, only their author knows. */
  fix: bodyFix('safe', 'Remove the second of two tools that are equal.'),
});

function isSame({ entry }: ToolEntry, other: ToolEntry['entry']): boolean {
  return canonical(entry.json) === canonical(other.json);
}
