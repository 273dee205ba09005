/** `--tool` and `--exclude-tool`: which tools a transform touches. */

import type { Options } from '../options/option.js';
import { globOf } from '../text/glob.js';

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
  const included = tool.map(globOf);
  const excluded = excludeTool.map(globOf);
  return (name) => {
    if (name === undefined) return included.length === 0;
    return (
      (included.length === 0 || included.some((pattern) => pattern.test(name))) &&
      !excluded.some((pattern) => pattern.test(name))
    );
  };
}
