import { omissionsJson } from '../../../documents/omissions.js';
import { printed } from '../../../documents/print.js';
import { attachedIn } from '../../../formats/attachments.js';
import { formats } from '../../../formats/index.js';
import { greatest } from '../../../lists.js';
import type { Omissions } from '../../../omissions.js';
import { joined, type SafeText, safe, shown, shownLines } from '../../../safe/text.js';
import { plural, wrapped } from '../../../text/words.js';
import { shownName } from '../../files/input.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { forEachInput, openPieces } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { folded } from '../../terminal/fold.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { FormatsOptions } from './options.js';

export function runFormats(words: readonly string[], options: FormatsOptions, terminal: Terminal): Promise<ExitCode> {
  return words.length === 0 ? listFormats(options, terminal) : detectFiles(words, options, terminal);
}

async function listFormats({ format }: FormatsOptions, terminal: Terminal): Promise<ExitCode> {
  const listed = formats.map(({ id, title }) => ({ id, title }));
  const width = greatest(listed.map(({ id }) => id.length));
  terminal.stdout.write(
    format === 'json'
      ? printed({ version: 1, formats: listed })
      : joined(
          listed.map((one) => formatLines(one, width, terminal.stdout.columns)),
          '',
        ),
  );
  return 0;
}

function formatLines({ id, title }: { id: string; title: string }, width: number, columns: number): SafeText {
  const lines = wrapped(title, columns, width + 2);
  return joined(
    lines.map((line, index) => safe`${shown((index === 0 ? id : '').padEnd(width))}  ${line}\n`),
    '',
  );
}

interface DetectedFile {
  readonly file: string;
  readonly format: string;
  readonly container: string;
  readonly transcripts: number;
  readonly messages: number;
  /** Records that the agent sends beside them; absent if there are none. */
  readonly attachments?: number;
  readonly confidence: number;
  readonly why: string;
  readonly omissions: Omissions;
}

async function detectFiles(words: readonly string[], chosen: FormatsOptions, terminal: Terminal): Promise<ExitCode> {
  const detected: DetectedFile[] = [];
  const missing = collectOmissions();
  const good = await forEachInput(
    words,
    terminal,
    (input) => {
      let transcripts = 0;
      let messages = 0;
      let attachments = 0;
      const omissions = collectOmissions();
      const pieces = openPieces(input, chosen, terminal, { omissions });
      let next = pieces.next();
      for (; !next.done; next = pieces.next()) {
        if (next.value.type !== 'opened') continue;
        transcripts += next.value.transcripts.length;
        messages += next.value.transcripts.reduce(
          (sum, transcript) => sum + transcript.messages.filter(({ role }) => role !== 'meta').length,
          0,
        );
        for (const transcript of next.value.transcripts) attachments += attachedIn(transcript).size;
      }
      const { format, container, confidence, why, rival } = next.value;
      const doubt = rival === undefined ? why : `${why}; it could also be ${rival}`;
      detected.push({
        file: shownName(input.name),
        format: format.id,
        container: typeof container === 'string' ? container : container.label || 'lists',
        transcripts,
        messages,
        ...(attachments === 0 ? {} : { attachments }),
        confidence: Math.round(confidence * 100) / 100,
        why: doubt,
        omissions,
      });
    },
    { ...chosen, failed: missing.failed },
  );
  if (chosen.format === 'json') terminal.stdout.write(printed(detectedJson(detected, missing)));
  else
    for (const { file, format, container, transcripts, messages, attachments, confidence, why } of detected) {
      const beside = attachments === undefined ? safe`` : safe`, ${plural(attachments, 'attachment')}`;
      const counts = safe`${transcripts} × ${shown(container)}, ${plural(messages, 'message')}${beside}`;
      const percent = Math.round(confidence * 100);
      const line = safe`${shown(file)}: ${shown(format)} (${percent} %), ${counts}: ${shown(why)}\n`;
      const { isTerminal, columns } = terminal.stdout;
      terminal.stdout.write(isTerminal ? shownLines(folded(line, columns)) : line); // in a pipe, a line is a file
    }
  return good ? 0 : 2;
}

function detectedJson(detected: readonly DetectedFile[], missing: Omissions) {
  const { unreadable } = omissionsJson(missing);
  return { version: 1, files: detected.map(fileJson), ...(unreadable && { unreadable }) };
}

function fileJson({ omissions, ...detected }: DetectedFile) {
  return { ...detected, ...omissionsJson(omissions) };
}
