/** `--tool` and `--exclude-tool`: which tools a transform applies to. */

import type { Options } from '../options/option.js';
import { globOf } from '../text/glob.js';

export const toolOptions = {
  tool: { type: 'text', many: true, value: 'glob', summary: 'only these tools; repeatable' },
  excludeTool: { type: 'text', many: true, value: 'glob', summary: 'not these tools; repeatable' },
} as const satisfies Options;

interface ToolOptions {
  readonly tool: readonly string[];
  readonly excludeTool: readonly string[];
}

/** Tests names of tools. An unknown name matches only if --tool is not given. */
export function toolMatcher({ tool, excludeTool }: ToolOptions): (name: string | undefined) => boolean {
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

/** Whether all tools match, and what has no name. */
export function isForAll({ tool, excludeTool }: ToolOptions): boolean {
  return tool.length === 0 && excludeTool.length === 0;
}
