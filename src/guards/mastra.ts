/** Mastra: a processor with hooks that ask a policy before a tool runs. */
import { TranscriptError } from '../errors.js';
import format from '../formats/vercel/vercel-model.js';
import { blaming } from '../hooks/blaming.js';
import { createRefuser, type GuardOptions } from '../hooks/refusal.js';
import { rejectOthers } from '../options/arguments.js';
import type { Policy } from '../policy/types.js';

/** What this needs of a request. */
export interface GuardedRequest {
  readonly prompt: readonly object[];
  /** Each run has its own, which its tools get, too. */
  readonly requestContext?: object;
}

/** What this needs of a tool call that is about to be made. */
export interface ToolCallHook {
  readonly toolName: string;
  readonly input: unknown;
  readonly context: unknown;
}

const UNSEEN = 'the guard has seen no request of this run: add it to `inputProcessors`, too';

/**
 * `new Agent({ …, inputProcessors: [guarded], hooks: guarded.hooks })` asks the policy before a tool runs: a call that
 * it denies gets the reason as its result. What came before the call is what the model was sent. So put this processor
 * before one that trims, and give each agent a guard of its own: those of a run may share its `requestContext`.
 */
export function guard(policy: Policy, options?: GuardOptions) {
  const refuse = createRefuser(format, policy, options);
  const sent = new WeakMap<object, readonly object[]>(); // by run
  const nowhere = {};
  return {
    id: 'ctx-trim-guard' as const,
    name: 'ctx-trim guard',
    /** Only looks. */
    async processLLMRequest({ prompt, requestContext = nowhere }: GuardedRequest): Promise<undefined> {
      await blaming(prompt, 'messages', () => {
        rejectOthers(prompt);
        sent.set(requestContext, [...prompt]);
      });
    },
    hooks: {
      /** Nothing if the tool may run. Throws TranscriptError where the guard has seen no request of the run. */
      async beforeToolCall({ toolName, input, context }: ToolCallHook) {
        const { requestContext = nowhere } = (context ?? {}) as Pick<GuardedRequest, 'requestContext'>;
        const before = sent.get(requestContext);
        if (before === undefined) throw new TranscriptError('usage', UNSEEN);
        const answer = await refuse({ tool: toolName, args: input }, before);
        return answer === undefined ? undefined : { proceed: false as const, output: JSON.parse(answer) as unknown };
      },
    },
  };
}
