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
      const guarded = Object.entries(tools).map(([tool, given]) => {
        const definition = given as Definition;
        const { execute, toModelOutput } = definition;
        if (execute === undefined) return [tool, definition];
        const ask = async (args: unknown, { messages, toolCallId: callId }: Context): Promise<Refusal | undefined> => {
          const refusal = await refuse({ tool, args, callId }, messages);
          return refusal === undefined ? undefined : (JSON.parse(refusal) as Refusal);
        };
        const run: Execute = (args, context) => execute.call(definition, args, context);
        const written = toModelOutput && { toModelOutput: (output: unknown) => writtenBy(definition, output) };
        return [
          tool,
          { ...definition, ...written, execute: isGenerator(execute) ? streamed(run, ask) : whole(run, ask) },
        ];
      });
      return Object.fromEntries(guarded) as T;
    },
  };
}

type Execute = (args: unknown, context: Context) => unknown;
type Ask = (args: unknown, context: Context) => Promise<Refusal | undefined>;

interface Context {
  readonly messages: readonly ModelMessage[];
  readonly toolCallId?: string;
}

interface Definition {
  readonly execute?: Execute;
  toModelOutput?(output: unknown): unknown;
}

interface Refusal {
  readonly success: false;
  readonly error: string;
  readonly suggestion: string;
}

/** The SDK takes what a tool yields as it comes, and the last of it as the result. */
function streamed(run: Execute, ask: Ask): Execute {
  return async function* (args, context) {
    const refusal = await ask(args, context);
    if (refusal === undefined) yield* run(args, context) as AsyncIterable<unknown>;
    else yield refusal;
  };
}

/** Only a generator says before it is called that its results come one by one: of others, the last one counts. */
function whole(run: Execute, ask: Ask): Execute {
  return async (args, context) => {
    const refusal = await ask(args, context);
    const result = refusal ?? run(args, context);
    if (!isIterable(result)) return result;
    let last: unknown;
    for await (const one of result) last = one;
    return last;
  };
}

/** A tool writes its own results for the model, but not those of the policy. Version 5 gives it the result alone. */
function writtenBy(definition: Definition, given: unknown): unknown {
  const refusal = [given, (given as { readonly output?: unknown } | undefined)?.output].find(isRefusal);
  return refusal === undefined ? definition.toModelOutput!(given) : { type: 'json', value: refusal };
}

function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).join() === 'success,error,suggestion' && (value as Refusal).success === false;
}

function isGenerator(execute: Execute): boolean {
  return Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]';
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] !== undefined
  );
}
