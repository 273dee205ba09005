/** What reads and rewrites transcripts. It is bundled apart, so that help does not load it. */
import formats from './formats.js';
import run from './run.js';
import { transformCommands } from './transform.js';

export { type Run, rejectInPlace, rewriteInPlace, transformInput } from './rewrite.js';

export const commands = [...transformCommands, run, formats];
