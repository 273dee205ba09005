/** How each API spells which tools the model must or may call (2026-11). */
import { expect, it } from 'vitest';
import { GEMINI_PARAMETERS } from '../../src/formats/gemini/gemini-parameters.js';
import {
  CHAT_PARAMETERS,
  COMPATIBLE_PARAMETERS,
  RESPONSES_PARAMETERS,
} from '../../src/formats/openai/openai-parameters.js';
import type { ToolChoice } from '../../src/formats/shared/tool-choice.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';

const APIS = {
  chat: CHAT_PARAMETERS.toolChoice!,
  compatible: COMPATIBLE_PARAMETERS.toolChoice!,
  responses: RESPONSES_PARAMETERS.toolChoice!,
  gemini: GEMINI_PARAMETERS.toolChoice!,
};
type Api = keyof typeof APIS;
const written = (api: Api, choice: ToolChoice) => {
  const value = APIS[api].write(choice);
  return value === undefined ? undefined : JSON.parse(printed(value));
};

const ONE: ToolChoice = { tools: ['f'], isRequired: true };
const MAY_ONE: ToolChoice = { tools: ['f'], isRequired: false };
const TWO: ToolChoice = { tools: ['f', 'g'], isRequired: true };
const MAY_TWO: ToolChoice = { tools: ['f', 'g'], isRequired: false };
const named = (name: string) => ({ type: 'function', function: { name } });
const flat = (name: string) => ({ type: 'function', name });
const allowed = (mode: string, ...tools: readonly string[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: tools.map(named) },
});
const flatAllowed = (mode: string, ...tools: readonly string[]) => ({
  ...{ type: 'allowed_tools', mode },
  tools: tools.map(flat),
});

it.each<[Api, ToolChoice, unknown]>([
  ...(['chat', 'compatible', 'responses'] as const).flatMap((api) =>
    (['auto', 'none', 'required'] as const).map((word): [Api, ToolChoice, unknown] => [api, word, word]),
  ),
  ['chat', ONE, named('f')],
  ['chat', MAY_ONE, allowed('auto', 'f')],
  ['chat', TWO, allowed('required', 'f', 'g')],
  ['chat', MAY_TWO, allowed('auto', 'f', 'g')],
  ['compatible', ONE, named('f')],
  ['responses', ONE, flat('f')],
  ['responses', MAY_ONE, flatAllowed('auto', 'f')],
  ['responses', TWO, flatAllowed('required', 'f', 'g')],
  ['gemini', 'auto', { mode: 'AUTO' }],
  ['gemini', 'none', { mode: 'NONE' }],
  ['gemini', 'required', { mode: 'ANY' }],
  ['gemini', ONE, { mode: 'ANY', allowedFunctionNames: ['f'] }],
  ['gemini', TWO, { mode: 'ANY', allowedFunctionNames: ['f', 'g'] }],
])('%s: %j is %j, both ways', (api, choice, spelled) => {
  expect(written(api, choice)).toEqual(spelled);
  expect(APIS[api].read(parse(JSON.stringify(spelled)))).toEqual(choice);
});

it.each<[Api, ToolChoice]>([
  ['compatible', TWO],
  ['compatible', MAY_ONE],
  ['gemini', MAY_ONE],
])('%s has no word for %j', (api, choice) => {
  expect(written(api, choice)).toBeUndefined();
});

it.each<[Api, unknown]>([
  ['chat', 'any'],
  ['chat', {}],
  ['chat', flat('f')],
  ['chat', { type: 'custom', custom: { name: 'f' } }],
  ['chat', { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [named('f'), { type: 'mcp' }] } }],
  ['chat', flatAllowed('auto', 'f')],
  ['responses', named('f')],
  ['responses', { type: 'file_search' }],
  ['responses', { ...flatAllowed('auto', 'f'), tools: [{ type: 'mcp', server_label: 'x' }] }],
  ['gemini', { mode: 'VALIDATED' }],
])('%s: %j is none of these choices', (api, value) => {
  expect(APIS[api].read(parse(JSON.stringify(value)))).toBeUndefined();
});
