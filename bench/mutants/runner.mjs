// The tests' own process, as the bench sees it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('process.mjs', import.meta.url));
/** Random cases of the widest property, of 1,000. */
const FUZZ = '300';

/** Where a mutant never ends or takes the process down, the next one gets a new process. */
export class Runner {
  constructor(env = {}, words = []) {
    this.env = env;
    this.words = words;
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
      child.on('exit', () => settle({ ended: true, failures: [] }));
      child.on('message', settle);
      child.send(task);
    });
  }
}
