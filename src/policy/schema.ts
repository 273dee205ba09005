/** What a policy file may say. The library of schemas is handed in: it is loaded only where a file is read. */
import type { z as Z } from 'zod';
import { isGlob } from '../text/glob.js';
import { knownPlaceholders } from './message.js';
import { ruleTypes } from './rules/index.js';
import type { Shared, Zod } from './rules/rule.js';
import type { Policy } from './types.js';

export function policySchema(z: Zod): Z.ZodType<Policy> {
  const shared = sharedFields(z);
  const { selector, selectors, texts, lists, args, result } = shared;
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
  return z.strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    name: z.string().optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'expected a code of three letters, such as USD or CNY')
      .optional()
      .describe('ISO 4217, the currency of all costs of the policy; USD where nothing is said'),
    aliases: z
      .record(
        z.string(),
        z.union([
          selectors,
          z.strictObject({
            tool: z.union([selector, selectors]),
            args: args.optional(),
            result: result.optional(),
          }),
        ]),
      )
      .optional()
      .describe(
        'names for tools: each stands for the names and globs of its list, or for the calls of a tool that are made so',
      ),
    words: z
      .record(z.string(), z.strictObject({ any: texts.optional(), regex: z.array(z.string()).optional() }))
      .optional()
      .describe(
        'lists of words. The text is taken in NFKC and lower case; words match at word boundaries, and as substrings in Chinese, Japanese and Korean; regular expressions are those of JavaScript with the flags i and u, without lookaheads and backreferences, as they are matched in linear time',
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
          instead: selectors.optional().describe('what to use where it should not be used'),
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
            .describe('word lists that decide before those of `words`: of several, the one whose word comes first'),
          tool: z.string(),
        }),
      )
      .optional()
      .describe('which words of the user mean which tool'),
    rules: z
      .array(
        z.discriminatedUnion(
          'type',
          ruleTypes.map((type) =>
            z
              .strictObject({ ...baseFields(z, shared), type: z.literal(type.type), ...type.fields(z, shared) })
              .describe(type.summary),
          ) as unknown as [Z.ZodObject<{ type: Z.ZodLiteral<string> }>],
        ),
      )
      .min(1)
      .describe(
        'A turn runs from one user message to the next. Calls of one message of the model have no order. A rule that no call was subject to is reported as not exercised.',
      ),
    examples: z
      .strictObject({
        allow: z.array(example).optional(),
        deny: z.array(example).optional(),
        transcripts: z
          .array(
            z.strictObject({
              file: z.string().min(1).describe('a recording, from the folder of the policy'),
              index: z.int().min(0).optional().describe('of several transcripts in it, from 0; else all of them'),
              findings: z
                .union([z.array(z.string()), z.record(z.string(), z.int().min(0))])
                .describe('the ids of the rules that find fault with it, these and no others; or how often each does'),
            }),
          )
          .optional(),
      })
      .optional()
      .describe('what `ctx-trim policy test` runs'),
    prompt: z
      .union([prompt, z.strictObject({ en: prompt.optional(), zh: prompt.optional(), ja: prompt.optional() })])
      .optional()
      .describe('what `ctx-trim inject --policy` puts into a transcript; in one language, or by language'),
  }) as unknown as Z.ZodType<Policy>;
}

function baseFields(z: Zod, { text, selector, args, result }: Shared & Own) {
  return {
    id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and hyphens'),
    severity: z.enum(['error', 'warning', 'info', 'off']).optional().describe('error where nothing is said'),
    message: z
      .string()
      .optional()
      .describe(`said instead of the built-in sentence, with what was found in place of ${knownPlaceholders()}`),
    when: z
      .strictObject({ last_user: text.optional(), called: selector.optional(), not_called: selector.optional() })
      .optional()
      .describe(
        'the rule applies only where this holds: of what the user said last before the call, and of the tools called in the transcript',
      ),
    args: args.optional().describe('of the calls that the rule judges, only those with such arguments count'),
    result: result.optional().describe('of the calls that the rule judges, only those with such a result count'),
    same_arg: z
      .union([z.string().min(1), z.record(z.string(), z.string().min(1))])
      .optional()
      .describe(
        'the rule holds for each value of this argument by itself: `path`, or by tool `{ read_file: path, edit: file_path }`. Calls without it do not count.',
      ),
  };
}

interface Own {
  readonly texts: Shared['lists'];
  readonly args: Z.ZodType;
  readonly result: Z.ZodType;
}

function sharedFields(z: Zod): Shared & Own {
  const name = z
    .string()
    .min(1)
    .refine((glob) => isGlob(glob), { error: 'a set of characters in it is none; write it as [abc] or [a-z]' });
  const selector = name.describe('a tool: its name, a glob, or an alias');
  const selectors = z.array(name).min(1);
  const texts = z.array(z.string().min(1)).min(1);
  const lists = z.array(z.string().min(1)).min(1).describe('names of word lists');
  const patterns = { pattern: z.string().optional(), not_pattern: z.string().optional() };
  const args = z
    .record(z.string(), z.strictObject({ equals: z.unknown().optional(), ...patterns, schema: z.unknown().optional() }))
    .describe(
      'conditions on arguments, by name or path (`options.path`): all that are given have to hold. `schema` is a JSON Schema; patterns of values that are no text are matched with their JSON. An argument that is not there only fulfils `not_pattern`.',
    );
  const text = z
    .strictObject({ matches: lists.optional(), not_matches: lists.optional(), ...patterns })
    .describe(
      'names of word lists (`errors` and `secrets` are built in), or regular expressions without regard to case; of several lists in `matches`, one has to match; of those in `not_matches`, none may',
    );
  const result = text
    .extend({
      error: z.boolean().optional().describe('whether it failed: by its flag, else by the word list `errors`'),
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
