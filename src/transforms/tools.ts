/** `--tool` and `--exclude-tool`: which tools a transform touches. */
import type { Options } from './transform.js';

export const toolOptions = {
  tool: { type: 'text', many: true, value: 'glob', summary: 'only tools whose name matches; repeatable' },
  excludeTool: {
    type: 'text',
    many: true,
    value: 'glob',
    summary: 'all tools but those whose name matches; repeatable',
  },
} as const satisfies Options;

/** Whether a tool of that name is meant. A tool whose name is not known is meant only where no tool is named. */
export function toolMatcher({
  tool,
  excludeTool,
}: {
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}): (name: string | undefined) => boolean {
  const included = tool.map(globPattern);
  const excluded = excludeTool.map(globPattern);
  return (name) => {
    if (name === undefined) return included.length === 0;
    return (
      (included.length === 0 || included.some((pattern) => pattern.test(name))) &&
      !excluded.some((pattern) => pattern.test(name))
    );
  };
}

/** `*` any run of characters, `?` one, `[abc]` one of them, `{a,b}` either; everything else is itself. */
export function globPattern(glob: string): RegExp {
  const source = glob.replace(/\[[^\]]+\]|\{[^{}]*\}|[*?]|[\\^$.|+()[\]{}]/g, (token) => {
    if (token === '*') return '.*';
    if (token === '?') return '.';
    if (token.length > 1 && token.startsWith('[')) return token.replace(/^\[!/, '[^').replace(/\\/g, '\\\\');
    if (token.length > 1)
      return `(?:${token
        .slice(1, -1)
        .split(',')
        .map((part) => globPattern(part).source.slice(1, -1))
        .join('|')})`;
    return `\\${token}`;
  });
  return new RegExp(`^${source}$`, 'u');
}
