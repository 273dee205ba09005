/** Which models of Anthropic go on with a reply that ends the request. */
import type { Traits } from '../../transcript/types.js';

export const TRAITS: Traits = {
  resultsShareMessage: true,
  resultsLeadText: true,
  flagsErrors: true,
  userBegins: true,
  userEnds: 'after thinking',
};

const WITHOUT_PREFILL: Traits = { ...TRAITS, userEnds: 'always' };

/** `thinks`: thinking is enabled, so that the current run needs its reasoning. */
export function traitsOf(model: string | undefined, thinks: boolean): Traits {
  const prefills = model === undefined || !/claude/i.test(model) || takesPrefill(model);
  const traits = prefills ? TRAITS : WITHOUT_PREFILL;
  return thinks ? { ...traits, needsReasoning: true } : traits;
}

/** Up to Claude 4.5. The version is before (`claude-3-5-sonnet`) or after the family (`claude-opus-4-1-20250805`). */
export function takesPrefill(model: string): boolean {
  const [, major, minor = '0'] = /claude-(?:[a-z]+-)?v?(\d)(?:[.-](\d{1,2})(?!\d))?/i.exec(model) ?? [];
  return major !== undefined && (Number(major) < 4 || (Number(major) === 4 && Number(minor) <= 5));
}
