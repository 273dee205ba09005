// Modules that belong together in a chunk (chunks.mjs), as paths below `src` or patterns of them.

/** Commands whose words and options need nothing that the program has not loaded. */
export const LIGHT = [
  ...['audit', 'completion', 'convert', 'dataset', 'diff', 'formats', 'handover', 'overview', 'policy', 'prices'],
  ...['redact', 'rules', 'select', 'sessions', 'show'],
];

/** What detecting and reading any transcript needs of the formats. The rest of what they share is seldom called. */
export const FORMATS = [
  ...['anthropic/prefill', 'langchain/langchain-states'],
  ...['bare-calls', 'chat-models', 'chat-variants', 'openai-chat', 'openai-chat-read'].map((id) => `openai/${id}`),
  ...['api-call-shapes', 'api-calls', 'call-reply', 'embedded-messages', 'json-fields', 'parameters'].map(
    (id) => `shared/${id}`,
  ),
  ...['parts', 'pixel', 'recorded', 'table', 'tool-choice', 'tool-members', 'tools'].map((id) => `shared/${id}`),
].map((id) => `formats/${id}`);

/** What knows files by the calls of agents: `stale` and `retries` need it. */
export const FILE_CALLS = [
  /^formats\/([\w-]+\/)?agent-tool/,
  /^transforms\/(attempts|file-calls|later-calls|patch-text|read-ranges|shell-\w+|shorter-input)$/,
];

/** What steps need only with some options. */
const STEPS_SELDOM = [
  ...['aging', 'cache-terms', 'emptied-turns', 'markers', 'ongoing', 'needed-reasoning'],
  ...['few-shot', 'left-branch', 'other-words', 'pays', 'repeated-lines'],
  String.raw`\w+-growing`,
].join('|');

/** What short runs need of some formats, or with some steps. */
export const OFTEN = [
  /^cli\/(config\/repeated-keys|files\/text-file)$/, // files that users write beside recordings
  /^formats\/anthropic\/(anthropic-usage|claude-code-attachments|iterations)$/,
  /^formats\/(gemini\/(gemini-parts|media-tokens)|openai\/(openai-responses-read|shell-output))$/,
  /^formats\/shared\/(adjacent-record|billing|branches|call-facts|links|map-values)$/,
  /^measure\/(pricing\/media(-prices)?|stats\/(attachments|gaps|unstated))$/,
  /^source\/(containers\/(row|row-messages)|unread\/(held|looks|words-beside))$/,
  /^(reports\/attachments|transforms\/aging)$/,
];

/** Modules, below `src`, that the chunks of reading import and that short runs do not call. */
export const SELDOM = [
  /^tokens\/images$/,
  /^cli\/(files\/write-reasons|inputs\/(beside-file|line-reader|messages-file|threads))$/,
  /^cli\/(terminal\/(progress|signs)|worker)$/,
  ...FILE_CALLS,
  /^formats\/shared\//,
  /^(formats\/resume-command|text\/shell)$/,
  /^formats\/(atif\/atif-document|cline\/deleted-ranges|cursor\/cursor-session)$/,
  /^formats\/(anthropic\/renamed-calls|goose\/goose-(database|read)|opencode\/opencode-stored)$/,
  /^formats\/langchain\/langchain-/,
  /^formats\/openai\/openai-\w+-/,
  /^formats\/vercel\/(ai-sdk|ui-rounds|vercel-model-|vercel-ui-)/,
  /^(engine\/sessions\/requests-beside|reports\/calibration)$/,
  /^json\/(lay-out|plain-code|replace)$/,
  /^source\/containers\/(bundle|envelope|lists)$/,
  /^source\/(recording|streamed-reply|detect\/(request|undetected|unread-kinds)|unread\/(answers|bare-texts|unknown))$/,
  new RegExp(`^transforms/(${STEPS_SELDOM})$`),
  /get-east-asian-width/,
];

/** Transforms, with what only they need, and the writing of formats. */
export const REWRITE = [
  /^cli\/commands\/rewrite\/index$/,
  /^engine\/rewrite\/tables\/by-table$/,
  /^formats\/((anthropic|openai)\/[\w-]+-write$|openai\/[\w-]+-items$)/,
  /^formats\/shared\/apply-cuts$/,
  /^options\/prompt$/,
  /^text\/(error-text|glob)$/,
  new RegExp(`^transforms/(?!(transform|${STEPS_SELDOM})$)`),
];

/** `select` and `dataset`, which share most of their code. */
export const SELECT = [
  /^cli\/commands\/(dataset|select)\/(?!index$|options$)/,
  /^engine\/(dataset|select)\/(?!options$)/,
  /^(documents\/(dataset|select)|json\/canonical-bytes)$/,
];

/** What only `convert` and `handover` need: the writing of sessions from scratch. */
export const CONVERT = [
  /^cli\/commands\/(convert|handover)\/(?!index$|options$)/,
  /^conversion\//,
  /^(documents\/handover|text\/sha256)$/,
  /^formats\/(session|[\w-]+\/agent-actions)$/,
  /^formats\/[\w-]+\/(claude-code-session|atif-session|codex-session|[\w-]+-new-session|opencode-session)$/,
];

/** What agents load of sessions: for files that may be such. */
export const DOCTOR = [
  /^(engine\/check\/sessions|cli\/commands\/check\/torn)$/,
  /^formats\/(claimed|resume|shared\/(chains|torn-document))$/,
  /^formats\/[\w-]+\/([\w-]+-resume|claude-code-(boundary|entries|heavy)|codex-heavy)$/,
];

/** What few checks come to: arguments against the schemas of tools, and rarer options. */
export const CHECK_MORE = [
  /^cli\/commands\/check\/(baseline|fix|metering|usual-options)$/,
  /^(engine\/check\/(fix|likely-tokens|meter)|json-schema\/complaint|source\/reopened)$/,
  /^rules\/shared\/(long-errors|without-parts)$/,
];

export function isOf(patterns, path) {
  return patterns.some((pattern) => pattern.test(path));
}
