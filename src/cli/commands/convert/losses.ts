/** What a conversion lost, as lines. */
import type { Loss } from '../../../conversion/findings.js';

export interface Losing {
  readonly file: string;
  readonly line: number;
  readonly findings: readonly Loss[];
}

/** One line for each kind of loss in a file, with the number of transcripts. */
export function lossLinesOf(converted: readonly Losing[]): string[] {
  const byFinding = new Map<
    string,
    { readonly file: string; readonly line: number; readonly finding: Loss; count: number }
  >();
  for (const { file, line, findings } of converted) {
    for (const finding of findings) {
      const known = byFinding.get(`${file}\n${finding.what}`);
      if (known !== undefined) known.count++;
      else byFinding.set(`${file}\n${finding.what}`, { file, line, finding, count: 1 });
    }
  }
  return [...byFinding.values()].map(
    ({ file, line, finding, count }) =>
      `${file}:${line}: ${finding.loss ? '' : 'note: '}not converted: ` +
      (count === 1 ? sentence(finding) : `${inShort(finding)} (${count} transcripts)`),
  );
}

const SHOWN = 5;

function sentence(loss: Loss): string {
  const { messages } = loss;
  const what = inShort(loss);
  if (messages.length === 0) return what;
  const rest = messages.length - SHOWN;
  const shown = `${messages.length === 1 ? 'message' : 'messages'} ${messages.slice(0, SHOWN).join(', ')}`;
  return `${what} (${shown}${rest > 0 ? ` and ${rest} more` : ''})`;
}

/** An agent has dozens of fields of its own; JSON has them all. */
function inShort({ what, fields }: Loss): string {
  const names = Object.keys(fields ?? {});
  const rest = names.length - SHOWN;
  if (rest <= 1) return what;
  const shown = names.slice(0, SHOWN).map((name) => `\`${name}\``);
  return `${what.slice(0, what.indexOf('`'))}${shown.join(', ')} and ${rest} more`;
}
