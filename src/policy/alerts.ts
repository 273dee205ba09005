/** Alerts and advice of an audit as sentences in a language: for reports, and for the findings of a check. */
import { grouped } from '../text/words.js';
import type { Alert, AuditFacts } from './audit.js';
import { AUDIT_PHRASES, type Figures } from './audit-phrases.js';
import { compile } from './compiled.js';
import { PHRASES } from './phrases.js';
import type { Language } from './types.js';

interface AlertLook {
  readonly language: Language;
  readonly facts: Pick<AuditFacts, 'policy'>;
}

/** The tools to use instead, at the end of a finding; may be empty. */
export function adviceText(instead: readonly string[], { language }: Pick<AlertLook, 'language'>): string {
  return instead.length === 0 ? '' : PHRASES[language].use(instead.join(', '));
}

export function alertText(
  { of, tool, place, calls, wrong, denied, invalid, max }: Alert,
  { language, facts: { policy } }: AlertLook,
): string {
  const words = AUDIT_PHRASES[language];
  const figures = figuresOf({ calls, wrong, denied, invalid, max });
  const tools = tool === undefined ? [] : (compile(policy).specOf(tool)?.instead ?? []);
  const where = place === undefined ? '' : `${place.file}:${place.line}: `;
  return (
    where +
    (tool === undefined ? words.ofRules(of, figures) : words.ofTool(tool, figures)) +
    (tools.length === 0 ? '' : words.instead(tools.join(', '))) +
    (policy.prompt === undefined ? '' : words.inject(policy.name ?? 'policy.yaml'))
  );
}

function figuresOf({
  calls,
  wrong,
  denied,
  invalid,
  max,
}: Omit<Alert, 'rule' | 'of' | 'tool' | 'place' | 'minCalls'>): Figures {
  return {
    rate: percent(wrong / calls),
    max: percent(max),
    calls: grouped(calls),
    wrong: grouped(wrong),
    denied: grouped(denied),
    invalid: grouped(invalid),
  };
}

export function heldBackText(alert: Alert, { language }: Pick<AlertLook, 'language'>): string {
  const where = alert.place === undefined ? '' : `${alert.place.file}:${alert.place.line}: `;
  return where + AUDIT_PHRASES[language].heldBack(alert.tool ?? alert.of, figuresOf(alert), alert.minCalls);
}

/** `30 %`, `33.3 %`. */
export function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
