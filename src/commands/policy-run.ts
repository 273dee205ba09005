import { TranscriptError } from '../errors.js';
import type { Input } from '../io/input.js';
import type { Terminal } from '../io/terminal.js';
import { conversationOf } from '../policy/conversation.js';
import { decide } from '../policy/decide.js';
import { createStarter } from '../policy/starter.js';
import { safeJson } from '../safe/json.js';
import { safe, shown, shownLines } from '../safe/text.js';
import { languageOf } from '../transforms/language.js';
import type { ExitCode } from './command.js';
import type { PolicyOptions } from './options.js';
import { loadPolicy } from './policy-file.js';
import { forEachInput, openPieces, say } from './reading.js';

export async function runPolicy(
  [action, ...words]: readonly string[],
  options: PolicyOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (action === 'init') return init(words, options, terminal);
  if (action === 'test') return test(words, options, terminal);
  throw new TranscriptError('usage', `policy takes init or test, not \`${action}\``);
}

/** Without recordings it is a policy to fill in. */
async function init(words: readonly string[], options: PolicyOptions, terminal: Terminal): Promise<ExitCode> {
  const starter = createStarter();
  const take = (input: Input) => {
    for (const piece of openPieces(input, options, terminal))
      if (piece.type === 'opened') for (const transcript of piece.transcripts) starter.add(conversationOf(transcript));
  };
  const good = words.length === 0 || (await forEachInput(words, terminal, take, { ...options, isSilent: true }));
  terminal.stdout.write(shownLines(starter.text()));
  return good ? 0 : 2;
}

async function test(words: readonly string[], options: PolicyOptions, terminal: Terminal): Promise<ExitCode> {
  const [file] = words;
  if (file === undefined || words.length > 1)
    throw new TranscriptError('usage', 'policy test takes one policy: a file, or the name of a built-in one');
  const policy = await loadPolicy(file, terminal);
  const asked = (['allow', 'deny'] as const).flatMap((expected) =>
    (policy.examples?.[expected] ?? []).map((example) => ({
      expected,
      question: typeof example === 'string' ? { text: example } : example,
    })),
  );
  const answers = asked.map(({ expected, question }) => ({
    expected,
    question,
    answer: decide(policy, question, languageOf(options.lang)),
  }));
  const wrong = answers.filter(({ expected, answer }) => answer.decision !== expected);
  if (options.format === 'json') {
    const examples = answers.map(({ expected, question, answer: { decision, confidence, reason } }) => ({
      text: question.text,
      tool: question.tool ?? null,
      expected,
      decision,
      confidence,
      reason,
    }));
    terminal.stdout.write(safe`${safeJson({ version: 1, examples, failed: wrong.length }, 2)}\n`);
  } else {
    for (const { expected, question, answer } of wrong)
      terminal.stdout.write(
        safe`${shown(file)}: "${shown(question.text)}" should be ${expected === 'allow' ? safe`allowed` : safe`denied`}, and is not: ${shown(answer.reason)}\n`,
      );
    terminal.stdout.write(
      safe`${answers.length} ${answers.length === 1 ? safe`example` : safe`examples`}, ${wrong.length === 0 ? safe`all decided as they say` : safe`${wrong.length} decided otherwise`}\n`,
    );
  }
  if (answers.length === 0) say(terminal, `ctx-trim: ${file} has no \`examples\``);
  return wrong.length > 0 ? 1 : 0;
}
