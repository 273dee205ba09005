/** The outputs of a command's reports, each stdout or a file. */
import { TranscriptError } from '../../errors.js';
import type { Options } from '../../options/option.js';
import { FINDINGS_REPORTERS, type FindingsReporterId } from '../../reports/findings/index.js';
import type { SafeText } from '../../safe/text.js';
import type { Stream, Terminal } from '../terminal/terminal.js';

/** Reporters for CI systems. */
export type CiReporter = Exclude<FindingsReporterId, 'json'>;
export const CI_REPORTERS = FINDINGS_REPORTERS.filter((id): id is CiReporter => id !== 'json');

/** The options that choose among several reporters. */
export function reporterOptions<const Name extends string>(names: readonly Name[]) {
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return {
    reporter: {
      type: 'text',
      reach: 'writes',
      value: 'name[=file]',
      many: true,
      summary: `${list}, to stdout or a file; repeatable`,
    },
    format: {
      type: 'choice',
      choices: names,
      value: 'name',
      summary: 'short for one --reporter to stdout; json is stable and versioned',
    },
  } as const satisfies Options;
}

export interface ReportOutput<Name extends string> {
  readonly name: Name;
  /** Undefined for the stream. */
  readonly file: string | undefined;
  readonly stream: Stream;
  /** Added by itself on GitHub Actions. */
  readonly isAdded?: boolean;
}

/** The requested reports, or `usual`; on GitHub Actions also annotations. */
export function reportOutputs<Name extends string>(
  names: readonly (Name | 'github')[],
  usual: Name,
  { reporter, format }: { readonly reporter: readonly string[]; readonly format: Name | 'github' | undefined },
  { stdout, stderr, env }: Terminal,
  stdoutIsTaken = false,
): ReportOutput<Name | 'github'>[] {
  const stream = stdoutIsTaken ? stderr : stdout;
  const chosen = [
    ...reporter.map((text) => ({ ...outputIn(text, names), stream })),
    ...(format === undefined ? [] : [{ name: format, file: undefined, stream }]),
  ];
  rejectMixture(chosen);
  const outputs = chosen.length > 0 ? chosen : [{ name: usual, file: undefined, stream }];
  if (env['GITHUB_ACTIONS'] !== 'true' || outputs.some(({ name }) => name === 'github')) return outputs;
  const isForPeople = outputs.every(({ name, file }) => name === usual || file !== undefined);
  const shown = isForPeople ? stream : stderr; // the runner reads both
  return [...outputs, { name: 'github', file: undefined, stream: shown, isAdded: true }];
}

/** Reports that are whole documents and cannot share stdout: all but those that print lines. */
const DOCUMENTS: ReadonlySet<string> = new Set(FINDINGS_REPORTERS.filter((id) => id !== 'github'));

function rejectMixture(chosen: readonly ReportOutput<string>[]): void {
  const together = chosen.filter(({ file }) => file === undefined).map(({ name }) => name);
  const document = together.find((name) => DOCUMENTS.has(name));
  if (together.length > 1 && document !== undefined)
    throw new TranscriptError(
      'usage',
      `${together.join(' and ')} cannot both go to stdout; name a file for one: --reporter ${document}=<file>`,
    );
}

function outputIn<Name extends string>(
  text: string,
  names: readonly Name[],
): { readonly name: Name; readonly file: string | undefined } {
  const [, name = '', file] = /^([^=]*)(?:=(.+))?$/s.exec(text) ?? [];
  if (!names.includes(name as Name))
    throw new TranscriptError(
      'usage',
      `unknown reporter \`${text}\`; expected ${names.join(', ')}, each optionally with =<file>`,
    );
  return { name: name as Name, file: file === '-' ? undefined : file };
}

/** Whether all requested reports go to files. */
export function isSilent(outputs: readonly ReportOutput<string>[]): boolean {
  return outputs.every(({ file, isAdded }) => file !== undefined || isAdded);
}

/** Writes all reports. Returns whether all could be written. */
export async function putOut<Name extends string>(
  outputs: readonly ReportOutput<Name>[],
  render: (output: ReportOutput<Name>) => Promise<SafeText>,
  terminal: Terminal,
): Promise<boolean> {
  let good = true;
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : [file]));
  if (files.length > 1) (await import('./into-file.js')).rejectSameFiles(files, terminal);
  for (const output of outputs) {
    const text = await render(output);
    if (output.file === undefined) output.stream.write(text);
    else good = (await writeText(output.file, text, terminal)) && good;
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
