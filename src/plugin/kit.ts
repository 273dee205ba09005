/**
 * The functions that formats and rules are written with. The program and the library are two bundles, each with its own
 * copy of them, and what one copy makes the other does not know. So the program lays out its own copy before it loads a
 * plugin, and `ctx-trim/plugin` gives out that one.
 */
import { formatNamed } from '../formats/index.js';
import {
  json,
  jsonValue,
  metaMessage,
  optionalObjects,
  optionalString,
  present,
  stringOf,
  wrongType,
} from '../formats/shared/json-fields.js';
import { costText, recordedOf, timeOf, tokens, usageOf } from '../formats/shared/recorded.js';
import { patch, patchEach, patchItems } from '../json/edit.js';
import { JsonNode, parse } from '../json/node.js';
import { mapProblemMessages, mapProblemParts } from '../rules/shared/edits.js';
import { mapMessages, mapParts, withMessages } from '../transcript/edit.js';
import { textOf } from '../transcript/text.js';

export const kit = {
  parse,
  isNode: (value: unknown): value is JsonNode => value instanceof JsonNode,
  ...{ patch, patchEach, patchItems },
  ...{ json, jsonValue, stringOf, textOf },
  ...{ present, optionalString, optionalObjects, wrongType, metaMessage },
  ...{ timeOf, tokens, usageOf, costText, recordedOf },
  ...{ mapMessages, mapParts, withMessages, mapProblemMessages, mapProblemParts },
  formatNamed,
};

/** Where the program lays it out: a member of the global object. */
export const KIT = Symbol.for('ctx-trim/plugin');
