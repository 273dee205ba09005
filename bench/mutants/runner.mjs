// The tests' own process, as the bench sees it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('process.mjs', import.meta.url));
/** Random cases of the widest property, of 1,000. */
const FUZZ = '300';
/** Test files that are known to pass without a mutant. */
const passing = new Set();

/**
 * One process that runs the tests. Where a mutant never ends or takes the process down, the next one gets a new
 * process.
 */
export class Runner {
  /** The outcome of these tests on a mutant. The one that notices it has to pass without it, which is tried once. */
  async tried(mutant, tests) {
    const answer = await this.#run(mutant, tests);
    const [file] = (answer.by ?? '').split(': ');
    if (tests.includes(file) && !passing.has(file)) await this.#run(undefined, [file]);
    passing.add(file);
    return answer;
  }

  async #run(mutant, tests) {
    this.child ??= await this.#started();
    const answer = await this.#asked(mutant, tests);
    if (answer.outcome === 'timed out') this.end();
    if (mutant === undefined && answer.outcome !== 'survived') throw new Error(`Without a mutant: ${answer.by}`);
    return answer;
  }

  end() {
    this.child?.removeAllListeners('exit');
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  async #started() {
    const env = { ...process.env, CTX_TRIM_FUZZ: FUZZ };
    const child = fork(CHILD, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await new Promise((resolve) => child.once('message', resolve));
    return child;
  }

  #asked(mutant, tests) {
    const { child } = this;
    return new Promise((resolve) => {
      const settle = (answer) => {
        child.removeAllListeners();
        resolve(answer);
      };
      child.on('exit', () => settle({ outcome: 'timed out' }));
      child.on('message', ({ failed }) =>
        settle(failed === null ? { outcome: 'survived' } : { outcome: 'killed', by: failed }),
      );
      child.send({ mutant: mutant ?? null, tests });
    });
  }
}
