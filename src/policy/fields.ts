/** The fields of policy files; schema.ts adds those of each rule type. types.ts has the same for programs. */
import { isGlob } from '../text/glob.js';

/** The schema library is passed in, because it is loaded only to read a policy file. */
export type Zod = typeof import('../text/zod.js');

/** What a message of a rule may hold in braces; `{args.path}` is an argument of the call. */
export const PLACEHOLDERS = ['rule', 'tool', 'said', 'result', 'args', 'finding'] as const;
export const PLACEHOLDERS_TEXT = [...PLACEHOLDERS, 'args.<name>'].map((name) => `{${name}}`).join(', ');

export type Shared = ReturnType<typeof sharedFields>;

export function policyFields(z: Zod, { selector, selectors, texts, lists, args, result }: Shared) {
  const cost = z.number().min(0);
  const example = z.union([
    z.string(),
    z.strictObject({ text: z.string(), tool: z.string().optional(), args: z.unknown().optional() }),
  ]);
  const call = z.strictObject({ tool: z.string(), args: z.record(z.string(), z.unknown()), result: z.string() });
  const prompt = z.strictObject({
    system: z.string().optional().describe('rules for the system prompt'),
    few_shot: z
      .array(
        z.strictObject({ role: z.enum(['user', 'assistant']), text: z.string().optional(), call: call.optional() }),
      )
      .optional(),
    tools: z
      .record(
        z.string(),
        z.strictObject({
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .optional(),
  });
  return {
    $schema: z.string().optional(),
    version: z.literal(1),
    name: z.string().optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'expected a code of three letters, such as USD or CNY')
      .optional()
      .describe('the currency of all costs of the policy (ISO 4217); default: USD'),
    aliases: z
      .record(
        z.string(),
        z.union([
          selectors,
          z.strictObject({ tool: z.union([selector, selectors]), args: args.optional(), result: result.optional() }),
        ]),
      )
      .optional()
      .describe('names for several tools: a list of names and globs, or calls of a tool with conditions'),
    words: z
      .record(z.string(), z.strictObject({ any: texts.optional(), regex: z.array(z.string()).optional() }))
      .optional()
      .describe(
        'lists of words. The text is normalized (NFKC) and lowercased; words match at word boundaries, and as ' +
          'substrings in Chinese, Japanese and Korean; regular expressions use JavaScript syntax with the flags i ' +
          'and u, without lookahead and backreferences, so that they match in linear time',
      ),
    tools: z
      .record(
        z.string(),
        z.strictObject({
          cost: z
            .union([cost, z.strictObject({ usual: cost, min: cost.optional(), max: cost.optional() })])
            .optional()
            .describe('of one call'),
          args: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of its arguments, for args_valid'),
          instead: selectors.optional().describe('tools to use instead'),
        }),
      )
      .optional(),
    intents: z
      .array(
        z.strictObject({
          intent: z.string(),
          words: lists,
          verbs: lists
            .optional()
            .describe('word lists that take precedence over `words`; the first word in the text decides'),
          tool: z.string(),
        }),
      )
      .optional()
      .describe('maps words of the user to tools'),
    examples: z
      .strictObject({
        allow: z.array(example).optional(),
        deny: z.array(example).optional(),
        transcripts: z
          .array(
            z.strictObject({
              file: z.string().min(1).describe('a recording, relative to the folder of the policy'),
              index: z.int().min(0).optional().describe('zero-based index of one transcript in the file; default: all'),
              findings: z
                .union([z.array(z.string()), z.record(z.string(), z.int().min(0))])
                .describe('the ids of exactly the rules with findings, or the number of findings by rule'),
            }),
          )
          .optional(),
      })
      .optional()
      .describe('what `ctx-trim policy test` runs'),
    prompt: z
      .union([prompt, z.strictObject({ en: prompt.optional(), zh: prompt.optional(), ja: prompt.optional() })])
      .optional()
      .describe('what `ctx-trim inject --policy` adds to a transcript, in one language or by language'),
  };
}

/** What all rules have. */
export function baseFields(z: Zod, { text, selector, args, result }: Shared) {
  return {
    id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and hyphens'),
    severity: z.enum(['error', 'warning', 'info', 'off']).optional().describe('default: error'),
    message: z.string().optional().describe(`replaces the built-in text; placeholders: ${PLACEHOLDERS_TEXT}`),
    when: z
      .strictObject({
        last_user: text.optional(),
        last_assistant: text.optional(),
        called: selector.optional(),
        not_called: selector.optional(),
      })
      .optional()
      .describe(
        'the rule applies only if this holds: conditions on the last user text before the call, on the last text ' +
          'of the assistant before that one (what the user answered to), and on the tools called in the transcript',
      ),
    args: args.optional().describe('check only calls with such arguments'),
    result: result.optional().describe('check only calls with such a result'),
    same_arg: z
      .union([z.string().min(1), z.record(z.string(), z.string().min(1))])
      .optional()
      .describe(
        'apply the rule separately for each value of this argument: `path`, or by tool `{ read_file: path, ' +
          'edit: file_path }`. Calls without the argument are ignored.',
      ),
  };
}

/** Fields that several types share. */
export function sharedFields(z: Zod) {
  const name = z
    .string()
    .min(1)
    .refine((glob) => isGlob(glob), { error: 'invalid character set; write it as [abc] or [a-z]' });
  const selector = name.describe('a tool: its name, a glob, or an alias');
  const selectors = z.array(name).min(1);
  const texts = z.array(z.string().min(1)).min(1);
  const lists = z.array(z.string().min(1)).min(1).describe('names of word lists');
  const patterns = { pattern: z.string().optional(), not_pattern: z.string().optional() };
  const source = z.enum(['result', 'user', 'any']);
  const args = z
    .record(
      z.string(),
      z.strictObject({
        equals: z.unknown().optional(),
        ...patterns,
        schema: z.unknown().optional(),
        from: source.optional(),
        not_from: source.optional(),
      }),
    )
    .describe(
      'conditions on arguments, by name or path (`options.path`), or `*` for any argument; all must hold. `schema` ' +
        'is a JSON Schema; patterns match the JSON of values that are not strings. `from` holds if the value occurs ' +
        'in an earlier result, in what the user said, or in any of both; `not_from` if it does not: a value that ' +
        'the model made up. A missing argument meets only `not_pattern`.',
    );
  const text = z
    .strictObject({ matches: lists.optional(), not_matches: lists.optional(), ...patterns })
    .describe(
      'names of word lists (`errors` and `secrets` are built in), or case-insensitive regular expressions; one ' +
        'of the lists in `matches` must match, and none of `not_matches`',
    );
  const result = text
    .extend({
      error: z
        .boolean()
        .optional()
        .describe('whether the call failed: by its error flag, else by the word list `errors`'),
    })
    .describe('conditions on the result of a call');
  return {
    selector,
    selectors,
    texts,
    lists,
    text,
    args,
    result,
    per: z.enum(['turn', 'transcript']).optional(),
    within: z.int().min(1).optional(),
  };
}
