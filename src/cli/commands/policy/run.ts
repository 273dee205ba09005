import { dirname, join } from 'node:path';
import { printed } from '../../../documents/print.js';
import { openAudit } from '../../../engine/check/policies.js';
import { TranscriptError } from '../../../errors.js';
import { languageOf } from '../../../options/language.js';
import { policyNamed } from '../../../policy/built-in.js';
import { conversationOf } from '../../../policy/conversation.js';
import { decide } from '../../../policy/decide.js';
import { lintPolicy } from '../../../policy/lint.js';
import { createStarter } from '../../../policy/starter.js';
import type { Policy, TranscriptExample } from '../../../policy/types.js';
import { safe, shown, shownLines } from '../../../safe/text.js';
import { plural } from '../../../text/words.js';
import { textOf } from '../../../transcript/text.js';
import type { Transcript } from '../../../transcript/types.js';
import type { Config } from '../../config/config.js';
import { loadPolicyContext } from '../../context/policy-context.js';
import { loadPolicy, readPolicy } from '../../context/policy-file.js';
import { forEachTranscript, say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { PolicyOptions } from './options.js';

export async function runPolicy(
  [action, ...words]: readonly string[],
  options: PolicyOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  if (action === 'init') return init(words, options, terminal);
  if (action === 'test') return test(words, options, terminal, config);
  if (action === 'lint') return lint(words, options, terminal);
  throw new TranscriptError('usage', `policy takes init, test or lint, not \`${action}\``);
}

/** Prints a policy based on recordings; without recordings, a template. As JSON it has no comments. */
async function init(words: readonly string[], options: PolicyOptions, terminal: Terminal): Promise<ExitCode> {
  const starter = createStarter();
  const good =
    words.length === 0 ||
    (await forEachTranscript(words, terminal, { options, isSilent: true }, ({ transcript }) =>
      starter.add(conversationOf(transcript)),
    ));
  const text = starter.text();
  if (options.format !== 'json') terminal.stdout.write(shownLines(text));
  else terminal.stdout.write(printed((await import('yaml')).parse(text)));
  return good ? 0 : 2;
}

// --- lint

async function lint(words: readonly string[], options: PolicyOptions, terminal: Terminal): Promise<ExitCode> {
  const [file, ...recordings] = words;
  if (file === undefined) throw new TranscriptError('usage', 'policy lint needs a policy; recordings may follow');
  const { policy, placeOf } = await readPolicy(file, terminal);
  const seen = new Map<string, Set<string>>();
  const good =
    recordings.length === 0 ||
    (await forEachTranscript(recordings, terminal, { options, isSilent: true }, ({ transcript }) =>
      takeTools(transcript, seen),
    ));
  const faults = lintPolicy(policy, recordings.length === 0 ? undefined : seen).map(({ path, message }) => ({
    place: placeOf(path),
    message,
  }));
  if (options.format === 'json') terminal.stdout.write(printed({ version: 1, faults }));
  else {
    for (const { place, message } of faults) terminal.stdout.write(safe`${shown(place)}: ${shown(message)}\n`);
    const none = safe`no faults in ${plural(policy.rules.length, 'rule')}`;
    terminal.stdout.write(safe`${faults.length === 0 ? none : plural(faults.length, 'fault')}\n`);
  }
  if (!good) return 2;
  return faults.length > 0 ? 1 : 0;
}

/** The tools that a transcript calls or defines, with the arguments of the calls. */
function takeTools(transcript: Transcript, seen: Map<string, Set<string>>): void {
  const argumentsOf = (tool: string) => {
    const names = seen.get(tool) ?? new Set<string>();
    seen.set(tool, names);
    return names;
  };
  for (const { tool, args } of conversationOf(transcript).calls)
    for (const name of typeof args === 'object' && args !== null ? Object.keys(args) : []) argumentsOf(tool).add(name);
  for (const { tool } of conversationOf(transcript).calls) argumentsOf(tool);
  const defined = transcript.tools === undefined ? '' : textOf(transcript.tools);
  for (const [, name] of defined.matchAll(/"name"\s*:\s*"([^"\\]+)"/g)) argumentsOf(name!);
}

// --- test

interface Tested {
  readonly expected: string;
  readonly isMet: boolean;
  /** The example, and the reason for a wrong result. */
  readonly text: string;
  readonly wrong: string;
  readonly json: Readonly<Record<string, unknown>>;
}

async function test(
  words: readonly string[],
  options: PolicyOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const [file] = words;
  if (file === undefined || words.length > 1)
    throw new TranscriptError('usage', 'policy test needs one policy: a file or a built-in policy');
  const policy = await loadPolicy(file, terminal);
  const folder = policyNamed(file) === undefined ? dirname(file) : '.';
  const tested: Tested[] = messageTests(policy, options);
  let good = true;
  for (const example of policy.examples?.transcripts ?? []) {
    const one = await transcriptTest(
      policy,
      { ...example, file: join(folder, example.file) },
      options,
      terminal,
      config,
    );
    if (one === undefined) good = false;
    else tested.push(one);
  }
  const wrong = tested.filter(({ isMet }) => !isMet);
  if (options.format === 'json') {
    const examples = tested.map(({ json }) => json);
    terminal.stdout.write(printed({ version: 1, examples, failed: wrong.length }));
  } else {
    for (const { text, expected, wrong: why } of wrong)
      terminal.stdout.write(safe`${shown(file)}: ${shown(text)} should ${shown(expected)}: ${shown(why)}\n`);
    const outcome = wrong.length === 0 ? safe`all passed` : safe`${wrong.length} failed`;
    terminal.stdout.write(safe`${plural(tested.length, 'example')}, ${outcome}\n`);
  }
  if (tested.length === 0 && good) say(terminal, `ctx-trim: ${file} has no \`examples\``);
  if (!good) return 2;
  return wrong.length > 0 ? 1 : 0;
}

function messageTests(policy: Policy, { lang }: PolicyOptions): Tested[] {
  return (['allow', 'deny'] as const).flatMap((expected) =>
    (policy.examples?.[expected] ?? []).map((example): Tested => {
      const question = typeof example === 'string' ? { text: example } : example;
      const { decision, confidence, reason } = decide(policy, question, languageOf(lang));
      return {
        expected: expected === 'allow' ? 'be allowed, and is not' : 'be denied, and is not',
        isMet: decision === expected,
        text: `"${question.text}"`,
        wrong: reason,
        json: { text: question.text, tool: question.tool ?? null, expected, decision, confidence, reason },
      };
    }),
  );
}

/** Undefined if the recording cannot be read, which is reported. */
async function transcriptTest(
  policy: Policy,
  { file, index: only, findings: expected }: TranscriptExample,
  options: PolicyOptions,
  terminal: Terminal,
  config: Config,
): Promise<Tested | undefined> {
  const context = await loadPolicyContext(
    policy,
    { tokenizer: 'exact', prices: [], batch: undefined },
    config,
    terminal,
  );
  const audit = openAudit(policy, { language: languageOf(options.lang), context });
  let read = 0;
  let taken = 0;
  const good = await forEachTranscript([file], terminal, { options, isSilent: true }, ({ transcript }) => {
    const index = read++;
    if (only !== undefined && only !== index) return;
    taken++;
    audit.add(transcript, { file, line: 1, index });
  });
  if (!good) return undefined;
  if (taken === 0) {
    say(terminal, `ctx-trim: ${file}: no transcript ${only ?? 0} (counted from 0)`);
    return undefined;
  }
  const found = new Map<string, number>();
  const { findings, alerts } = audit.facts();
  const own = new Set(policy.rules.map(({ id }) => id));
  for (const { rule } of [...findings, ...alerts]) if (own.has(rule)) found.set(rule, (found.get(rule) ?? 0) + 1);
  const wanted: ReadonlyMap<string, number> = Array.isArray(expected)
    ? new Map(expected.map((rule: string) => [rule, found.get(rule) ?? 1]))
    : new Map(Object.entries(expected).filter(([, count]) => count > 0));
  const isMet = [...new Set([...found.keys(), ...wanted.keys()])].every((rule) => found.get(rule) === wanted.get(rule));
  return {
    expected: wanted.size === 0 ? 'have no finding, and has' : `have ${countsText(wanted)}, and has`,
    isMet,
    text: only === undefined ? file : `${file}, transcript ${only}`,
    wrong: found.size === 0 ? 'none' : countsText(found),
    json: { file, index: only ?? null, expected: Object.fromEntries(wanted), findings: Object.fromEntries(found) },
  };
}

function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([rule, count]) => (count === 1 ? rule : `${count} × ${rule}`)).join(', ');
}
