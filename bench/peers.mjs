// Programs of others that the benchmarks run.
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { arch } from 'node:os';
import { join } from 'node:path';

export const CCUSAGE = 'ccusage@20.0.24';

/** Installs ccusage into a folder. Returns the path of its package's native program. */
export function installCcusage(folder) {
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', CCUSAGE], { stdio: 'ignore' });
  const binary = join(folder, 'node_modules/@ccusage', `ccusage-${process.platform}-${arch()}`, 'bin/ccusage');
  chmodSync(binary, 0o755); // its wrapper would do it
  return binary;
}
