/**
 * What asks for something to be done, as an imperative: at the beginning of a sentence or behind `please`, `you`, `to`.
 * In a file's name, `run.sh`, it asks for nothing.
 */
function imperative(...verbs: readonly string[]): string {
  const lead = "please|you|to|and|then|now|just|also|first|let's|let us|help me|must|should";
  return `(?:^\\s*|[.!?;:,，。；：]\\s*|\\b(?:${lead})\\s+)(?:${verbs.join('|')})(?:\\s|$)`;
}

/** The same in Chinese: what was done (过, 了) and what is called so (修改记录, 运行时) asks for nothing. */
function imperativeInChinese(...verbs: readonly string[]): string {
  return `(?:${verbs.join('|')})(?:[^过了的记历时后前]|$)`;
}

/** The same in Japanese, where a verb of Chinese origin ends in a form of する. */
function imperativeInJapanese(...nouns: readonly string[]): string {
  return `(?:${nouns.join('|')})を?(?:して|する|しろ|しよう|したい|お願い)`;
}

/**
 * The words of the policy. The English and Chinese lists of the first three are those of the guard that it is made
 * after; the Japanese ones say the same. Single characters such as 今 and 前 are left out: they stand in too many other
 * words (今まで, 名前).
 */
import { commaList } from '../../lists.js';
import type { Intent, WordList } from '../types.js';

const EXPLICIT = commaList(`
  历史记录, 对话记录, 聊天记录, 之前的对话, 过去的讨论, 讨论结果, 达成共识, 为什么当时, 之前的决策, 之前做过, 历史操作,
  conversation history, chat history, 会話履歴, 会話の履歴, 対話履歴, チャット履歴, トーク履歴, 以前の会話, 過去の会話,
  前回の会話, これまでの会話
`);
const HISTORY = commaList(`
  之前, 刚才, 上次, 以前, 曾经, 历史, 过去, earlier, before, previous, 我们讨论, 你说过, 我问过, 你建议, 第一次, 最初,
  开始时, 当时, 记得, 改过, 做过, 第一个问题, 为什么我们选择, 我们为什么选择, さっき, 先ほど, 先程, 前回, 先日, この前,
  以前, 過去, かつて, 履歴, 話し合った, 言っていた, 聞いた, 尋ねた, 提案した, 初めて, 最初に, 当初
`);
const CURRENT = commaList(`
  当前, 现在, 目前, 现有, 查看, 列出, 显示, 读取, 有什么, 是什么, 包含, 文件内容, 目录结构, 代码, 現在, 今の, 今すぐ,
  現時点, 表示, 一覧, 読み込, 読んで, 見せて, 何がある, とは何, 含まれ, ファイルの内容, ファイルの中身,
  ディレクトリ構成, フォルダ構成, コード
`);

export const words: Readonly<Record<string, WordList>> = {
  explicit: { any: EXPLICIT },
  history: { any: [...new Set(HISTORY)] },
  current: { any: CURRENT },
  'file-content': {
    any: commaList(`
      文件内容, 读取, 打开文件, 查看文件, file content, contents of, read the file, read file, open the file,
      what is in, what's in, show me the file, ファイルの内容, ファイルの中身, 読み込, 読んで, 開いて
    `),
    regex: ['\\b[\\w./-]+\\.(?:ts|tsx|js|jsx|py|go|rs|java|md|json|ya?ml|toml|txt|css|html)\\b'],
  },
  listing: {
    any: commaList(`
      列出, 有哪些文件, 有什么文件, 哪些文件, 文件列表, list files, list the files, which files, what files, file list,
      一覧, どのファイル, ファイルは何
    `),
  },
  'code-search': {
    any: commaList(`
      搜索, 查找, 在哪里定义, 在哪里, 哪里用到, 哪里调用, search for, find where, where is, where are, grep, look for,
      usages of, 検索, 探して, どこで定義, どこで使, どこにあ
    `),
  },
  change: {
    any: commaList(`
      修改, 编辑, 改成, 改为, 替换, 重命名, 添加, 删除, 修复, 重构, edit, change, modify, replace, rename, add, remove,
      delete, fix, refactor, 変更, 編集, 修正, 追加, 削除, 置き換え, 書き換え, 直して
    `),
  },
  run: {
    any: commaList(`
      运行, 执行, 启动, 安装, 编译, 跑一下, 测试一下, run, execute, start, install, compile, build, 実行, 起動,
      インストール, コンパイル, ビルド, 動かして
    `),
  },
  structure: {
    any: commaList(`
      目录结构, 项目结构, 代码结构, 目录树, 架构, 系统信息, project structure, directory structure, folder structure,
      directory tree, architecture, ディレクトリ構成, フォルダ構成, プロジェクト構成, プロジェクトの構成,
      ディレクトリ構造, アーキテクチャ
    `),
  },
  'read-verb': {
    regex: [
      imperative('read', 'open', 'print', 'cat'),
      imperativeInChinese('读取', '打开'),
      '読んで|読み込んで|開いて',
    ],
  },
  'list-verb': { regex: [imperative('list'), imperativeInChinese('列出'), imperativeInJapanese('一覧')] },
  'search-verb': {
    regex: [
      imperative('search', 'grep', 'find', 'look for', 'locate'),
      imperativeInChinese('搜索', '查找'),
      imperativeInJapanese('検索'),
      '探して',
    ],
  },
  'change-verb': {
    regex: [
      imperative(
        'edit',
        'change',
        'modify',
        'replace',
        'rename',
        'add',
        'remove',
        'delete',
        'fix',
        'refactor',
        'update',
        'write',
        'create',
      ),
      imperativeInChinese('修改', '编辑', '改成', '改为', '替换', '重命名', '添加', '删除', '修复', '重构'),
      imperativeInJapanese('変更', '編集', '修正', '追加', '削除'),
      '置き換えて|書き換えて|直して|消して',
    ],
  },
  'run-verb': {
    regex: [
      imperative('run', 'execute', 'start', 'install', 'compile', 'build', 'rerun', 'launch'),
      imperativeInChinese('运行', '执行', '启动', '安装', '编译', '跑一下', '测试一下'),
      imperativeInJapanese('実行', '起動', 'インストール', 'コンパイル', 'ビルド'),
      '動かして',
    ],
  },
  'structure-verb': {
    regex: [
      '(?:列出|显示|查看)[^，。？！,.?!]{0,20}(?:目录结构|项目结构|代码结构|目录树)',
      '(?:list|print|read|open) (?:me )?(?:the )?(?:project|directory|folder) (?:structure|tree)',
    ],
  },
};

/** The verb that comes first decides; without any, the longest word, then the first intent here. */
export const intents: readonly Intent[] = [
  { intent: 'past talk', words: ['explicit', 'history'], tool: 'query_history' },
  { intent: 'file content', words: ['file-content'], verbs: ['read-verb'], tool: 'read_file' },
  { intent: 'listing', words: ['listing'], verbs: ['list-verb'], tool: 'list_files' },
  { intent: 'code search', words: ['code-search'], verbs: ['search-verb'], tool: 'search_code' },
  { intent: 'change', words: ['change'], verbs: ['change-verb'], tool: 'edit_file' },
  { intent: 'run', words: ['run'], verbs: ['run-verb'], tool: 'run_terminal' },
  { intent: 'structure', words: ['structure'], verbs: ['structure-verb'], tool: 'get_project_structure' },
];
