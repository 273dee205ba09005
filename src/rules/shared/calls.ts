/** How problem texts name calls and results, and which names the providers accept. */
import { JsonNode } from '../../json/node.js';
import type { ResultSite } from '../../transcript/pairs.js';
import type { CallPart } from '../../transcript/types.js';

/** The pattern for tool names and call ids in the errors of OpenAI and Anthropic. */
export const NAME = /^[a-zA-Z0-9_-]+$/;

/** Replaces each invalid character with an underscore. */
export function asName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/gu, '_');
}

/** `the call of ls (call_1)`; unknown parts are left out. */
export function nameOfCall({ tool, callId }: CallPart): string {
  return `the call of ${tool || 'a tool'}${callId ? ` (${callId})` : ''}`;
}

/** `the result of ls (call_1)`; unknown parts are left out. */
export function nameOfResult({ part, call }: ResultSite): string {
  const tool = part.tool ?? call?.part.tool;
  return `the result${tool ? ` of ${tool}` : ''}${part.callId ? ` (${part.callId})` : ''}`;
}

/** Custom tools are called with free text instead of JSON. */
export function isFreeText({ kind, raw }: CallPart): boolean {
  return kind !== undefined || (raw instanceof JsonNode && raw.get('custom') !== undefined);
}
