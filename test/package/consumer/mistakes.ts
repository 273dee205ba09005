/** Mistakes that the compiler must find: where it finds none, `@ts-expect-error` is an error. The file is never run. */
import { check, decide, monitor, open, type Policy, run, save, simulate } from 'ctx-trim';

const messages = [{ role: 'user', content: 'Hello' }];
declare const policy: Policy;

// @ts-expect-error: no such transform
run(messages, [{ transform: 'filtre' }]);
// @ts-expect-error: no such option of `filter`
run(messages, [{ transform: 'filter', maxToolCall: 3 }]);
// @ts-expect-error: an option of `truncate`, not of `filter`
run(messages, [{ transform: 'filter', maxLength: 3 }]);
// @ts-expect-error: options are in camelCase
run(messages, [{ transform: 'filter', 'max-tool-calls': 3 }]);
// @ts-expect-error: a number
run(messages, [{ transform: 'filter', maxToolCalls: '3' }]);
// @ts-expect-error: one of the choices
run(messages, [{ transform: 'filter', maxToolCalls: 3, unit: 'rounds' }]);
// @ts-expect-error: a list
run(messages, [{ transform: 'filter', maxToolCalls: 3, tool: 'search' }]);
// @ts-expect-error: a function
run(messages, [{ transform: 'patch', generator: './generator.mjs' }]);
// @ts-expect-error: a guard, not a policy
run(messages, [{ transform: 'guard', policy }]);
// @ts-expect-error: a list of steps
run(messages, 'patch');
// @ts-expect-error: no such option
run(messages, ['patch'], { form: 'openai-chat' });
// @ts-expect-error: counts, does not split
run(messages, ['patch'], { countTokens: (text: string) => text.split(' ') });
// @ts-expect-error: steps in a pipeline too
run(messages, ['short'], { pipelines: { short: [{ transform: 'filter', keep: 3 }] } });
// @ts-expect-error: a list gives a list
run(messages, ['patch']).trim();
// @ts-expect-error: the messages keep their type
run(messages, ['patch'])[0]?.text;

// @ts-expect-error: a list of ids
check(messages, { disable: 'core/context-overflow' });
// @ts-expect-error: no such member
check(messages)[0]?.text;
// @ts-expect-error: `all` or `history`
simulate(messages, ['patch'], { scope: 'everything' });
// @ts-expect-error: the recording, not its text
save('[]');
// @ts-expect-error: transcripts cannot be replaced in place
open('[]').transcripts = [];
// @ts-expect-error: the text is missing
decide(policy, { tool: 'search' });
// @ts-expect-error: no such language
monitor(policy, { language: 'xx' });
// @ts-expect-error: the version is 1
export const later: Policy = { version: 2, rules: [] };
