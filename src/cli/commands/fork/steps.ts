/** The steps of `fork --steps`: `stale, truncate:max-length=3000,keep=both`. */
import { modelOf } from '../../../engine/context.js';
import { settle } from '../../../engine/rewrite/settle.js';
import { TranscriptError } from '../../../errors.js';
import { withAttached } from '../../../measure/stats/with-attached.js';
import { kebab } from '../../../options/parse.js';
import type { Transcript } from '../../../transcript/types.js';
import { loadAuto } from '../../../transforms/auto.js';
import { transforms } from '../../../transforms/index.js';
import { withStore } from '../../../transforms/offload.js';
import { countsTokens, rewriteBy, type Step } from '../../../transforms/pipeline.js';
import { NO_COUNTS } from '../../../transforms/transform.js';
import type { Config } from '../../config/config.js';
import type { Input } from '../../files/input.js';
import { createKeptResults } from '../../files/kept-results.js';
import { BufferedSink } from '../../files/output.js';
import type { ReadingOptions } from '../../options/options.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type Run, transformInput } from '../rewrite/transform-input.js';
import { stepNames, stepsFirst } from '../run/steps.js';

export interface Shortened {
  readonly bytes: Buffer;
  /** What the steps could not do; it was said. */
  readonly shortfalls: readonly string[];
}

/** A session after the steps. Throws TranscriptError for a step that does not exist. */
export async function shortenedBy(
  text: string,
  input: Input,
  reading: ReadingOptions,
  { config, terminal }: { readonly config: Config; readonly terminal: Terminal },
): Promise<Shortened> {
  const { steps, rest } = await stepsFirst(stepTexts(text), config, terminal);
  if (rest.length > 0) throw new TranscriptError('usage', `unknown step \`${rest[0]}\`; ${stepNames(config)}`);
  loadAuto();
  const files = createKeptResults(terminal);
  const shortfalls = new Set<string>();
  const apply = await applierOf(withStore(steps, files.store), shortfalls);
  const pieces: Buffer[] = [];
  const sink = new BufferedSink((from, start, end) => void pieces.push(Buffer.from(from.subarray(start, end))));
  const options = { ...reading, model: undefined, asModel: undefined };
  transformInput(input, { apply, options, terminal, observer: undefined, settling: settle }, sink);
  sink.flush();
  files.done();
  return { bytes: Buffer.concat(pieces), shortfalls: [...shortfalls] };
}

async function applierOf(steps: readonly Step[], shortfalls: Set<string>): Promise<Run['apply']> {
  const countingFor = countsTokens(steps)
    ? await (await import('../../../node/tokenizer.js')).loadCountings('exact')
    : undefined;
  const countsOf = (transcript: Transcript) =>
    countingFor === undefined ? NO_COUNTS : withAttached(countingFor(modelOf({}, transcript.model)), transcript);
  return (transcript, _, tell) =>
    rewriteBy(transcript, steps, countsOf(transcript), (shortfall) => {
      if (!shortfalls.has(shortfall)) tell(shortfall); // what is read again falls short again
      shortfalls.add(shortfall);
    });
}

/** A comma ends a step, unless an option of that step follows; a comma in a value is escaped with a backslash. */
function stepTexts(text: string): string[] {
  const texts: string[] = [];
  for (const part of text.split(/(?<!\\),/).map((one) => one.trim())) {
    const before = texts.at(-1);
    if (before !== undefined && continues(before, part)) texts[texts.length - 1] = `${before},${part}`;
    else texts.push(part);
  }
  return texts;
}

function continues(step: string, part: string): boolean {
  const colon = step.indexOf(':');
  if (colon < 0) return false;
  const options = transforms.find(({ id }) => id === step.slice(0, colon))?.options ?? {};
  return /^[\w-]+=/.test(part) || Object.keys(options).some((key) => kebab(key) === part);
}
