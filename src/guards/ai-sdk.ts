/** AI SDK: tools that ask a policy before they run. */
import type { ModelMessage, ToolSet } from 'ai';
import format from '../formats/vercel/vercel-model.js';
import { createRefuser, type GuardOptions } from '../hooks/refusal.js';
import type { Policy } from '../policy/types.js';

/** Tools that ask the policy before they run: a call that it denies gets the reason as its result. */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  return {
    tools<T extends ToolSet>(tools: T): T {
      const guarded = Object.entries(tools).map(([tool, definition]) => {
        const { execute } = definition as { execute?: Execute };
        if (execute === undefined) return [tool, definition];
        const checked: Execute = async (args, context) => {
          const refusal = await refuse({ tool, args }, context.messages);
          return refusal === undefined ? execute(args, context) : JSON.parse(refusal);
        };
        return [tool, { ...definition, execute: checked }];
      });
      return Object.fromEntries(guarded) as T;
    },
  };
}

type Execute = (args: unknown, context: { readonly messages: readonly ModelMessage[] }) => unknown;
