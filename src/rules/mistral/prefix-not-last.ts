import { patch } from '../../json/edit.js';
import { errorRule } from '../rule.js';
import { mapProblemMessages } from '../shared/edits.js';
import { lastMessage } from '../shared/ends.js';

export default errorRule({
  id: 'mistral/prefix-not-last',
  summary: 'a prefix that other messages follow',
  providers: ['mistral'],
  error: 'Assistant message with prefix True must be last message',
  cause: 'The beginning of a reply was sent with `prefix`, and kept it when the conversation went on.',
  /** The message validator of mistralai/mistral-common, 2026-11. */
  reported: [],
  *check({ transcript, wire }) {
    const last = lastMessage(transcript);
    for (const [index, message] of transcript.messages.entries()) {
      const node = index === last ? undefined : wire(message)?.get('prefix');
      if (node?.boolean) yield { message: index, node, text: 'only the last message may be a prefix' };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Remove `prefix`.',
    apply: (context, problems) =>
      mapProblemMessages(context, problems, (message) =>
        context.rewire(message, patch(context.wire(message)!, { prefix: undefined })),
      ),
  },
});
