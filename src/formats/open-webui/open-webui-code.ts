/** Code that Open WebUI ran for a model, an item of its own in `output`: as a call, and its result. */
import { type Json, patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { present, tryParse } from '../shared/json-fields.js';

export const CODE = 'open_webui:code_interpreter';
export const CODE_TOOL = 'code_interpreter';

/** A call and its result. `output`: undefined without a result. */
export function codeItems(id: string, code: string, output: string | undefined): object[] {
  const call = { type: 'function_call', call_id: id, name: CODE_TOOL, arguments: code };
  if (output === undefined) return [call];
  return [call, { type: 'function_call_output', call_id: id, output: [{ type: 'input_text', text: output }] }];
}

export function isCode(item: JsonNode): boolean {
  return item.get('type')?.string === CODE && (item.get('code')?.isString ?? false);
}

/** The items for one of `output`. */
export function expanded(item: JsonNode, index: number): string[] {
  if (!isCode(item)) return [item.json];
  const items = codeItems(idOf(item, index), item.get('code')!.text, present(item, 'output')?.text);
  return items.map((one) => JSON.stringify(one));
}

function idOf(item: JsonNode, index: number): string {
  return item.get('id')?.string || `code_${index}`;
}

/** The item with what is left of its own; undefined if it cannot say that. */
export function codeAfter(item: JsonNode, index: number, own: readonly JsonNode[]): Json | undefined {
  const [call, result] = own;
  const isOwn = call?.get('name')?.string === CODE_TOOL && call.get('call_id')?.string === idOf(item, index);
  const output = result && onlyText(result);
  if (!isOwn || (result !== undefined && (output === undefined || result.get('call_id')?.text !== idOf(item, index))))
    return undefined;
  const value = output === undefined || present(item, 'output')?.isString ? undefined : tryParse(output);
  return patch(item, { code: call.get('arguments')?.text ?? '', output: value?.isObject ? value : output });
}

/** What a result says, if that is one text. */
export function onlyText(result: JsonNode): string | undefined {
  const output = result.get('output');
  if (output?.isString) return output.text;
  const [block, more] = output?.items() ?? [];
  return more === undefined ? block?.get('text')?.string : undefined;
}
