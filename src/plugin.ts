/** What `import … from 'ctx-trim/plugin'` gives: for modules that bring formats, rules and kinds of secrets. */
import { KIT, kit } from './plugin/kit.js';

export { TranscriptError } from './errors.js';
export type { Encode } from './formats/encode.js';
export { defineFormat, type Format } from './formats/format.js';
export type { Json, JsonFields } from './json/edit.js';
export type { JsonNode } from './json/node.js';
export type { Plugin } from './plugin/plugin.js';
export { testFormat } from './plugin/test-format.js';
export { testRule } from './plugin/test-rule.js';
export { defineRule, type Fix, type Problem, type Rule, type RuleContext } from './rules/rule.js';
export { defineSecret, type SecretRule } from './secrets/rule.js';
export type * from './transcript/types.js';

/** The program's own functions where it loaded this module: see src/plugin/kit.ts. */
const given: typeof kit = (globalThis as { readonly [KIT]?: typeof kit })[KIT] ?? kit;

export const { parse, isNode, patch, patchEach, patchItems, json, jsonValue, stringOf, textOf } = given;
export const { present, optionalString, optionalObjects, wrongType, metaMessage } = given;
export const { timeOf, tokens, usageOf, costText, recordedOf, formatNamed } = given;
export const { mapMessages, mapParts, withMessages, mapProblemMessages, mapProblemParts } = given;
