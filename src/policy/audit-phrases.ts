/** The sentences of an audit in the language of the policy. */
import type { Language } from './types.js';

/** Formatted for people. */
export interface Figures {
  readonly rate: string;
  readonly max: string;
  readonly calls: string;
  readonly wrong: string;
  readonly denied: string;
  readonly invalid: string;
}

export interface AuditPhrases {
  readonly wasted: (tool: string, calls: string, day: string, month: string, year: string) => string;
  readonly saved: (rate: string, year: string) => string;
  readonly stop: string;
  readonly ofTool: (tool: string, figures: Figures) => string;
  readonly ofRules: (rules: string, figures: Figures) => string;
  /** Instead of an alert if there are fewer calls than `min_calls`. */
  readonly heldBack: (name: string, figures: Figures, least: number) => string;
  /** Tools to use instead. */
  readonly instead: (tools: string) => string;
  /** For a policy with rules for the prompt. */
  readonly inject: (policy: string) => string;
}

export const AUDIT_PHRASES: Readonly<Record<Language, AuditPhrases>> = {
  en: {
    wasted: (tool, calls, day, month, year) =>
      `${tool}: at ${calls} calls a day, misuse costs ${day} a day, ${month} a month, ${year} a year`,
    saved: (rate, year) => `; a misuse rate of ${rate} saves ${year} a year`,
    stop: '.',
    ofTool: (tool, { rate, max, calls, wrong, denied, invalid }) =>
      `ALERT: ${tool} is misused in ${rate} of its calls, above ${max}: ` +
      `${calls} calls, ${invalid} invalid, ${denied} denied, ${wrong} in total.`,
    ofRules: (rules, { rate, max, calls, wrong, denied, invalid }) =>
      `ALERT: ${rate} of the calls violate ${rules}, above ${max}: ` +
      `${calls} calls, ${invalid} invalid, ${denied} denied, ${wrong} in total.`,
    heldBack: (name, { rate, max, calls, wrong }, least) =>
      `${name}: ${wrong} of ${calls} calls are misuse (${rate}, above ${max}); ` +
      `no alert below ${least} calls (\`min_calls\`)`,
    instead: (tools) => ` Use ${tools} unless the user asks for more.`,
    inject: (policy) => ` Add the rules to the prompt: ctx-trim inject --policy ${policy}`,
  },
  zh: {
    wasted: (tool, calls, day, month, year) =>
      `${tool}：按每天 ${calls} 次调用计，每天浪费 ${day}，每月 ${month}，每年 ${year}`,
    saved: (rate, year) => `；误用率降到 ${rate} 时每年可节省 ${year}`,
    stop: '。',
    ofTool: (tool, { rate, max, calls, wrong, denied, invalid }) =>
      `警报：${tool} 的误用率为 ${rate}，高于 ${max}：` +
      `共 ${calls} 次调用，无效 ${invalid} 次，拒绝 ${denied} 次，合计 ${wrong} 次。`,
    ofRules: (rules, { rate, max, calls, wrong, denied, invalid }) =>
      `警报：${rate} 的调用违反 ${rules}，高于 ${max}：` +
      `共 ${calls} 次调用，无效 ${invalid} 次，拒绝 ${denied} 次，合计 ${wrong} 次。`,
    heldBack: (name, { rate, max, calls, wrong }, least) =>
      `${name}：${calls} 次调用中误用 ${wrong} 次（${rate}，高于 ${max}）；少于 ${least} 次调用时不发警报（\`min_calls\`）`,
    instead: (tools) => `用户没有问起时，用 ${tools} 即可。`,
    inject: (policy) => `请把规则写进提示词：ctx-trim inject --policy ${policy}`,
  },
  ja: {
    wasted: (tool, calls, day, month, year) =>
      `${tool}：1 日 ${calls} 回の呼び出しで、1 日 ${day}、月 ${month}、年 ${year} が無駄になります`,
    saved: (rate, year) => `。誤用率が ${rate} になれば年 ${year} の節約です`,
    stop: '。',
    ofTool: (tool, { rate, max, calls, wrong, denied, invalid }) =>
      `警告：${tool} の誤用率は ${rate} で、${max} を超えています。` +
      `呼び出し ${calls} 回のうち、無効 ${invalid} 回、拒否 ${denied} 回、計 ${wrong} 回。`,
    ofRules: (rules, { rate, max, calls, wrong, denied, invalid }) =>
      `警告：呼び出しの ${rate} が ${rules} に反し、${max} を超えています。` +
      `呼び出し ${calls} 回のうち、無効 ${invalid} 回、拒否 ${denied} 回、計 ${wrong} 回。`,
    heldBack: (name, { rate, max, calls, wrong }, least) =>
      `${name}：呼び出し ${calls} 回のうち誤用 ${wrong} 回（${rate}、${max} 超）。${least} 回未満では警告しません（\`min_calls\`）`,
    instead: (tools) => `ユーザーが尋ねていない場面では ${tools} で足ります。`,
    inject: (policy) => `ルールをプロンプトに入れてください：ctx-trim inject --policy ${policy}`,
  },
};
