// The tests' own process, as the bench sees it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { largestLimitOf, testsOf } from './order.mjs';

const CHILD = fileURLToPath(new URL('process.mjs', import.meta.url));
/** Random cases of the widest property, of 1,000. */
const FUZZ = '300';

/** Test files by what came of them alone, without a mutant: a failure there says nothing of a mutant. */
const alone = new Map();

/** Where a mutant never ends or takes the process down, the next one gets a new process. */
export class Runner {
  constructor(env = {}, words = []) {
    this.env = env;
    this.words = words;
  }

  /** What came of the tests that may notice the mutant. Those that also fail without one have no say. */
  async tried(mutant, { tests, count, seconds }) {
    const trusted = tests.filter(({ path }) => alone.get(path) !== 'fails');
    const task = { id: mutant.id, limit: largestLimitOf(mutant, tests), count, seconds };
    const answer = await this.run({ ...task, tests: testsOf(mutant, trusted).map(({ path, ms }) => ({ path, ms })) });
    const [file] = (answer.failures[0] ?? '').split(': ');
    const test = trusted.find(({ path }) => path === file);
    if (test === undefined) return answer;
    if (!alone.has(file)) {
      const { ended, failures } = await this.run({ ...task, id: 0, tests: [{ path: file, ms: test.ms }] });
      alone.set(file, ended || failures.length > 0 ? 'fails' : 'passes');
      if (alone.get(file) === 'fails') console.log(`Without a mutant: ${failures[0] ?? file}`);
    }
    return alone.get(file) === 'passes' ? answer : this.tried(mutant, { tests, count, seconds });
  }

  /** What came of these tests: what failed, or that they never ended. */
  async run(task) {
    this.child ??= await this.#started();
    const answer = await this.#asked(task);
    if (answer.ended) this.end();
    return answer;
  }

  end() {
    this.child?.removeAllListeners('exit');
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  async #started() {
    const env = { ...process.env, CTX_TRIM_FUZZ: FUZZ, NODE_NO_WARNINGS: '1', ...this.env };
    // by the word `run`, the configuration has Node load the sources
    const child = fork(CHILD, ['run', ...this.words], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await new Promise((resolve) => child.once('message', resolve));
    return child;
  }

  #asked(task) {
    const { child } = this;
    return new Promise((resolve) => {
      const settle = (answer) => {
        child.removeAllListeners();
        resolve(answer);
      };
      child.on('exit', () => settle({ ended: true, failures: [], untried: 0 }));
      child.on('message', settle);
      child.send(task);
    });
  }
}
