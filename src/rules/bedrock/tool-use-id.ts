import { errorRule, type RuleContext } from '../rule.js';
import { isClaude } from '../shared/bedrock.js';
import { invalidCallIds, shortened as shortenedTo, withValidCallIds } from '../shared/call-ids.js';
import { asName, NAME } from '../shared/calls.js';

/** AWS's service model (botocore 1.43.107, 2026-11) also takes `.` and `:`, which Claude refuses. */
const WIDER = /^[a-zA-Z0-9_.:-]+$/;
const LONGEST = 64;

export default errorRule({
  id: 'bedrock/tool-use-id',
  summary: 'a toolUseId with invalid characters, or too long',
  providers: ['bedrock'],
  error:
    "Value 'call:1' at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member " +
    'must satisfy regular expression pattern: [a-zA-Z0-9_-]+ | Member must have length less than or equal to 64',
  cause: 'The id comes from another provider, such as `call_…|fc_…` or `functions.ls:0`.',
  reported: ['earendil-works/pi#781', 'BerriAI/litellm#28825', 'maximhq/bifrost#6300', 'run-llama/llama_index#22775'],
  check: (context) => invalidCallIds(context, fitsIn(context), (id) => (id === '' ? 'is empty' : `is \`${id}\``)),
  fix: {
    safety: 'safe',
    summary: 'Replace invalid characters with `_`, and shorten long ids, in calls and results.',
    apply: (context) => withValidCallIds(context, fitsIn(context), shortened),
  },
});

function fitsIn(context: RuleContext): (id: string) => boolean {
  const pattern = isClaude(context) ? NAME : WIDER;
  return (id) => id.length <= LONGEST && pattern.test(id);
}

export function shortened(text: string): string {
  return shortenedTo(text, asName(text), LONGEST);
}
