import { errorRule } from '../rule.js';
import { blocksOf } from '../shared/bedrock.js';
import { rewireProblems } from '../shared/edits.js';

export default errorRule({
  id: 'bedrock/document-name-duplicate',
  summary: 'two documents of one name',
  providers: ['bedrock'],
  error: "Messages can't contain duplicate document names. Rename the document and retry your request.",
  cause: 'A file was attached again later, two files differ only in their extension, or each is called `document`.',
  reported: [
    'aws-samples/generative-ai-use-cases#1685',
    'maximhq/bifrost#7003',
    'ag-ui-protocol/ag-ui#2425',
    'run-llama/llama_index#20922',
  ],
  *check(context) {
    const names = new Set<string>();
    for (const { message, part, node } of blocksOf(context, 'document')) {
      const name = node.get('name');
      if (!name?.isString) continue;
      if (names.has(name.text))
        yield { message, part, node: name, text: `another document is called ${JSON.stringify(name.text)} too` };
      names.add(name.text);
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Number the later documents.',
    apply(context, problems) {
      const names = new Set([...blocksOf(context, 'document')].map(({ node }) => node.get('name')?.string));
      return rewireProblems(context, problems, ({ text }) => {
        let number = 2;
        const numbered = () => `${text.slice(0, 190)} ${number}`;
        while (names.has(numbered())) number++;
        names.add(numbered());
        return numbered();
      });
    },
  },
});
