/** `report`: reads sessions and writes a page, or the figures as JSON. */

import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { printed } from '../../../documents/print.js';
import { reportDocument } from '../../../documents/report.js';
import { dayFunction } from '../../../engine/period.js';
import { createReport, type ReportFacts } from '../../../engine/report/report.js';
import type { WrittenPolicy } from '../../../engine/simulate/simulate.js';
import { TranscriptError } from '../../../errors.js';
import { storedFile } from '../../../formats/agents.js';
import { serverSide } from '../../../measure/simulation/server-side.js';
import { type HtmlOptions, reportFiles, reportPage } from '../../../reports/html/document.js';
import type { SafeText } from '../../../safe/text.js';
import type { Clean } from '../../../transcript/cleaned.js';
import { KEEPS_NOTHING, withStore } from '../../../transforms/offload.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import type { Input } from '../../files/input.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { forEachInput, openTranscripts, say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { intoFile } from '../../outputs/into-file.js';
import { redactorFor } from '../../outputs/redactor.js';
import type { Terminal } from '../../terminal/terminal.js';
import { openShownCheck } from '../check/open.js';
import { examined } from '../check/sessions.js';
import { usualCheckOptions } from '../check/usual-options.js';
import { stepNames, stepsFirst } from '../run/steps.js';
import type { ReportOptions } from './options.js';

declare const __VERSION__: string;

export async function runReport(
  words: readonly string[],
  options: ReportOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const { output, split, format, scope, cache } = options;
  if (output === undefined && format === 'html' && terminal.stdout.isTerminal)
    throw new TranscriptError('usage', 'the report is a web page; name a file for it: -o report.html');
  const policies: WrittenPolicy[] = [];
  for (const text of options.policy) policies.push(await policyIn(text, config, terminal));
  const context = await loadContext(options, { priced: true }, config, terminal);
  const checkOptions = await usualCheckOptions(options, terminal, config);
  const check = await openShownCheck(checkOptions, config, terminal);
  const clean = cleanerFor(options, terminal);
  const report = createReport({
    context,
    check,
    policies,
    replay: { scope, cache, carries: false, idle: undefined },
    dayOf: dayFunction(undefined),
    clean,
  });
  const omissions = collectOmissions();
  let count = 0;
  const visit = async (input: Input) => {
    const whole = await examined(input, check);
    for (const { transcript, place, piece } of openTranscripts(whole, options, terminal, { omissions })) {
      report.add(transcript, place.file, piece);
      count++;
    }
  };
  const good = await forEachInput(words, terminal, visit, { ...options, failed: omissions.failed });
  for (const unread of omissions.unread) check.addUnread(unread);
  if (count === 0) {
    if (good) say(terminal, 'ctx-trim: no transcript found');
    return 2;
  }
  if (storedFile(words[0] ?? '') !== undefined)
    await (await import('../stats/home.js')).sayCopied(words, terminal, config);
  const isWritten = await writeReport(
    { ...report.close(), omissions },
    { ...options, split: split === true, clean },
    terminal,
  );
  if (isWritten && options.output !== undefined && options.output !== '-' && terminal.stderr.isTerminal)
    say(terminal, `ctx-trim: wrote ${options.output}`);
  return good && isWritten ? 0 : 2;
}

async function policyIn(text: string, config: Config, terminal: Terminal): Promise<WrittenPolicy> {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const { steps, rest } = await stepsFirst(words, config, terminal, { more: serverSide });
  if (rest.length > 0 || steps.length === 0)
    throw new TranscriptError(
      'usage',
      `--policy \`${text}\`: unknown step or pipeline \`${rest[0] ?? ''}\`; ${stepNames(config)}`,
    );
  return { steps: withStore(steps, KEEPS_NOTHING), written: words.join(' ') };
}

type Written = ReportOptions & { readonly split: boolean; readonly clean: Clean };

async function writeReport(facts: ReportFacts, options: Written, terminal: Terminal): Promise<boolean> {
  const { output, split, format, clean } = options;
  if (format === 'json') return write(output, printed(reportDocument(facts, clean)), terminal);
  const html = await htmlOptions(options);
  if (!split || output === undefined) return write(output, reportPage(facts, html), terminal);
  mkdirSync(resolve(terminal.cwd, output), { recursive: true });
  for (const { name, text } of reportFiles(facts, html))
    if (!(await write(join(output, name), text, terminal))) return false;
  return true;
}

function write(output: string | undefined, text: SafeText, terminal: Terminal): Promise<boolean> {
  return intoFile(output ?? '-', terminal, async (sink) => {
    sink.text(text);
    return true;
  });
}

function cleanerFor(options: ReportOptions, terminal: Terminal): Clean {
  if (options.noRedact === true) return (text) => text;
  const redactor = redactorFor(options, terminal);
  return (text) => {
    const bytes = Buffer.from(text);
    const pieces: (string | Buffer)[] = [];
    const found = redactor.redact(
      {
        slice: (from, start, end) => void pieces.push(from.subarray(start, end)),
        text: (mark) => void pieces.push(mark),
      },
      bytes,
      0,
      bytes.length,
    );
    return found === 0 ? text : pieces.map(String).join('');
  };
}

async function htmlOptions({ noRedact, top, links, printMessages, clean }: Written): Promise<HtmlOptions> {
  const { script, style } = await import('./page.static.js');
  return {
    script,
    style,
    clean,
    links: links === true,
    isRedacted: noRedact !== true,
    pack: (text) => deflateRawSync(text).toString('base64'),
    hash: (text) => createHash('sha256').update(text).digest('base64'),
    version: typeof __VERSION__ === 'undefined' ? '0.0.0' : __VERSION__,
    sections: top,
    printed: printMessages,
  };
}
