import { tryParse } from '../../formats/shared/json-fields.js';
import { JsonNode } from '../../json/node.js';
import type { Transcript } from '../../transcript/types.js';
import { errorRule } from '../rule.js';
import { withToolSpecs } from '../shared/request.js';

export default errorRule({
  id: 'bedrock/tool-duplicate',
  summary: 'two tools of one name',
  providers: ['bedrock'],
  error: 'The toolConfig contains duplicate tool names.',
  cause: 'Two MCP servers have a tool of the same name, or a plug-in was loaded twice.',
  /** Claude’s own words for it; AWS's are from the collected case. */
  reported: ['microsoft/vscode#316983', 'tailcallhq/forgecode#892'],
  *check({ transcript }) {
    for (const { name, isSame } of duplicatesIn(transcript))
      yield {
        message: undefined,
        text: `another tool is called \`${name}\` too${isSame ? '' : ', with another definition'}`,
      };
  },
  fix: {
    safety: 'safe',
    summary: 'Remove repetitions of one definition.',
    reaches: ({ transcript }, { text }) => transcript.tools instanceof JsonNode && !text.endsWith('definition'),
    apply(context) {
      const { transcript } = context;
      const removed = new Set(duplicatesIn(transcript).flatMap(({ index, isSame }) => (isSame ? [index] : [])));
      return withToolSpecs(context, (tool, index) => (removed.has(index) ? undefined : tool));
    },
  },
});

interface Duplicate {
  readonly index: number;
  readonly name: string;
  /** Whether the first definition of this name is equal. */
  readonly isSame: boolean;
}

function duplicatesIn({ tools }: Transcript): Duplicate[] {
  const first = new Map<string, string>();
  const listed = tools === undefined ? undefined : tryParse(tools.text);
  return (listed?.items() ?? []).flatMap((entry, index) => {
    const name = (entry.get('toolSpec') ?? entry.get('systemTool'))?.get('name')?.string;
    if (name === undefined) return [];
    const definition = JSON.stringify(entry.toJSON());
    const known = first.get(name);
    first.set(name, known ?? definition);
    return known === undefined ? [] : [{ index, name, isSame: known === definition }];
  });
}
