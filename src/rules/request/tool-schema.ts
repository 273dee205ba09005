import { table } from '../../formats/shared/table.js';
import { commaList } from '../../lists.js';
import { OPENAI_MODELS } from '../providers.js';
import { defineRule, type RuleContext } from '../rule.js';
import { toolSchemaErrors } from '../shared/long-errors.js';
import { bodyOf } from '../shared/own-format.js';
import { bodyFix, changeOf, modelOf, toolsOf, valueAt } from '../shared/request.js';
import {
  ANTHROPIC,
  ANTHROPIC_STRICT,
  BEDROCK,
  DEEPSEEK,
  type Dialect,
  GEMINI,
  OPENAI,
  OPENAI_STRICT,
  schemaFaultsIn,
  VERTEX,
} from '../shared/schema-dialects.js';

/** The dialect of each provider; `strict` is that of a tool that says so. */
export const DIALECTS = table<{ readonly usual: Dialect; readonly strict?: Dialect }>({
  anthropic: { usual: ANTHROPIC, strict: ANTHROPIC_STRICT },
  'vertex-claude': { usual: ANTHROPIC, strict: ANTHROPIC_STRICT },
  bedrock: { usual: BEDROCK },
  'bedrock-llama': { usual: BEDROCK },
  'openai-chat': { usual: OPENAI, strict: OPENAI_STRICT },
  azure: { usual: OPENAI, strict: OPENAI_STRICT },
  'github-copilot': { usual: OPENAI, strict: OPENAI_STRICT },
  'openai-responses': { usual: OPENAI, strict: OPENAI_STRICT },
  deepseek: { usual: DEEPSEEK },
  gemini: { usual: GEMINI },
  vertex: { usual: VERTEX },
});

export default defineRule({
  id: 'request/tool-schema',
  summary: 'a schema of a tool that the API rejects',
  severity: 'error',
  providers: Object.keys(DIALECTS),
  alone: true,
  asRequest: true,
  get error() {
    return toolSchemaErrors();
  },
  cause: 'The schema of an MCP server or a generator was sent as it is; each API takes another part of JSON Schema.',
  reported: commaList(`
    anthropics/claude-code#5973, kintone/mcp-server#553, inboxapi/cli#106, szeider/mcp-dblp#3,
    zed-industries/zed#44875, cline/cline#7339, Smana/runlore#40, decolua/9router#359, google-gemini/gemini-cli#3178,
    google-gemini/gemini-cli#5450, agno-agi/agno#2112, lambda-alpha-labs/Graphenium#37, ax-llm/ax#458,
    vercel/ai#7924
  `),
  *check(context) {
    for (const { node, text, changes } of faultsIn(context))
      yield { message: undefined, node, text, ...(changes === undefined ? {} : { changes }) };
  },
  fix: bodyFix('lossy', 'Rewrite or remove what the API rejects.'),
});

function* faultsIn(context: RuleContext) {
  const body = bodyOf(context);
  const { usual, strict = usual } = DIALECTS[context.provider.id] ?? {};
  if (body === undefined || usual === undefined || strict === undefined) return;
  // servers of other models take any schema, and ignore `strict`; a deployment of Azure may have any name
  const model = modelOf(context, body);
  const isOpenAi = context.provider.id === 'azure' || OPENAI_MODELS.test(model);
  if (usual === OPENAI && model !== '' && !isOpenAi) return;
  for (const { inner, schema, path } of toolsOf(context, body)) {
    const node = schema === undefined ? undefined : valueAt(inner, schema);
    const isStrict = (usual !== OPENAI || isOpenAi) && inner.get('strict')?.boolean === true;
    if (node === undefined) continue;
    for (const fault of schemaFaultsIn(node, isStrict ? strict : usual, `${path}.${schema}`)) {
      const isRoot = fault.text === `\`${path}.${schema}.properties\` is empty`;
      yield isRoot ? { ...fault, changes: changeOf(inner, { [schema!]: undefined }) } : fault;
    }
  }
}
