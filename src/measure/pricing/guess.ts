/** Names that a rule of the price package takes for a model although they only begin or end like it. */
import type { MatchLogic } from '@pydantic/genai-prices';
import type { Sourced } from './corrections.js';
import { isMatch, type Listed } from './lookup.js';

/** What may follow the name of a model without making it another one: regular expressions. */
interface Variants extends Sourced {
  readonly suffixes: readonly string[];
  /** Only at this provider. */
  readonly at?: string;
}

const date = '2026-11-26';
const BEDROCK = { source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html', date };
const VARIANTS: readonly Variants[] = [
  // -2025-08-07, -0613; how much it thinks
  { suffixes: ['-20\\d\\d-\\d\\d-\\d\\d', '-\\d{4}'], source: 'https://platform.openai.com/docs/models', date },
  {
    suffixes: ['-(?:none|minimal|low|medium|high|xhigh|max)'],
    source: 'https://platform.openai.com/docs/guides/reasoning',
    date,
  },
  {
    suffixes: ['-20\\d{6}', '-latest', '-thinking'],
    source: 'https://platform.claude.com/docs/en/about-claude/models/overview',
    date,
  },
  // a tier, which is priced as such
  {
    suffixes: ['-fast'],
    at: 'anthropic',
    source: 'https://platform.claude.com/docs/en/build-with-claude/fast-mode',
    date,
  },
  {
    suffixes: ['(?:-v\\d)?@20\\d{6}', '@default'],
    source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude',
    date,
  },
  // -001, -05-20, -09-2025
  {
    suffixes: ['-\\d{3}', '-preview', '-exp', '-customtools', '-\\d\\d-(?:20)?\\d\\d'],
    source: 'https://ai.google.dev/gemini-api/docs/models',
    date,
  },
  { suffixes: ['(?:-v\\d+)?:\\d+'], ...BEDROCK },
  { suffixes: ['-v\\d+'], at: 'aws', ...BEDROCK },
  { suffixes: ['-text'], at: 'cohere', ...BEDROCK },
  // magistral-medium-1-2-2509, Mixtral-8x7B-Instruct-v0.1
  {
    suffixes: ['-\\d-\\d-\\d{4}', '-instruct(?:-v\\d\\.\\d)?'],
    at: 'mistral',
    source: 'https://docs.mistral.ai/getting-started/models',
    date,
  },
  { suffixes: [':(?:thinking|nitro|floor|exacto|online)'], source: 'https://openrouter.ai/docs/guides/routing', date },
];

/** `ft:gpt-4o-2024-08-06:org:name:id`, and `gpt-4o-mini-2024-07-18.ft-id` at Azure. */
const FINE_TUNED = /^(ft:[^:]*):.*|(\.ft-).*/;

/** The model whose price a name has, if the name is neither one of its names nor a variant of one. */
export function guessOf({ provider, model, name }: Listed): string | undefined {
  const plain = name.replace(FINE_TUNED, '$1$2');
  const known = [{ equals: model.id }, ...partsOf(model.match)].filter((part) => isMatch(part, plain));
  return known.some((part) => isVariant(plain, part, provider.id)) ? undefined : model.id;
}

type Part = Exclude<MatchLogic, { or: unknown } | { and: unknown }>;

function partsOf(logic: MatchLogic): readonly Part[] {
  if ('or' in logic) return logic.or.flatMap(partsOf);
  return 'and' in logic ? logic.and.flatMap(partsOf) : [logic];
}

function isVariant(name: string, part: Part, provider: string): boolean {
  if ('equals' in part) return true;
  if ('regex' in part) return part.regex.endsWith('$') && part.regex.startsWith('^');
  const text = textOf(part).toLowerCase();
  const start = 'ends_with' in part ? name.length - text.length : name.indexOf(text);
  if (start > 0 && /[^./:]/.test(name[start - 1]!)) return false;
  const whole = text.replace(/[-@.](?:\d|20\d\d-?)?$/, ''); // some texts end within a date
  return [text, whole].some(({ length }) => endingOf(provider).test(name.slice(start + length)));
}

function textOf(part: Exclude<Part, { equals: unknown } | { regex: unknown }>): string {
  if ('starts_with' in part) return part.starts_with;
  return 'ends_with' in part ? part.ends_with : part.contains;
}

const endings = new Map<string, RegExp>();

/** Any number of suffixes. */
function endingOf(provider: string): RegExp {
  const own = VARIANTS.filter(({ at = provider }) => at === provider).flatMap(({ suffixes }) => suffixes);
  const ending = endings.get(provider) ?? new RegExp(`^(?:${own.join('|')})*$`);
  endings.set(provider, ending);
  return ending;
}
