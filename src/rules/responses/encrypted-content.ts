import { commaList } from '../../lists.js';
import { defineRule } from '../rule.js';
import { itemsOf, withoutReasoning } from '../shared/response-items.js';

/**
 * The start of OpenAI’s encrypted content: a Fernet token in padded base64.
 * https://github.com/fernet/spec/blob/master/Spec.md
 */
const TOKEN = 'gAAAA';

export default defineRule({
  id: 'responses/encrypted-content',
  summary: 'encrypted reasoning that was truncated or edited',
  severity: 'warning',
  providers: ['openai-responses'],
  error:
    'The encrypted content gAAA… could not be verified. (code invalid_encrypted_content; "Reason: Encrypted ' +
    'content could not be decrypted or parsed.")',
  cause:
    'The encrypted content was truncated or edited. Content of another organization, key or endpoint is not detected.',
  reported: commaList(`
    openai/codex#8145, openai/codex#35334, openai/codex#8132, openai/codex#8128, openai/codex#8126, openai/codex#8119,
    openai/codex#8123, openai/codex#8138
  `),
  *check(context) {
    for (const { index, json, id, type } of itemsOf(context)) {
      const node = type === 'reasoning' ? json.get('encrypted_content') : undefined;
      const fault = node?.isString ? faultOf(node.text) : undefined;
      if (fault !== undefined)
        yield {
          message: index,
          node: node!,
          text: `the encrypted content of the reasoning${id ? ` ${id}` : ''} ${fault}`,
        };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Remove the reasoning.',
    apply: (context, problems) => withoutReasoning(context, new Set(problems.flatMap(({ message }) => message ?? []))),
  },
});

function faultOf(content: string): string | undefined {
  if (content === '') return 'is empty';
  const foreign = /[^A-Za-z0-9+/_=-]/u.exec(content)?.[0];
  if (foreign !== undefined) return `has ${JSON.stringify(foreign)}, which is not base64`;
  return content.startsWith(TOKEN) && content.length % 4 !== 0
    ? `is truncated (${content.length} characters)`
    : undefined;
}
