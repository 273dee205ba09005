/** What a model is told, in each language. */
import type { Language, Prompt } from '../types.js';

const FILE = "export const ACCESS_TTL = '15m';\nexport const REFRESH_TTL = '7d';";

export const prompts: Readonly<Record<Language, Prompt>> = {
  en: promptOf({
    system: `## When to call query_history

query_history searches what was said in this conversation and in earlier ones. Every call is slow and costs money.

Call it only when the user asks about past talk: "what did we decide before", "you said earlier", "the error I asked about last time".
Never call it to learn how things are now. For that:
- what a file says: read_file
- which files there are: list_files
- where something stands in the code: search_code
- how the project is laid out: get_project_structure
- changing a file: edit_file; running a command: run_terminal

Before you call it, check three things:
1. Does the user ask about something that was said? If not, do not call it.
2. Is the answer in the messages that you already see? Then answer from them.
3. Did you read, list or search files in this turn? Then do not call it too. If the user asks for both, answer one and offer the other.`,
    tool:
      'Search earlier conversation for what the user or you said. ONLY for questions about past talk ("what ' +
      'did we discuss before", "you suggested earlier"). NOT for the present state of files, folders or code: ' +
      'use read_file, list_files or search_code for that. Slow and costly: at most one call for a question, ' +
      'never together with a file tool in one turn.',
    range:
      'recent: the last few exchanges, enough for "just now" and "earlier". all: everything, only where ' +
      'the user speaks of long ago or of the very beginning.',
    past: {
      question: 'What did we say about JWT expiry earlier?',
      query: 'JWT expiry',
      found: 'You suggested access tokens of 15 minutes with refresh tokens of 7 days; the user agreed.',
      answer: 'We agreed on access tokens that expire after 15 minutes, with refresh tokens that last 7 days.',
    },
    file: {
      question: 'What is in src/auth/jwt.ts?',
      answer: 'It exports two constants: ACCESS_TTL, 15 minutes, and REFRESH_TTL, 7 days.',
    },
  }),
  zh: promptOf({
    system: `## 何时调用 query_history

query_history 用来检索本次和以往对话里说过的话。每次调用都慢，而且要花钱。

只有当用户问起过去的对话时才调用：“我们之前怎么定的”“你刚才说过”“我上次问的那个报错”。
绝不要用它来了解现状。了解现状请用：
- 文件里写了什么：read_file
- 有哪些文件：list_files
- 某段代码在哪里：search_code
- 项目结构如何：get_project_structure
- 修改文件：edit_file；运行命令：run_terminal

调用之前先确认三点：
1. 用户问的是说过的话吗？不是就不要调用。
2. 答案是否已经在你看得到的消息里？在就直接回答。
3. 这一轮里是否已经读取、列出或搜索过文件？是就不要再调用它。如果用户两样都要，先答一样，再主动提出回答另一样。`,
    tool:
      '检索以往对话中用户或你说过的话。仅用于询问过去对话的问题（“我们之前讨论过什么”“你刚才建议的”）。不要用它查看文件、目录或代码的现状，那些请用 ' +
      'read_file、list_files、search_code。调用慢且昂贵：一个问题最多调用一次，绝不与文件类工具在同一轮里一起使用。',
    range: 'recent：最近几轮对话，足以回答“刚才”“之前”。all：全部对话，仅当用户说的是很久以前或最开始时使用。',
    past: {
      question: '我们之前讨论的 JWT 过期时间是多少？',
      query: 'JWT 过期时间',
      found: '你建议访问令牌 15 分钟过期、刷新令牌 7 天过期，用户同意了。',
      answer: '我们定的是：访问令牌 15 分钟过期，刷新令牌 7 天过期。',
    },
    file: {
      question: 'src/auth/jwt.ts 里的文件内容是什么？',
      answer: '它导出两个常量：ACCESS_TTL 为 15 分钟，REFRESH_TTL 为 7 天。',
    },
  }),
  ja: promptOf({
    system: `## query_history を呼ぶ場面

query_history は、この会話とこれまでの会話で話したことを検索します。呼び出しは遅く、そのたびに費用がかかります。

呼んでよいのは、ユーザーが過去の会話について尋ねたときだけです：「以前どう決めましたか」「さっき言っていた」「前回聞いたエラー」。
今どうなっているかを知るために呼んではいけません。そのためには：
- ファイルの内容：read_file
- どんなファイルがあるか：list_files
- コードのどこにあるか：search_code
- プロジェクトの構成：get_project_structure
- ファイルの変更：edit_file、コマンドの実行：run_terminal

呼ぶ前に三つ確かめてください。
1. ユーザーは話したことについて尋ねていますか。違うなら呼びません。
2. 答えは、すでに見えているメッセージの中にありませんか。あるなら、そこから答えます。
3. このターンでファイルを読む、一覧する、検索するといったことをしましたか。したなら呼びません。両方を求められたら、片方に答え、もう片方は続けて申し出ます。`,
    tool:
      'これまでの会話でユーザーまたはあなたが話したことを検索します。過去の会話についての質問（「以前何を話しましたか」「さっきの提案」）にだけ使います。ファイル、フォルダ、コードの現状を知るためには使わず、read' +
      '_file、list_files、search_code を使います。遅く高価なので、一つの質問に一度まで。同じターンでファイル系のツールと一緒に使ってはいけません。',
    range:
      'recent：直近の数往復。「さっき」「先ほど」にはこれで足ります。all：すべて。ずっと前や一番最初のことを尋ねられたときだけ使います。',
    past: {
      question: '以前話した JWT の有効期限はどうなりましたか？',
      query: 'JWT の有効期限',
      found: 'アクセストークンは 15 分、リフレッシュトークンは 7 日を提案し、ユーザーが了承しました。',
      answer: 'アクセストークンは 15 分、リフレッシュトークンは 7 日で失効する、と決めました。',
    },
    file: {
      question: 'src/auth/jwt.ts のファイルの内容を教えてください。',
      answer: '定数を二つ公開しています。ACCESS_TTL は 15 分、REFRESH_TTL は 7 日です。',
    },
  }),
};

/** What differs between the languages. */
interface Told {
  readonly system: string;
  /** What the tool is for, and the values of its `time_range`. */
  readonly tool: string;
  readonly range: string;
  /** An example of a question about past talk, and one of a question about a file. */
  readonly past: { readonly question: string; readonly query: string; readonly found: string; readonly answer: string };
  readonly file: { readonly question: string; readonly answer: string };
}

function promptOf({ system, tool, range, past, file }: Told): Prompt {
  const time = { type: 'string', enum: ['recent', 'all'], default: 'recent', description: range };
  const search = { tool: 'query_history', args: { query: past.query, time_range: 'recent' }, result: past.found };
  const read = { tool: 'read_file', args: { path: 'src/auth/jwt.ts' }, result: FILE };
  return {
    system,
    tools: { query_history: { description: tool, parameters: { time_range: time } } },
    few_shot: [
      { role: 'user', text: past.question },
      { role: 'assistant', call: search },
      { role: 'assistant', text: past.answer },
      { role: 'user', text: file.question },
      { role: 'assistant', call: read },
      { role: 'assistant', text: file.answer },
    ],
  };
}
