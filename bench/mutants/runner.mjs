// The tests' own process, as the bench sees it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('process.mjs', import.meta.url));
/** Random cases of the widest property, of 9,000. */
const FUZZ = '300';

/**
 * One process that runs the tests. Where a mutant never ends or takes the process down, the next one gets a new
 * process.
 */
export class Runner {
  constructor(tests) {
    this.tests = tests;
  }

  /** The outcome of the tests on a mutant. Without one they have to pass. */
  async run(mutant) {
    this.child ??= await this.#started();
    const answer = await this.#asked(mutant);
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
    const child = fork(CHILD, this.tests, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await new Promise((resolve) => child.once('message', resolve));
    return child;
  }

  #asked(mutant) {
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
      child.send(mutant ?? null);
    });
  }
}
