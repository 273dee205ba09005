/** The parts of the pages that are printed from code, by the name of their marker. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command as Program } from 'commander';
import { runIn } from '../../src/cli/cli.js';
import { loadCommands } from '../../src/cli/commands/registry.js';
import { type Command, GROUPS } from '../../src/cli/options/command.js';
import { addFlags, rewriteShorts } from '../../src/cli/options/flags.js';
import { isWritable } from '../../src/conversion/targets.js';
import { formats } from '../../src/formats/index.js';
import type { Option } from '../../src/options/option.js';
import { kebab } from '../../src/options/parse.js';
import { policies } from '../../src/policy/built-in.js';
import { ruleTypes } from '../../src/policy/rules/index.js';
import { allRules } from '../../src/rules/index.js';
import { RESUME_RULES } from '../../src/rules/resume-rules.js';
import { memoryTerminal } from '../shared/terminal.js';
import { configKeys } from './config-keys.js';
import { createDemoHome, DEMO_IDS, NOW } from './demo-home.js';
import { interfaces } from './interfaces.js';
import { list, table, wrapped } from './markdown.js';
import { groupsOf } from './option-groups.js';
import { outputOf } from './output.js';
import { relationsOf } from './relations.js';
import { shapeOf } from './shape.js';

const rules = [...allRules(), ...RESUME_RULES];

export const commands = await loadCommands();

/** What `ctx-trim` alone prints on a terminal, in a made-up home. */
async function home(): Promise<string> {
  const folder = createDemoHome();
  try {
    const env = { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), TZ: 'UTC', NO_COLOR: '1' };
    const { terminal, out } = memoryTerminal({ cwd: folder, env, now: NOW });
    await runIn({ ...terminal, stdout: { ...terminal.stdout, isTerminal: true } }, []);
    return `\`\`\`text\n$ npx ctx-trim\n${out()}\`\`\`\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const printedHome = await home();

/** What a command line prints there. The id of a new session is random: it stands as the same one each time. */
function atHome(line: string): string {
  const folder = createDemoHome();
  try {
    const env = { HOME: folder, TZ: 'UTC', NO_COLOR: '1', SOURCE_DATE_EPOCH: String(NOW / 1000) };
    const printed = outputOf(line, env)
      .replaceAll(folder, '/home/ada')
      .replaceAll(process.cwd(), '/home/ada/shop')
      .replace(UUID, (id) => (DEMO_IDS.includes(id) ? id : NEW_ID));
    return `\`\`\`text\n$ ${line}\n${printed}\`\`\`\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const NEW_ID = '7d41c7aa-94a6-4a44-8e76-e06bba76dee6';

/** From the text behind the name in the marker to markdown that ends with a newline. */
export const regions: Readonly<Record<string, (argument: string) => string>> = {
  commands: (folder) =>
    table(
      ['command', 'what it does', 'group'],
      GROUPS.flatMap((group) => commands.filter((command) => command.group === group)).map(({ id, summary, group }) => [
        `[\`${id}\`](${folder}${id}.md)`,
        summary,
        group,
      ]),
    ),
  'command-list': (folder) =>
    list(
      GROUPS.map((group) => {
        const own = commands.filter((command) => command.group === group);
        return `${group}: ${own.map(({ id }) => `[\`${id}\`](${folder}${id}.md)`).join(' · ')}`;
      }),
    ),
  home: () => printedHome,
  'at-home': atHome,
  description: (id) => descriptionOf(commandNamed(id)),
  examples: (id) => examplesOf(commandNamed(id)),
  options: (id) => optionsOf(commandNamed(id)),
  formats: () =>
    table(
      ['format', 'what it is', '`convert` writes it'],
      formats.map(({ id, title, load }) => [`\`${id}\``, title, isWritable(id, load()) ? 'yes' : '']),
    ),
  rules: () =>
    table(
      ['rule', 'what it finds', 'severity', 'fix'],
      rules.map(({ id, summary, severity, fix }) => [`\`${id}\``, summary, severity, fix?.safety ?? '']),
    ),
  'rule-types': () => list(ruleTypes.map(({ type, summary }) => `\`${type}\`: ${summary}`)),
  policies: () => list(policies.map(({ name }) => `\`${name}\``)),
  'config-keys': configKeys,
  'reaching-options': () =>
    table(
      ['option', 'what it does'],
      (['writes', 'reads', 'runs', 'lifts'] as const).map((reach) => [flagsThat(reach), REACHES[reach]]),
    ),
  interfaces,
  shape: shapeOf,
  policy: (name) => `\`\`\`yaml\n${readFileSync(`fixtures/policies/whole/${name}.yaml`, 'utf8')}\`\`\`\n`,
};

const REACHES = {
  writes: 'writes files',
  reads: 'reads other files than the recording',
  runs: 'runs code or another program',
  lifts: 'lifts a limit',
} as const satisfies Record<NonNullable<Option['reach']>, string>;

function commandNamed(id: string): Command {
  const command = commands.find((candidate) => candidate.id === id);
  if (command === undefined) throw new Error(`there is no command ${id}`);
  return command;
}

function descriptionOf({ id, words, summary, description }: Command): string {
  const sentence = summary.charAt(0).toUpperCase() + summary.slice(1).replace(/(?<![.?!])$/, '.');
  return `${sentence}\n\n\`\`\`sh\nctx-trim ${id} [options] ${words}\n\`\`\`\n\n${wrapped(description)}\n`;
}

function examplesOf({ examples }: Command): string {
  const lines = examples.map(([line, meaning]) => `# ${meaning}\n${line}\n`);
  return `\`\`\`sh\n${lines.join('\n')}\`\`\`\n`;
}

/** The flags as help shows them, with the options that each needs or excludes. */
function optionsOf({ options }: Command): string {
  const program = new Program();
  addFlags(program, options, 'output' in options ? rewriteShorts : {});
  const flags = new Map(program.options.map((flag) => [flag.long, flag]));
  const line = (key: string) => {
    const flag = flags.get(`--${kebab(key)}`)!;
    const term = flag.flags.replace(/ \[(.+)\]$/, '[=$1]');
    return [`\`${term}\`: ${flag.description}.`, ...relationsOf(options, options[key]!)].join(' ');
  };
  return groupsOf(options)
    .map(({ title, keys }) => (title === '' ? '' : `### ${title}\n\n`) + list(keys.map(line)))
    .join('\n');
}

function flagsThat(reach: Option['reach']): string {
  const keys = commands.flatMap(({ options }) =>
    Object.entries(options).flatMap(([key, option]) => (option.reach === reach ? [`\`--${kebab(key)}\``] : [])),
  );
  return [...new Set(keys)].sort().join(', ');
}
