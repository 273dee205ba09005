/** The script and the style sheet of a report. The build evaluates this file and keeps the result. */
import { readFileSync } from 'node:fs';

const FOLDER = 'src/cli/commands/report/page';

export const script = readFileSync(`${FOLDER}/page.js`, 'utf8');
export const style = readFileSync(`${FOLDER}/page.css`, 'utf8');
