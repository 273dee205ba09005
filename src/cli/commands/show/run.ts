import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { showPrinter } from '../../../documents/show.js';
import { type Address, placesIn } from '../../../engine/show/address.js';
import { type Filters, isEmpty, searchFor } from '../../../engine/show/selection.js';
import { createShow, type ShownTranscript, type ShowResult } from '../../../engine/show/show.js';
import { TranscriptError } from '../../../errors.js';
import type { Omissions } from '../../../omissions.js';
import type { PartLook } from '../../../reports/show/parts.js';
import { transcriptText } from '../../../reports/show/transcript.js';
import { type SafeText, safe } from '../../../safe/text.js';
import { globOf } from '../../../text/glob.js';
import type { Pattern } from '../../../text/pattern.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import { type Input, shownName } from '../../files/input.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { forEachInput, openTranscripts, say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import type { Terminal } from '../../terminal/terminal.js';
import { openShownCheck } from '../check/open.js';
import { examined } from '../check/sessions.js';
import { usualCheckOptions } from '../check/usual-options.js';
import type { ShowOptions } from './options.js';

/** Prints the transcripts of each input, or the messages at its addresses. */
export async function runShow(
  words: readonly string[],
  options: ShowOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const filters = filtersIn(options);
  const context = await loadContext(options, { priced: true }, config, terminal);
  const checkOptions = options.findings === true ? await usualCheckOptions(options, terminal, config) : undefined;
  const omissions = collectOmissions();
  const out = await openOutput({ ...options, omissions }, filters.pattern, terminal);
  let good = true;
  let isFirst = true;
  const visit = (addresses: readonly Address[]) => async (input: Input) => {
    const check = checkOptions && (await openShownCheck(checkOptions, config, terminal));
    const whole = check === undefined ? input : await examined(input, check);
    const show = createShow(shownName(input.name), {
      ...{ context, addresses, filters, check },
      branches: options.branches === true,
    });
    const before = omissions.unread.length;
    const print = async (transcripts: readonly ShownTranscript[]) => {
      for (const transcript of transcripts) {
        await out.print(transcript, isFirst);
        isFirst = false;
      }
    };
    for (const { transcript, piece } of openTranscripts(whole, options, terminal, { omissions }))
      await print(show.add(transcript, piece));
    for (const unread of omissions.unread.slice(before)) check?.addUnread(unread);
    const result = show.close();
    await print(result.shown);
    complain(result, addresses);
    if (result.branches > 0) say(terminal, leftOut(input.name, result.branches));
    if (isAmbiguous(addresses) && result.transcripts > 1) say(terminal, firstOf(input.name, result.transcripts));
  };
  try {
    const places = placesIn(words, (file) => existsSync(resolve(terminal.cwd, file)));
    for (const { file, addresses } of places.length === 0 ? [{ file: undefined, addresses: [] }] : places) {
      const named = file === undefined ? [] : [file];
      good = (await forEachInput(named, terminal, visit(addresses), { ...options, failed: omissions.failed })) && good;
    }
  } finally {
    await out.close();
  }
  const isAll = options.findings === true && isEmpty(filters);
  if (good && isFirst) say(terminal, `ctx-trim: ${isAll ? 'check finds nothing in it' : 'no message matches'}`);
  return good ? 0 : 2;
}

function filtersIn({ role, tool, grep }: ShowOptions): Filters {
  const globs = tool.map(globOf);
  return {
    roles: role,
    isTool: globs.length === 0 ? undefined : (name) => globs.some((glob) => glob.test(name)),
    pattern: grep === undefined ? undefined : searchFor(grep),
  };
}

/** Whether an address does not say in which transcript its message is. */
function isAmbiguous(addresses: readonly Address[]): boolean {
  return addresses.some(({ line, agent }) => line === undefined && agent === undefined);
}

function leftOut(name: string, branches: number): string {
  const what = branches === 1 ? '1 abandoned branch is' : `${branches} abandoned branches are`;
  return `ctx-trim: ${shownName(name)}: ${what} not shown (--branches shows what the user left by going back)`;
}

function firstOf(name: string, transcripts: number): string {
  const file = shownName(name);
  return (
    `ctx-trim: ${file}: the first of ${transcripts} transcripts; ` +
    `name another by its line, such as ${file}:3#22 (ctx-trim stats lists them)`
  );
}

/** Throws TranscriptError for the first address that names nothing. */
function complain({ missing, transcripts }: ShowResult, addresses: readonly Address[]): void {
  const [address] = missing;
  if (address === undefined) return;
  const { line, column, agent, messages, turn } = address;
  const what = [
    ...(messages === undefined ? [] : [`message ${messages.first}`]),
    ...(turn === undefined ? [] : [`turn ${turn}`]),
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(agent === undefined ? [] : [`sub-agent ${agent}`]),
  ].join(', ');
  const others = addresses.length > missing.length ? '; the other addresses are shown' : '';
  const where = transcripts > 1 && line === undefined ? ' in its first transcript' : '';
  throw new TranscriptError('usage', `there is no ${what}${where}; ctx-trim stats lists the messages${others}`);
}

interface Output {
  print(transcript: ShownTranscript, isFirst: boolean): Promise<void>;
  close(): Promise<void>;
}

async function openOutput(
  options: ShowOptions & { readonly omissions: Omissions },
  pattern: Pattern | undefined,
  terminal: Terminal,
): Promise<Output> {
  const { stdout } = terminal;
  if (options.format === 'json') {
    const json = showPrinter();
    return {
      async print(transcript) {
        stdout.write(json.transcript(transcript));
      },
      async close() {
        stdout.write(json.end(options.omissions));
      },
    };
  }
  const look: PartLook = {
    style: await paletteFor(stdout, terminal, options.color),
    width: stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY,
    full: options.full === true,
    keeps: pattern === undefined ? undefined : (line) => pattern.test(line),
  };
  const pager = stdout.isTerminal && options.noPager !== true ? await terminal.openPager?.() : undefined;
  const write = pager?.write ?? (async (text: SafeText) => stdout.write(text));
  return {
    async print(transcript, isFirst) {
      if (!isFirst) await write(safe`\n`);
      for (const text of transcriptText(transcript, look)) await write(text);
    },
    close: async () => pager?.close(),
  };
}
