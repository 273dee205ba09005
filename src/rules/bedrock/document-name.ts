import { errorRule } from '../rule.js';
import { blocksOf } from '../shared/bedrock.js';
import { rewireProblems } from '../shared/edits.js';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html (2026-11) */
const NAME = /^(?!.*\s\s)[a-zA-Z0-9\s()[\]-]{1,200}$/s;
const LONGEST = 200;

export default errorRule({
  id: 'bedrock/document-name',
  summary: 'a document name with invalid characters',
  providers: ['bedrock'],
  error:
    'The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, ' +
    'and square brackets. The name can’t contain more than one consecutive whitespace character.',
  cause: 'The name of the file was sent as it is, with its dot, an apostrophe or letters beyond ASCII.',
  reported: ['vercel/ai#20365', 'strands-agents/harness-sdk#3019', 'agentjido/req_llm#1004'],
  *check(context) {
    for (const { message, part, node } of blocksOf(context, 'document')) {
      const name = node.get('name');
      if (name?.isString && !NAME.test(name.text))
        yield { message, part, node: name, text: `the document name ${faultOf(name.text)}` };
    }
  },
  fix: {
    safety: 'lossy',
    summary: 'Replace invalid characters with hyphens.',
    apply: (context, problems) => rewireProblems(context, problems, ({ text }) => documentName(text)),
  },
});

function faultOf(name: string): string {
  if (name === '') return 'is empty';
  if (name.length > LONGEST) return `has ${name.length} characters; at most ${LONGEST} are allowed`;
  const [bad] = /[^a-zA-Z0-9\s()[\]-]/u.exec(name) ?? [];
  return bad === undefined ? 'has two white-space characters in a row' : `contains ${JSON.stringify(bad)}`;
}

function documentName(name: string): string {
  const allowed = name.replace(/[^a-zA-Z0-9\s()[\]-]+/g, '-').replace(/\s+/g, ' ');
  return allowed.slice(0, LONGEST) || 'document';
}
