/** Starts $PAGER, as git and man do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { TranscriptError } from '../../errors.js';
import type { SafeText } from '../../safe/text.js';
import { ClosedPipe } from '../files/output.js';
import type { Pager, Terminal } from '../terminal/terminal.js';

/** Without $PAGER: less if there is one. */
const USUAL = process.platform === 'win32' ? 'more' : 'if command -v less >/dev/null; then less; else cat; fi';
/** For less: quit if all fits on one screen, keep colors, leave the text on the screen. */
const LESS = 'FRX';

/** Undefined if $PAGER is empty or `cat`, which shows everything at once. `onScreen`: what the terminal can show. */
export function openPager(env: Terminal['env'], onScreen: (text: string) => string): Pager | undefined {
  const command = env['PAGER'] ?? USUAL;
  if (command.trim() === '' || command.trim() === 'cat') return undefined;
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { LESS, ...env } });
  const ended = once(child, 'close').catch(() => undefined);
  let isOpen = true;
  child.stdin.on('error', () => {
    isOpen = false; // the reader quit
  });
  child.on('close', () => {
    isOpen = false;
  });
  const wait = () => undefined; // Ctrl-C is for the pager
  process.on('SIGINT', wait);
  return {
    async write(text: SafeText) {
      if (!isOpen) {
        await ended;
        rejectMissing(child.exitCode, command);
        throw new ClosedPipe();
      }
      if (!child.stdin.write(onScreen(text)))
        await Promise.race([once(child.stdin, 'drain').catch(() => undefined), ended]);
    },
    async close() {
      child.stdin.end();
      await ended;
      process.off('SIGINT', wait);
      rejectMissing(child.exitCode, command);
    },
  };
}

/** What a shell exits with where it cannot start a command: nothing was shown. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

function rejectMissing(code: number | null, command: string): void {
  if (NOT_STARTED.has(code))
    throw new TranscriptError('usage', `PAGER cannot be started: \`${command}\`; set another one, or use --no-pager`);
}
