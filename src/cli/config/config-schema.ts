/** The schema of the config. Loaded only if there is a config. */
import type { output, ZodType } from 'zod';
import { configError, pathText } from '../../errors.js';
import type { Zod } from '../../policy/fields.js';
import { parseYaml } from '../../text/yaml.js';
import type { Counted } from '../../transforms/pace.js';
import { parseJson } from './parse-json.js';
import { rejectRepeatedKeys } from './repeated-keys.js';

export type ParsedConfig = Omit<output<ReturnType<typeof configSchema>>, '$schema'>;
export type CheckConfig = ParsedConfig['check'];
export type BudgetConfig = ParsedConfig['budgets'];

/** src/schema/config.schema.json is the same schema for editors; the package has it under dist/schema. */
export function configSchema(z: Zod) {
  const limit = (what: string) => z.int().nonnegative().optional().describe(what);
  const dollars = z.union([z.number().nonnegative(), z.string()]).optional();
  const rulesByName = z.record(z.string(), z.enum(['error', 'warning', 'off']));
  const total = {
    tokens: limit('Tokens as one request.'),
    cost: dollars.describe('US dollars.'),
    calls: limit('Tool calls.'),
  };
  const stepList = z.array(z.string()).min(1);
  const counted = z
    .string()
    .regex(
      /^[1-9]\d* (?:calls|rounds)$/,
      'expected a number, n calls, n rounds or auto',
    ) as unknown as ZodType<Counted>;
  const every = z
    .union([z.int().min(1), z.literal('auto'), counted])
    .optional()
    .describe('For all steps that have this option and no value of their own.');
  const pipeline = z.union([stepList, z.strictObject({ steps: stepList, every })], {
    error: 'expected a list of steps, or {steps: [...], every: 20}',
  });
  return z.strictObject({
    $schema: z.string().optional().describe('This schema: ./node_modules/ctx-trim/dist/schema/config.schema.json'),
    defaults: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
      .default({})
      .describe('Values for options that no flag gives, by their names as flags: max-length.'),
    pipelines: z
      .record(z.string(), pipeline)
      .default({})
      .describe(
        'Steps of `ctx-trim run` by the name of their pipeline: filter:max-tool-calls=3. With `every`, as ' +
          '{steps: [...], every: 20}, they change the history only once in so many calls.',
      ),
    prices: z.array(z.string()).default([]).describe('Price files, relative to this file.'),
    projects: z
      .record(z.string(), z.array(z.string()))
      .default({})
      .describe('Names of projects for `stats --by project`, each with the folders that it has: paths or globs.'),
    policies: z
      .array(z.string())
      .default([])
      .describe('Policies that `ctx-trim check` and `audit` go by: files, relative to this file, or query-history.'),
    check: z
      .strictObject({
        provider: z.string().optional().describe("Whose rules to go by, in place of the transcript's own provider's."),
        rules: z
          .union([z.array(z.string()), rulesByName], {
            error: 'expected a list of rules, or a map from rules to off, warning or error',
          })
          .optional()
          .describe('A list: only these rules. A map: how severe each is, or off. Globs such as anthropic/* too.'),
        disable: z.array(z.string()).optional().describe('Not these rules.'),
        severity: rulesByName.optional().describe('How severe each rule is; `rules` says the same.'),
        maxWarnings: limit('More warnings than this are an error.'),
        ignore: z
          .array(z.string())
          .optional()
          .describe(
            'Files that are left out of folders and globs: patterns as in a .gitignore, relative to this file.',
          ),
        overrides: z
          .array(
            z.strictObject({
              files: z.union([z.string(), z.array(z.string()).min(1)]).describe('Patterns, as in `ignore`.'),
              provider: z.string().optional().describe('Whose rules these files are held to.'),
              rules: rulesByName.optional().describe('How severe each rule is for these files, or off.'),
            }),
          )
          .optional()
          .describe('What else holds for some files. A later one wins over an earlier one.'),
        suppress: z
          .array(
            z.strictObject({
              rule: z.string().describe('A rule, or a glob such as budget/*.'),
              path: z.string().optional().describe('The files, as a pattern as in `ignore`; all without it.'),
              reason: z.string().min(1).describe('Why.'),
              until: z
                .string()
                .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/)
                .optional()
                .describe('The last day on which it holds: 2026-12-31. From then on its findings are reported again.'),
            }),
          )
          .optional()
          .describe('Findings that are known and hidden.'),
      })
      .default({})
      .describe('What `ctx-trim check` goes by.'),
    budgets: z
      .strictObject({
        ...total,
        repeatedCalls: limit('How often the very same call is made again.'),
        resultLength: limit('Characters of a tool result.'),
        systemLength: limit('Characters of a system prompt.'),
        contextShare: z
          .number()
          .positive()
          .max(1)
          .optional()
          .describe('How much of the context window is filled, such as 0.8.'),
        total: z.strictObject(total).optional().describe('For all transcripts together.'),
        per: z
          .strictObject({ day: dollars, week: dollars, month: dollars, project: dollars, branch: dollars })
          .optional()
          .describe('US dollars for each day, week, month, project or branch. `ctx-trim stats` minds them, too.'),
      })
      .default({})
      .describe('What a transcript may have at most, for `ctx-trim check`.'),
  });
}

export async function parseConfig(text: string, file: string, isYaml: boolean): Promise<ParsedConfig> {
  const value = isYaml ? (await parseYaml(text, file)).value : parseJson(text, file);
  if (!isYaml) rejectRepeatedKeys(text.replace(/^\ufeff/, ''), file);
  const result = configSchema(await import('../../text/zod.js')).safeParse(value ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const keys = 'a config holds `defaults`, `pipelines`, `prices`, `projects`, `policies`, `check` and `budgets`';
  throw configError(file, pathText(issue!.path), `${issue!.message}; ${keys}`);
}
