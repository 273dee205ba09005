/** The placeholder for a missing result. */
import { reasonOf, TranscriptError } from '../errors.js';
import type { Language } from '../options/language.js';

/** Why a call has no result, as far as the recording shows. */
export type Cause = 'interrupted' | 'end' | 'malformed';

/** Eino's text for an interrupted call, and similar ones for the other causes. https://github.com/cloudwego/eino */
const TEXTS: Readonly<Record<Language, Readonly<Record<Cause, string>>>> = {
  en: {
    interrupted: 'Tool call {tool} with id {id} was cancelled - another message came in before it could be completed.',
    end: 'Tool call {tool} with id {id} has no result - the recording ends before it was completed.',
    malformed: 'Tool call {tool} with id {id} was not carried out - its arguments are not valid JSON.',
  },
  zh: {
    interrupted: '工具调用 {tool}(ID 为 {id})已被取消——在其完成之前收到了另一条消息。',
    end: '工具调用 {tool}(ID 为 {id})没有结果——记录在其完成之前就已结束。',
    malformed: '工具调用 {tool}(ID 为 {id})未被执行——其参数不是有效的 JSON。',
  },
  ja: {
    interrupted: 'ツール呼び出し {tool}(ID: {id})はキャンセルされました。完了する前に別のメッセージが届いたためです。',
    end: 'ツール呼び出し {tool}(ID: {id})の結果はありません。完了する前に記録が終わっているためです。',
    malformed: 'ツール呼び出し {tool}(ID: {id})は実行されませんでした。引数が正しい JSON ではないためです。',
  },
};

/** The part of these texts that is left out if the format's calls have no ids. */
const ID_PHRASES: Readonly<Record<Language, string>> = { en: ' with id {id}', zh: '(ID 为 {id})', ja: '(ID: {id})' };

export interface PlaceholderOptions {
  readonly template: string | undefined;
  /** `file`: the path of its module. */
  readonly generator: (((tool: string, id: string, args: string) => unknown) & { readonly file?: string }) | undefined;
  readonly placeholder: 'cancelled' | 'auto';
  readonly lang: Language;
}

export interface CallFacts {
  readonly tool: string;
  readonly id: string;
  /** The arguments as JSON text. */
  readonly args: string;
}

export function placeholderText(
  call: CallFacts,
  cause: Cause,
  { template, generator, placeholder, lang }: PlaceholderOptions,
): string {
  if (generator !== undefined) return generated(call, generator);
  const stated = placeholder === 'cancelled' ? 'interrupted' : knownCause(call, cause);
  const text = TEXTS[lang][stated];
  const builtIn = call.id === '' ? text.replace(ID_PHRASES[lang], '') : text;
  return (template ?? builtIn).replace(/\{(tool|id|args)\}/g, (_, key: keyof CallFacts) => call[key]);
}

function knownCause({ args }: CallFacts, cause: Cause): Cause {
  return isJson(args) ? cause : 'malformed';
}

function generated({ tool, id, args }: CallFacts, generator: NonNullable<PlaceholderOptions['generator']>): string {
  const place = generator.file === undefined ? {} : { file: generator.file };
  let text: unknown;
  try {
    text = generator(tool, id, args);
  } catch (error) {
    throw new TranscriptError(
      'usage',
      `the generator failed for the call of ${tool} (${id}): ${reasonOf(error)}`,
      place,
    );
  }
  if (typeof text === 'string') return text;
  throw new TranscriptError(
    'usage',
    `the generator returned ${text === null ? 'null' : typeof text}; it must return a string`,
    place,
  );
}

/** Empty arguments are valid: a call without arguments. */
function isJson(args: string): boolean {
  if (args.trim() === '') return true;
  try {
    JSON.parse(args);
    return true;
  } catch {
    return false;
  }
}
