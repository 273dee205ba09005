/** The texts of decisions, by language. */
import type { Language } from './types.js';

export type Outcome = 'explicit' | 'onlyFor' | 'onlyAgainst' | 'forFirst' | 'againstFirst' | 'neither';

interface Phrases {
  /** `words` decided; `others` support the opposite. */
  readonly reasons: Readonly<Record<Outcome, (words: string, others: string) => string>>;
  readonly denied: (tool: string, reason: string) => string;
  /** For two tools that exclude each other. */
  readonly together: (tool: string, other: string, per: 'turn' | 'transcript', reason: string | undefined) => string;
  readonly badArguments: (tool: string, wrong: string) => string;
  /** For a message that has words of both kinds. */
  readonly ambiguous: string;
  /** For a denied call, with the tools to use instead. */
  readonly instead: (tools: string) => string;
  /** For a denied call without an alternative. */
  readonly without: string;
  /** The same as `instead`, appended to a finding. */
  readonly use: (tools: string) => string;
  readonly quoted: (words: readonly string[]) => string;
}

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  en: {
    reasons: {
      explicit: (words) => `the user asks for it by name (${words})`,
      onlyFor: (words) => `the user's words call for it (${words})`,
      onlyAgainst: (words) => `the user's words are about something else (${words})`,
      forFirst: (words, others) =>
        `of words for and against it, one for it comes first (for: ${words}; against: ${others})`,
      againstFirst: (words, others) =>
        `of words for and against it, one against it comes first (against: ${words}; for: ${others})`,
      neither: () => "none of the user's words call for it",
    },
    denied: (tool, reason) => `\`${tool}\` is not called for: ${reason}`,
    together: (tool, other, per, reason) =>
      `\`${tool}\` and \`${other}\` were called in one ${per}${reason === undefined ? '' : `: ${reason}`}`,
    badArguments: (tool, wrong) => `the arguments of \`${tool}\` are not valid: ${wrong}`,
    ambiguous: 'The message asks about the past and about how things are now. Ask for one of them at a time.',
    instead: (tools) => `Use ${tools} instead.`,
    without: 'Go on without this call.',
    use: (tools) => `; use ${tools}`,
    quoted: (words) => words.map((word) => `"${word}"`).join(', '),
  },
  zh: {
    reasons: {
      explicit: (words) => `用户明确要求（${words}）`,
      onlyFor: (words) => `用户的用词指向它（${words}）`,
      onlyAgainst: (words) => `用户的用词指向别的内容（${words}）`,
      forFirst: (words, others) => `两类词都有，支持的词在前（支持：${words}；反对：${others}）`,
      againstFirst: (words, others) => `两类词都有，反对的词在前（反对：${words}；支持：${others}）`,
      neither: () => '用户的话里没有任何词需要它',
    },
    denied: (tool, reason) => `不应调用 \`${tool}\`：${reason}`,
    together: (tool, other, per, reason) =>
      `\`${tool}\` 与 \`${other}\` 在同一${per === 'turn' ? '轮' : '份记录'}中被调用${reason === undefined ? '' : `：${reason}`}`,
    badArguments: (tool, wrong) => `\`${tool}\` 的参数无效：${wrong}`,
    ambiguous: '这条消息既问过去，又问现状。请一次只问其中一件事。',
    instead: (tools) => `请改用 ${tools}。`,
    without: '请不要再次调用，直接继续。',
    use: (tools) => `；请改用 ${tools}`,
    quoted: (words) => words.map((word) => `“${word}”`).join('、'),
  },
  ja: {
    reasons: {
      explicit: (words) => `ユーザーが名指しで求めています（${words}）`,
      onlyFor: (words) => `ユーザーの言葉がこれを必要としています（${words}）`,
      onlyAgainst: (words) => `ユーザーの言葉は別のことを指しています（${words}）`,
      forFirst: (words, others) => `両方の言葉があり、必要とする側が先に出ています（必要：${words}／不要：${others}）`,
      againstFirst: (words, others) =>
        `両方の言葉があり、不要とする側が先に出ています（不要：${words}／必要：${others}）`,
      neither: () => 'ユーザーの言葉に、これを必要とするものがありません',
    },
    denied: (tool, reason) => `\`${tool}\` を呼ぶ場面ではありません：${reason}`,
    together: (tool, other, per, reason) =>
      `\`${tool}\` と \`${other}\` ` +
      `が同じ${per === 'turn' ? 'ターン' : '記録'}で呼ばれています${reason === undefined ? '' : `：${reason}`}`,
    badArguments: (tool, wrong) => `\`${tool}\` の引数が正しくありません：${wrong}`,
    ambiguous: 'このメッセージは過去のことと現在のことの両方を尋ねています。一度に一つずつ尋ねてください。',
    instead: (tools) => `代わりに ${tools} を使ってください。`,
    without: 'この呼び出しなしで続けてください。',
    use: (tools) => `。代わりに ${tools} を使ってください`,
    quoted: (words) => words.map((word) => `「${word}」`).join('、'),
  },
};
