/** Prints a row for each request as soon as its transcript is read: as JSON Lines, or as Parquet at the end. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decimalOf } from '../../../documents/print.js';
import { statsColumns, statsRow } from '../../../documents/stats-rows.js';
import { TranscriptError } from '../../../errors.js';
import type { RowGrouping, Settled } from '../../../measure/stats/audit.js';
import type { TranscriptFacts } from '../../../measure/stats/facts.js';
import type { RequestFacts } from '../../../measure/stats/request.js';
import { safeJson } from '../../../safe/json.js';
import { joined, type SafeText, safe } from '../../../safe/text.js';
import { Spool } from '../../files/spool.js';
import type { Terminal } from '../../terminal/terminal.js';

/** A view of `stats`. */
interface RowsView {
  readonly settled: Settled;
  end(): void;
}

export type Naming = Pick<RowGrouping, 'dayOf' | 'projectOf'>;

/** `write` may keep the text for a while. */
export function ndjsonView(naming: Naming, out: { write(text: SafeText): void; flush(): void }): RowsView {
  return { settled: (transcript, requests) => out.write(lines(naming, transcript, requests)), end: () => out.flush() };
}

export async function parquetView(naming: Naming, terminal: Terminal): Promise<RowsView> {
  const { stdout } = terminal;
  if (stdout.isTerminal)
    throw new TranscriptError('usage', '--format parquet is not text: write it to a file, with > requests.parquet');
  const { parquetIn } = await import('../../files/parquet.js');
  const spool = new Spool(join(tmpdir(), 'parquet'), 'stdout');
  return {
    settled(transcript, requests) {
      const bytes = Buffer.from(lines(naming, transcript, requests));
      spool.write(bytes, 0, bytes.length);
    },
    end() {
      const form = { schema: statsColumns, pairs: [], codecs: new Map<string, string>() };
      for (const piece of parquetIn(spool, { kind: 'parquet', form }, terminal)) stdout.data(piece);
      spool.close();
    },
  };
}

function lines(naming: Naming, transcript: TranscriptFacts, requests: readonly RequestFacts[]): SafeText {
  return joined(
    requests.map((request) => safe`${safeJson(statsRow(request, transcript, naming), undefined, decimalOf)}\n`),
    '',
  );
}
