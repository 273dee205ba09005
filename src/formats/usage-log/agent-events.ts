/**
 * The log events in which agents report their requests with OpenTelemetry: names and attributes, as data. Links as of
 * 2026-11-22.
 */

export interface AgentEvent {
  /** The event's name: in the attribute `event.name`, or the body of the log record. */
  readonly name: string;
  /** Attributes that tell this event from others of the same name. */
  readonly has?: Readonly<Record<string, string>>;
  readonly session: string;
  /** The attribute with the id of the request. */
  readonly request?: string;
  /** The attribute with the cost in US dollars. */
  readonly cost?: string;
  /** The attribute that says `fast` in Anthropic's fast mode. */
  readonly speed?: string;
  /** The attributes with token counts; several are added up. */
  readonly usage?: AgentUsage;
  /** The request failed if this attribute exists. */
  readonly error?: string;
}

export interface AgentUsage {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly cacheRead: string;
  readonly cacheWrite?: string;
  readonly reasoning?: string;
  /** Whether `input` includes cache reads and writes. */
  readonly inputIncludesCache: boolean;
}

/** https://code.claude.com/docs/en/monitoring-usage#events */
const CLAUDE_CODE_USAGE: AgentUsage = {
  input: ['input_tokens'],
  output: ['output_tokens'],
  cacheRead: 'cache_read_tokens',
  cacheWrite: 'cache_creation_tokens',
  inputIncludesCache: false,
};

const CLAUDE_CODE = { session: 'session.id', request: 'request_id', cost: 'cost_usd', speed: 'speed' };
/** https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/telemetry.md#api */
const GEMINI_CLI = { session: 'session.id' };
/** https://developers.openai.com/codex/config-advanced#observability-and-telemetry */
const CODEX = { session: 'conversation.id' };

export const agentEvents: readonly AgentEvent[] = [
  { ...CLAUDE_CODE, name: 'claude_code.api_request', usage: CLAUDE_CODE_USAGE },
  { ...CLAUDE_CODE, name: 'claude_code.api_error', error: 'error' },
  {
    ...GEMINI_CLI,
    name: 'gemini_cli.api_response',
    usage: {
      input: ['input_token_count', 'tool_token_count'],
      output: ['output_token_count', 'thoughts_token_count'],
      cacheRead: 'cached_content_token_count',
      reasoning: 'thoughts_token_count',
      inputIncludesCache: true,
    },
  },
  { ...GEMINI_CLI, name: 'gemini_cli.api_error', error: 'error' },
  {
    ...CODEX,
    name: 'codex.sse_event',
    has: { 'event.kind': 'response.completed' },
    usage: {
      input: ['input_token_count'],
      output: ['output_token_count'],
      cacheRead: 'cached_token_count',
      cacheWrite: 'cache_write_token_count',
      reasoning: 'reasoning_token_count',
      inputIncludesCache: true,
    },
  },
  { ...CODEX, name: 'codex.api_request', error: 'error.message' },
];

/** Prefixes of all events of these agents, also of those that report no request. */
export const agentPrefixes: readonly string[] = ['claude_code.', 'gemini_cli.', 'codex.'];
