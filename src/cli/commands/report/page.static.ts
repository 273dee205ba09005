/** The script and the style sheet of a report. The build evaluates this file and keeps the result. */
import { readFileSync } from 'node:fs';

const FOLDER = 'src/cli/commands/report/page';

const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');

export const script = ['page.js', 'figures.js'].map(textOf).join('\n');
export const style = ['page.css', 'messages.css', 'print.css'].map(textOf).join('\n');
