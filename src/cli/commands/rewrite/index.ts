/** Makes a command of every transform. */
import { TranscriptError } from '../../../errors.js';
import type { Options } from '../../../options/option.js';
import { kebab } from '../../../options/parse.js';
import { missingOption } from '../../../transforms/declared.js';
import { transforms } from '../../../transforms/index.js';
import type { Transform } from '../../../transforms/transform.js';
import type { Command } from '../../options/command.js';
import { type RewriteOptions, rewriteOptions } from '../../options/options.js';

const EXAMPLES: Readonly<Record<string, Command['examples']>> = {
  patch: [
    ['ctx-trim patch --write --backup .bak session.jsonl', 'fix a session in place and keep the old file'],
    ['ctx-trim patch --diff session.jsonl', 'preview the fixes'],
  ],
  filter: [
    ['ctx-trim filter --max-tool-calls 3 run.json > short.json', 'keep the last three tool calls'],
    [
      'ctx-trim filter --max-tool-calls 10 --every 20 run.json',
      'keep the last 10 to 29 tool calls: the prompt cache of an agent is lost once in 20 calls',
    ],
    ['ctx-trim filter --max-tool-calls 0 --tool "search*" run.json', 'drop every call of the search tools'],
  ],
  truncate: [
    ['ctx-trim truncate --max-length 2000 run.json', 'cut results to 2000 characters'],
    [
      'ctx-trim truncate --unit tokens --keep both --tool-length read=8000 run.json',
      'in tokens, keeping both ends, with a higher limit for one tool',
    ],
    ['ctx-trim truncate --for 32k --preset search=web_*,file=read run.json', 'for a context window, by kind of tool'],
  ],
  clear: [
    ['ctx-trim clear --trigger 50000 --keep 5 run.json', 'above 50,000 tokens, keep only the last five results'],
    [
      'ctx-trim clear --trigger 0 --clear-at-least 5000 --exclude-tool memory run.json',
      'only if it frees 5,000 tokens, and never for that tool',
    ],
  ],
  dedupe: [
    ['ctx-trim dedupe --tool read --ignore-arg limit run.json', 'drop earlier reads of a file, whatever their limit'],
  ],
  prune: [
    ['ctx-trim prune --reasoning --images --scope history run.json', 'drop reasoning and images of earlier turns'],
  ],
  fit: [
    [
      'ctx-trim fit --max-tokens 8000 --keep-first-user chat.json',
      'the system prompt, the task, and the last exchanges that fit',
    ],
    ['ctx-trim fit --max-tokens 8000 --unit round run.json', 'the last rounds of a long run'],
    [
      'ctx-trim fit --max-tokens 100000 --low-water 0.7 run.json',
      'down to 70,000 tokens once there are more than 100,000, so that the cut stays for a while',
    ],
  ],
  inject: [
    [
      'ctx-trim inject --policy query-history --lang zh request.json',
      'add the rules, examples and tool description of a policy',
    ],
    [
      'ctx-trim inject --system rules.md --tool-description search=search.md run.json',
      'add your own rules and description',
    ],
  ],
  guard: [['ctx-trim guard --policy query-history run.json', 'answer denied calls as a guard would']],
  strip: [['ctx-trim strip --keep-tool-names --retry-prompt run.json', 'prepare a retry of the question']],
};

export const transformCommands: readonly Command[] = transforms.map(commandOf);

function commandOf(transform: Transform): Command {
  const options: Options = { ...transform.options, ...rewriteOptions };
  return {
    id: transform.id,
    group: 'rewrite',
    summary: transform.summary,
    description: transform.description,
    words: '[files...]',
    options,
    examples: transform.examples ?? EXAMPLES[transform.id] ?? [],
    async run(words, parsed, terminal) {
      const missing = missingOption(transform, parsed, (key) => `--${kebab(key)}`);
      if (missing !== undefined) throw new TranscriptError('usage', missing);
      const { rewrite } = await import('./run.js');
      return rewrite(words, [{ transform, values: parsed }], parsed as unknown as RewriteOptions, terminal);
    },
  };
}
