/** Where the reports of a command go: several at once, each to stdout or to a file. */
import { TranscriptError } from '../../errors.js';
import type { Stream, Terminal } from '../../io/terminal.js';
import { FINDINGS_REPORTERS, type FindingsReporterId } from '../../reports/findings/index.js';
import type { SafeText } from '../../safe/text.js';

/** Reporters for CI systems. */
export type CiReporter = Exclude<FindingsReporterId, 'json'>;
export const CI_REPORTERS = FINDINGS_REPORTERS.filter((id): id is CiReporter => id !== 'json');

/** Several reporters as help lists them. */
export function reporterSummary(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}, to stdout or a file; repeatable`;
}

export interface Outlet<Name extends string> {
  readonly name: Name;
  /** Written as a whole; without one it goes to the stream. */
  readonly file: string | undefined;
  readonly stream: Stream;
  /** Nobody asked for it. */
  readonly isAdded?: boolean;
}

/** What is asked for, else `usual`, the one for people; on GitHub Actions its annotations too. */
export function outletsOf<Name extends string>(
  names: readonly (Name | 'github')[],
  usual: Name,
  { reporter, format }: { readonly reporter: readonly string[]; readonly format: Name | 'github' | undefined },
  { stdout, stderr, env }: Terminal,
  stdoutIsTaken = false,
): Outlet<Name | 'github'>[] {
  const stream = stdoutIsTaken ? stderr : stdout;
  const asked = [
    ...reporter.map((text) => ({ ...outletIn(text, names), stream })),
    ...(format === undefined ? [] : [{ name: format, file: undefined, stream }]),
  ];
  rejectMixture(asked);
  const outlets = asked.length > 0 ? asked : [{ name: usual, file: undefined, stream }];
  if (env['GITHUB_ACTIONS'] !== 'true' || outlets.some(({ name }) => name === 'github')) return outlets;
  const isForPeople = outlets.every(({ name, file }) => name === usual || file !== undefined);
  return [...outlets, { name: 'github', file: undefined, stream: isForPeople ? stream : stderr, isAdded: true }]; // the runner reads both streams
}

/** Lines for people and for CI logs may follow one another; any other report is a document, alone on its stream. */
const DOCUMENTS: ReadonlySet<string> = new Set(FINDINGS_REPORTERS.filter((id) => id !== 'github'));

function rejectMixture(asked: readonly Outlet<string>[]): void {
  const together = asked.filter(({ file }) => file === undefined).map(({ name }) => name);
  const document = together.find((name) => DOCUMENTS.has(name));
  if (together.length > 1 && document !== undefined)
    throw new TranscriptError(
      'usage',
      `${together.join(' and ')} cannot both go to stdout; name a file for one: --reporter ${document}=<file>`,
    );
}

function outletIn<Name extends string>(
  text: string,
  names: readonly Name[],
): { readonly name: Name; readonly file: string | undefined } {
  const [, name = '', file] = /^([^=]*)(?:=(.+))?$/s.exec(text) ?? [];
  if (!names.includes(name as Name))
    throw new TranscriptError(
      'usage',
      `no reporter \`${text}\`; there are ${names.join(', ')}, each with =file or to stdout`,
    );
  return { name: name as Name, file: file === '-' ? undefined : file };
}

/** Whether nobody who looks on sees a report: all that was asked for go to files. */
export function isSilent(outlets: readonly Outlet<string>[]): boolean {
  return outlets.every(({ file, isAdded }) => file !== undefined || isAdded);
}

/** Whether all could be written. */
export async function putOut<Name extends string>(
  outlets: readonly Outlet<Name>[],
  render: (outlet: Outlet<Name>) => Promise<SafeText>,
  terminal: Terminal,
): Promise<boolean> {
  let good = true;
  for (const outlet of outlets) {
    const text = await render(outlet);
    if (outlet.file === undefined) outlet.stream.write(text);
    else good = (await writeText(outlet.file, text, terminal)) && good;
  }
  return good;
}

export async function writeText(file: string, text: SafeText, terminal: Terminal): Promise<boolean> {
  const { intoFile } = await import('./into-file.js');
  return intoFile(file, terminal, async (sink) => {
    sink.text(text);
    return true;
  });
}
