/** `--tool` and `--exclude-tool`: which tools a transform applies to. */

import type { Options } from '../options/option.js';
import { globOf } from '../text/glob.js';

export const toolOptions = {
  tool: { type: 'text', many: true, value: 'glob', summary: 'only these tools; repeatable' },
  excludeTool: { type: 'text', many: true, value: 'glob', summary: 'not these tools; repeatable' },
} as const satisfies Options;

/** Tests names of tools. An unknown name matches only if --tool is not given. */
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
