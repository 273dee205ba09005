/** What reads and rewrites transcripts. It is bundled apart, so that help does not load it. */
import formats from './formats/index.js';
import { transformCommands } from './rewrite/index.js';
import run from './run/index.js';

export { type Run, rejectInPlace, rewriteInPlace, transformInput } from './rewrite/run.js';

export const commands = [...transformCommands, run, formats];
