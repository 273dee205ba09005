import { contextWith } from '../../../engine/context.js';
import { type Placed, recordOf } from '../../../engine/diff/beside.js';
import { diffPairs } from '../../../engine/diff/diff.js';
import { TranscriptError } from '../../../errors.js';
import { besideName } from '../../../measure/stats/differences.js';
import { loadTokenizer } from '../../../node/tokenizer.js';
import { loadUsualPrices } from '../../context/price-list.js';
import { shownName } from '../../files/input.js';
import { openCounted } from '../../inputs/long-run.js';
import { collectOmissions, type OmissionsCollector } from '../../inputs/omissions.js';
import { openTranscripts, say, sayError } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { createDiffWriter } from '../../outputs/rewrite-observer.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { DiffOptions } from './options.js';

export async function runDiff(words: readonly string[], options: DiffOptions, terminal: Terminal): Promise<ExitCode> {
  const [before, after] = words;
  if (before === undefined || after === undefined || words.length > 2)
    throw new TranscriptError('usage', 'diff needs two files: before and after');
  if (before === '-' && after === '-') throw new TranscriptError('usage', 'only one of the two files can be stdin');
  const omissions = collectOmissions({ countsBadLines: false });
  const left = await readAll(before, { ...options, omissions }, terminal);
  const right = await readAll(after, { ...options, omissions }, terminal);
  if (left === undefined || right === undefined) return 2;
  const [tokenizer, prices] = await Promise.all([loadTokenizer(options.tokenizer), loadUsualPrices(terminal)]);
  const { model, asModel } = options;
  const context = contextWith({ model, asModel, tokenizer, prices, at: undefined });
  const writer = await createDiffWriter(options, terminal, omissions);
  let same = 0;
  const notes: string[] = [];
  for (const { file, line, isSame, beside, notCompared, difference } of diffPairs(left, right, context)) {
    if (isSame && beside.length === 0) same++;
    const what = isSame ? 'the messages are the same, but not the' : 'not the same:';
    if (beside.length > 0)
      notes.push(`ctx-trim: ${shownName(file)}:${line}: ${what} ${listed(beside.map(besideName))}`);
    if (notCompared.length > 0)
      notes.push(`ctx-trim: ${shownName(file)}:${line}: not compared, as the formats differ: ${listed(notCompared)}`);
    if (!isSame || beside.length > 0 || options.format !== 'text') writer.show(difference());
  }
  writer.end();
  for (const note of notes) say(terminal, note);
  if (same > 0 && options.format === 'text')
    say(terminal, `ctx-trim: ${same} ${same === 1 ? 'transcript' : 'transcripts'} unchanged`);
  return 0;
}

/** `a, b and c` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

type Reading = DiffOptions & { readonly omissions: OmissionsCollector };

async function readAll(
  name: string,
  { omissions, ...options }: Reading,
  terminal: Terminal,
): Promise<Placed[] | undefined> {
  try {
    const input = await openCounted({ name }, terminal);
    try {
      const opened = [...openTranscripts(input, options, terminal, { omissions })];
      return opened.map(({ transcript, place: { line }, piece }) => ({
        transcript,
        file: name,
        line,
        record: recordOf(transcript, piece),
      }));
    } finally {
      input.close();
    }
  } catch (error) {
    sayError(terminal, error, name);
    return undefined;
  }
}
