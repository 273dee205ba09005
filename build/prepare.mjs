// npm runs this where it installs the package from git, as pre-commit does: there is no build there, and npm makes none
// by `prepack`. In a clone of ours, `npm run build` does it. https://docs.npmjs.com/cli/v11/using-npm/scripts#prepare-and-prepublish
import { execSync } from 'node:child_process';

// set by npm while it prepares what it has cloned: https://github.com/npm/pacote/blob/main/lib/git.js (2026-11-26)
if (process.env._PACOTE_NO_PREPARE_ !== undefined) execSync('npm run build', { stdio: 'inherit' });
