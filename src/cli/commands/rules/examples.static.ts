/** The examples that stand beside the rules, by the rules' ids. The build evaluates this file and keeps the result. */
import { readdirSync, readFileSync } from 'node:fs';
import type { RuleExample } from '../../../reports/rules.js';

const FOLDER = 'src/rules';

export const examples: Readonly<Record<string, RuleExample>> = Object.fromEntries(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => [
      path.replaceAll('\\', '/').replace(/\.json$/, ''),
      JSON.parse(readFileSync(`${FOLDER}/${path}`, 'utf8')) as RuleExample,
    ]),
);
