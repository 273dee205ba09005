/** The schema of policy files. The schema library is passed in, because it is loaded only to read a file. */
import type { z as Z } from 'zod';
import type { Zod } from './fields.js';
import { baseFields, policyFields, sharedFields } from './fields.js';
import { ruleTypes } from './rules/index.js';
import type { Policy } from './types.js';

/** Of a rule of any type. */
type AnyRuleSchema = Z.ZodObject<ReturnType<typeof baseFields> & { type: Z.ZodLiteral<string> }, Z.core.$loose>;

export function policySchema(z: Zod): Z.ZodType<Policy> {
  const shared = sharedFields(z);
  const { examples, prompt, ...fields } = policyFields(z, shared);
  return z.strictObject({
    ...fields,
    rules: z
      .array(
        z.discriminatedUnion(
          'type',
          ruleTypes.map((type) =>
            z
              .strictObject({ ...baseFields(z, shared), type: z.literal(type.type), ...type.fields(z, shared) })
              .describe(type.summary),
          ) as unknown as [AnyRuleSchema],
        ),
      )
      .min(1)
      .describe(
        'A turn lasts from one user message to the next; a text of the user beside tool results begins one, too. ' +
          'Calls of one assistant message have no order. A rule that applied to no call is reported as not exercised.',
      ),
    examples,
    prompt,
  });
}
