/** Values of options, from flags, config and environment, and the contents of files that they name. */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configError, reasonOf, TranscriptError } from '../../errors.js';
import { defaultsOf, type Option, type Options, type Values } from '../../options/option.js';
import { kebab, optionValue } from '../../options/parse.js';
import type { Config } from '../config/config.js';
import { statsAt } from '../files/stats-at.js';
import { textFile } from '../files/text-file.js';

/** The value of each option: of the flag, else the config, else the environment, else the default. Loads modules. */
export async function pickValues<O extends Options>(
  options: O,
  parsed: Readonly<Record<string, unknown>>,
  config: Config,
  world: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Values<O>> {
  const values: Record<string, unknown> = { ...defaultsOf(options), ...(await given(options, parsed, config)) };
  for (const [key, option] of Object.entries(options))
    if (values[key] !== undefined) values[key] = await loaded(option, key, values[key], world.cwd);
  if ('lang' in options && values['lang'] === undefined)
    values['lang'] = languageOf(options['lang']!, world.env['CTX_TRIM_LANG']);
  return values as Values<O>;
}

/** Typed values, completed by the config's defaults. */
async function given(
  options: Options,
  parsed: Readonly<Record<string, unknown>>,
  config: Config,
): Promise<Readonly<Record<string, unknown>>> {
  const typedValues = collect(options, (key) => parsed[key]);
  const defaults = collect(options, (key, option) =>
    Object.hasOwn(typedValues, key) || option.isTyped === true ? undefined : fromConfig(option, kebab(key), config),
  );
  const all = { ...defaults, ...typedValues };
  const isRelated = Object.keys(all).some((key) => options[key]!.needs ?? options[key]!.excludes);
  return isRelated ? (await import('../options/relations.js')).settled(options, typedValues, defaults) : all;
}

function collect(options: Options, pick: (key: string, option: Option) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, option]) => {
      const value = pick(key, option);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function fromConfig(option: Option, name: string, { defaults, file }: Config): unknown {
  const value = defaults[name];
  if (value === undefined) return undefined;
  try {
    const list = Array.isArray(value) ? value : [value];
    if (option.many) return list.map((item) => optionValue(option, String(item)));
    return option.type === 'optional-text' && value === true ? true : optionValue(option, String(value));
  } catch (error) {
    throw configError(file!, `defaults.${name}`, (error as Error).message);
  }
}

function languageOf(option: Option, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return optionValue(option, text);
  } catch (error) {
    throw new TranscriptError('usage', `CTX_TRIM_LANG is \`${text}\`: ${(error as Error).message}`);
  }
}

/** For an option that names a file, its content. */
async function loaded(option: Option, key: string, value: unknown, cwd: string): Promise<unknown> {
  switch (option.type) {
    case 'module':
      return typeof value === 'string' ? loadModule(value, key, cwd) : value;
    case 'file':
      return filledText(value as string, cwd);
    case 'named-file':
      return (value as readonly (readonly [string, string])[]).map(([name, file]) => [name, filledText(file, cwd)]);
    case 'messages':
      return (await import('../inputs/messages-file.js')).messagesIn(textFile(value as string, cwd), value as string);
    case 'guard':
      return (await import('./policy-file.js')).guardIn(value as string, cwd);
    case 'policy':
      return (await import('./policy-file.js')).promptsOf(value as string, cwd);
    default:
      return value;
  }
}

/** A text that is to be added somewhere: nothing would be, and nobody told. */
function filledText(file: string, cwd: string): string {
  const text = textFile(file, cwd);
  if (text.trim() === '') throw new TranscriptError('file', 'there is no text in it', { file });
  return text;
}

async function loadModule(file: string, key: string, cwd: string): Promise<unknown> {
  const { importModule } = await import('../inputs/import-module.js');
  const path = resolve(cwd, file);
  let loaded: { default?: unknown };
  try {
    loaded = await importModule(pathToFileURL(path).href);
  } catch (error) {
    const reason = statsAt(path)?.isFile() === true ? reasonOf(error) : 'there is no such file';
    throw new TranscriptError('file', `--${kebab(key)} cannot be loaded: ${reason}`, { file });
  }
  if (typeof loaded.default !== 'function')
    throw new TranscriptError('usage', `--${kebab(key)} needs a module whose default export is a function`, { file });
  const { default: exported } = loaded as { readonly default: (...args: unknown[]) => unknown };
  return Object.assign((...args: unknown[]) => exported(...args), { file });
}
