/** `prices --update`: takes a price list that the user has as the user's own. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { priceDate } from '../../../engine/period.js';
import { configError, TranscriptError } from '../../../errors.js';
import { priceChanges } from '../../../measure/pricing/changes.js';
import { datedList, pricesIn } from '../../../measure/pricing/files.js';
import { changesJson, changesText } from '../../../reports/price-changes.js';
import { shown } from '../../../safe/text.js';
import { parseJson } from '../../config/parse-json.js';
import { fromHome, userPricesPath } from '../../context/user-prices.js';
import { type Input, openInput } from '../../files/input.js';
import { unwritable } from '../../files/target.js';
import { reasonOf } from '../../files/write-reasons.js';
import { say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { tableStyleFor } from '../../outputs/colors.js';
import { intoFile } from '../../outputs/into-file.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import type { PricesOptions } from './options.js';

export async function updatePrices(
  words: readonly string[],
  options: PricesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (words.length > 0) throw new TranscriptError('usage', '--update takes no models');
  const file = options.from!;
  const output = options.output ?? userPricesPath(terminal);
  if (output === undefined)
    throw new TranscriptError('usage', 'no folder for your price list: set HOME, or name a file with --output');
  const { text, date } = await readList(file, options, terminal);
  const list = await datedList(parseJson(text, file), date, file);
  const prices = await pricesIn(list, file);
  if (options.output === undefined) makeFolder(output);
  const isWritten = await intoFile(output, terminal, async (sink) => {
    sink.text(`${JSON.stringify(list)}\n`);
    return true;
  });
  if (!isWritten) return 2;
  const changes = await priceChanges(prices, timeOf(terminal));
  const facts = { ...changes, source: prices.snapshot!.source, date: list.date, file: fromHome(output, terminal) };
  const isData = output === '-'; // then stdout is the list
  const style = await tableStyleFor(isData ? terminal.stderr : terminal.stdout, terminal, options.color);
  const report = options.format === 'json' ? changesJson(facts, options.top) : changesText(facts, options.top, style);
  (isData ? terminal.stderr : terminal.stdout).write(report);
  if (!isData) say(terminal, `ctx-trim: written to ${facts.file}`);
  return 0;
}

/** The text of a list and its day: by default that of the file's last change, and today for stdin. */
async function readList(file: string, { date }: PricesOptions, terminal: Terminal) {
  const given = priceDate(date, '--date');
  const input = await openInput({ name: file }, terminal);
  try {
    const day = given ?? input.stats?.mtime ?? timeOf(terminal);
    return { text: textOf(input), date: day.toISOString().slice(0, 10) };
  } finally {
    input.close();
  }
}

/** LiteLLM's list has 1.5 MB (2026-11). A device gives bytes without end. */
const MOST_MEGABYTES = 100;

function textOf({ read, name }: Input): string {
  const pieces: Buffer[] = [];
  for (let size = 0; ; ) {
    const piece = Buffer.alloc(1 << 16);
    const got = read(piece, 0, piece.length);
    if (got === 0) break;
    pieces.push(piece.subarray(0, got));
    size += got;
    if (size > MOST_MEGABYTES * 1e6)
      throw configError(name, '', `more than ${MOST_MEGABYTES} MB; expected a price list in JSON`);
  }
  if (pieces.length === 0) throw configError(name, '', 'empty; expected a price list in JSON');
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw unwritable(String(shown(path)), reasonOf(error));
  }
}
