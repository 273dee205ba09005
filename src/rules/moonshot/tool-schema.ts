import { readTools } from '../../formats/shared/tools.js';
import { JsonNode } from '../../json/node.js';
import { commaList } from '../../lists.js';
import { defineRule } from '../rule.js';

export default defineRule({
  id: 'moonshot/tool-schema',
  summary: 'a tool schema that Moonshot’s dialect lacks',
  severity: 'warning', // many reports of 2026, but 14790897/MiqroForge-Desktop#1165 (2026-09) saw a union accepted
  providers: ['moonshot'],
  error:
    "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.skill': " +
    'when using anyOf, type should be defined in anyOf items instead of the parent schema> | tools.function.' +
    'parameters.type is required and must be "object" | <At path \'properties.source\': type is not defined> | ' +
    "<At path 'properties.a.$ref': references must start with #/$defs/> | <At path 'properties.v': conflicting " +
    'keywords found after $ref expansion: description>',
  cause: 'The schema is valid JSON Schema, but has a `type` beside `anyOf`, a tuple, or `true` in place of a schema.',
  reported: commaList(`
    abhigyanpatwari/GitNexus#2703, MoonshotAI/kimi-cli#2531, nicobailon/pi-subagents#127, vercel/ai#18921,
    can1357/oh-my-pi#5952, earendil-works/pi#4138, CommandCodeAI/command-code#594, MoonshotAI/kimi-cli#1903
  `),
  *check({ transcript }) {
    for (const { name, parameters } of readTools(transcript.tools?.text ?? '[]').definitions) {
      if (!(parameters instanceof JsonNode)) continue;
      const said = (fault: string) => ({ message: undefined, text: `the schema of the tool \`${name}\` ${fault}` });
      if (parameters.get('type')?.string !== 'object') yield said('is not of the type object');
      for (const fault of faultsOf(parameters, 'parameters')) yield said(fault);
    }
  },
});

/** Faults of a schema and of those in it. */
function* faultsOf(schema: JsonNode, path: string): Generator<string> {
  if (!schema.isObject) return yield `has ${schema.kind === 'boolean' ? 'a boolean' : schema.kind} at \`${path}\``;
  const ref = schema.get('$ref')?.string;
  if (ref !== undefined && !ref.startsWith('#/$defs/')) yield `has a reference that is not to $defs at \`${path}\``;
  if (ref !== undefined && schema.members().length > 1) yield `has keywords beside a reference at \`${path}\``;
  if (ref === undefined && !['type', 'anyOf', 'enum', 'const', 'allOf', 'oneOf'].some((key) => schema.get(key)))
    yield `has no type at \`${path}\``;
  if (schema.get('type') !== undefined && schema.get('anyOf') !== undefined)
    yield `has a type beside anyOf at \`${path}\``;
  const items = schema.get('items');
  if (items?.isArray) yield `has a list of items at \`${path}\``;
  else if (items !== undefined) yield* faultsOf(items, `${path}.items`);
  for (const { key, value } of schema.get('properties')?.members() ?? []) yield* faultsOf(value, `${path}.${key.text}`);
  for (const [index, value] of (schema.get('anyOf')?.items() ?? []).entries())
    yield* faultsOf(value, `${path}.anyOf[${index}]`);
}
