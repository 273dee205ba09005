/** `check --fix`: fixes inputs in place, into a file, or only to show what would change. */
import type { Check } from '../../../engine/check/check.js';
import { fixPiece } from '../../../engine/check/fix.js';
import type { Plan } from '../../../engine/check/plan.js';
import type { Safety } from '../../../findings.js';
import { type Input, openInput, shownName } from '../../files/input.js';
import { BufferedSink } from '../../files/output.js';
import { collectOmissions, type OmissionsCollector } from '../../inputs/omissions.js';
import type { Scope } from '../../inputs/read-files.js';
import type { Traversal } from '../../inputs/reading.js';
import type { RewriteOptions } from '../../options/options.js';
import type { Observer } from '../../outputs/observer.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type Run, rewriteInPlace, tellChanged, transformInput } from '../rewrite/transform-input.js';
import type { CheckOptions } from './options.js';
import { keepCut, mended, sayPreview } from './sessions.js';
import { movedAside } from './torn.js';

export interface FixContext {
  readonly check: Check;
  readonly plan: Plan;
  readonly inputs: Scope;
  readonly omissions: OmissionsCollector;
  readonly traversal: Traversal;
  /** Checks an input as it is. `tried`: fixes of these kinds were. */
  examine(input: Input, tried?: ReadonlySet<Safety>): Promise<void>;
  each(visit: (input: Input) => Promise<void>): Promise<boolean>;
  runOf(apply: Run['apply']): Run;
}

type FixOptions = Omit<CheckOptions, 'fix'> & { readonly fix: ReadonlySet<Safety> };

/** Returns whether all inputs could be read. */
export async function fixInputs(
  files: readonly string[],
  options: FixOptions,
  context: FixContext,
  terminal: Terminal,
): Promise<boolean> {
  if (options.diff) return shown(options, context, terminal);
  if (options.output !== undefined) return written(options.output, files, options, context, terminal);
  return context.each((given) => fixedInPlace(given, options, context, terminal));
}

async function shown(options: FixOptions, context: FixContext, terminal: Terminal): Promise<boolean> {
  const diffOptions = { ...options, format: 'text', quiet: true } as unknown as RewriteOptions;
  const observer = await (await import('../../outputs/rewrite-observer.js')).createObserver(
    diffOptions,
    { summary: false, tokens: false, units: ['chars'], steps: [] },
    terminal,
  );
  const good = await context.each(async (given) => {
    const { check, plan } = context;
    const done = await mended(given, options.fix, check, plan);
    sayPreview(done, terminal);
    transformInput(done.input, runFor(given, options, context, { observer }), undefined);
  });
  observer.done();
  return good;
}

async function written(
  output: string,
  files: readonly string[],
  options: FixOptions,
  context: FixContext,
  terminal: Terminal,
): Promise<boolean> {
  const { check, plan, inputs, traversal } = context;
  const { inputsIntoFile } = await import('../../outputs/into-file.js');
  return inputsIntoFile(
    output,
    files,
    terminal,
    async (given, sink) => {
      const done = await mended(given, options.fix, check, plan);
      transformInput(done.input, runFor(given, options, context), sink);
      keepCut(done, false, terminal);
      inputs.finished(given);
    },
    traversal,
  );
}

async function fixedInPlace(given: Input, options: FixOptions, context: FixContext, terminal: Terminal): Promise<void> {
  const { check, plan, omissions, examine } = context;
  const again = async (name: string, tried?: ReadonlySet<Safety>) => {
    const input = await openInput({ name }, terminal);
    try {
      await examine(input, tried);
    } finally {
      input.close();
    }
  };
  if (given.isStored && movedAside(given, { check, plan }, terminal) > 0) return again(given.name);
  const done = await mended(given, options.fix, check, plan);
  const { input, isMended } = done;
  if (input.path === undefined) {
    const stdout = new BufferedSink((bytes, start, end) => terminal.stdout.data(bytes.subarray(start, end)));
    transformInput(input, runFor(input, options, context), stdout);
    stdout.flush();
    keepCut(done, false, terminal);
    return;
  }
  const unseen = collectOmissions({ ...omissions, isSilent: true }); // the second reading tells
  const run = runFor(input, options, context, { leaves: 'unchecked' });
  await rewriteInPlace(input, { ...run, omissions: unseen, isMended });
  keepCut(done, true, terminal);
  await again(input.name, options.fix); // positions of remaining findings refer to the new file
}

/** How an input is fixed. */
function runFor(
  input: Input,
  { fix }: FixOptions,
  { check, runOf }: FixContext,
  { leaves, observer }: { readonly leaves?: 'unchecked'; readonly observer?: Observer } = {},
): Run {
  const fixing = check.fixing(shownName(input.name), fixPiece, fix, leaves);
  return {
    ...runOf((transcript) => transcript),
    settling(piece, _, detection) {
      const rounds = fixing(piece, detection);
      if (observer !== undefined) for (const [round, one] of rounds.entries()) tellChanged(observer, input, one, round);
      return rounds.at(-1)!;
    },
  };
}
