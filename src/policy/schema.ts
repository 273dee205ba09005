/** What a policy file may say. The library of schemas is handed in: it is loaded only where a file is read. */
import type { z as Z } from 'zod';
import { isGlob } from '../transforms/glob.js';
import { ruleTypes } from './rules/index.js';
import type { Shared, Zod } from './rules/rule.js';
import type { Policy } from './types.js';

export function policySchema(z: Zod): Z.ZodType<Policy> {
  const shared = sharedFields(z);
  const { selector, selectors, texts, lists, text } = shared;
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
      .record(z.string(), selectors)
      .optional()
      .describe('names for tools: each stands for the names and globs of its list'),
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
      .array(z.strictObject({ intent: z.string(), words: lists, tool: z.string() }))
      .optional()
      .describe('which words of the user mean which tool'),
    rules: z
      .array(
        z.discriminatedUnion(
          'type',
          ruleTypes.map((type) =>
            z
              .strictObject({ ...baseFields(z, text, selector), type: z.literal(type.type), ...type.fields(z, shared) })
              .describe(type.summary),
          ) as unknown as [Z.ZodObject<{ type: Z.ZodLiteral<string> }>],
        ),
      )
      .min(1)
      .describe(
        'A turn runs from one user message to the next. Calls of one message of the model have no order. A rule that no call was subject to is reported as not exercised.',
      ),
    examples: z
      .strictObject({ allow: z.array(example).optional(), deny: z.array(example).optional() })
      .optional()
      .describe('what `ctx-trim policy test` runs'),
    prompt: z
      .union([prompt, z.strictObject({ en: prompt.optional(), zh: prompt.optional(), ja: prompt.optional() })])
      .optional()
      .describe('what `ctx-trim inject --policy` puts into a transcript; in one language, or by language'),
  }) as unknown as Z.ZodType<Policy>;
}

function baseFields(z: Zod, text: Shared['text'], selector: Shared['selector']) {
  return {
    id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and hyphens'),
    severity: z.enum(['error', 'warning', 'info', 'off']).optional().describe('error where nothing is said'),
    message: z.string().optional().describe('said instead of the built-in sentence'),
    when: z
      .strictObject({ last_user: text.optional(), called: selector.optional(), not_called: selector.optional() })
      .optional()
      .describe(
        'the rule applies only where this holds: of what the user said last before the call, and of the tools called in the transcript',
      ),
  };
}

function sharedFields(z: Zod): Shared & { readonly texts: Shared['lists'] } {
  const name = z
    .string()
    .min(1)
    .refine((glob) => isGlob(glob), { error: 'a set of characters in it is none; write it as [abc] or [a-z]' });
  const selector = name.describe('a tool: its name, a glob, or an alias');
  const selectors = z.array(name).min(1);
  const texts = z.array(z.string().min(1)).min(1);
  const lists = z.array(z.string().min(1)).min(1).describe('names of word lists');
  const text = z
    .strictObject({ matches: selectors.optional(), not_matches: selectors.optional() })
    .describe('names of word lists; of several in `matches`, one has to match; of those in `not_matches`, none may');
  return {
    selector,
    selectors,
    texts,
    lists,
    text,
    per: z.enum(['turn', 'transcript']).optional(),
    within: z.int().min(1).optional(),
  };
}
