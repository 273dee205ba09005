/**
 * What of a replayed prompt is audio, images or video, which have prices of their own: as many tokens as the recording
 * states of its prompt, less those of the messages that the policy dropped, cached up to where the cache is read.
 */
import { mediaOf } from '../../formats/shared/media.js';
import type { MediaKind, MediaPart, MediaTokens, Message, Part, Usage } from '../../transcript/types.js';
import type { CacheUse } from './cache.js';

/** By kind of media in prompts, the parts that are it. */
const KINDS = { Audio: 'audio', Image: 'image', Video: 'file' } as const satisfies Record<string, MediaPart['kind']>;
type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as readonly Kind[];

/** The messages of the recording that a request sent, from `start` to `message` (exclusive), and its usage. */
interface Request {
  readonly start: number;
  readonly head?: readonly number[];
  readonly message: number;
  readonly recorded: Usage | undefined;
}

interface SentPrompt {
  readonly messages: readonly Message[];
  /** The tokens before each message. */
  readonly sums: readonly number[];
}

export interface PromptMedia {
  /** What the next request sends: the first `same` messages of the one before, then `added`. */
  advance(same: number, added: readonly Message[]): void;
  of(request: Request, sent: SentPrompt, use: CacheUse): MediaTokens;
}

const NOTHING: PromptMedia = { advance() {}, of: () => ({}) };

export function promptMediaIn(messages: readonly Message[], requests: readonly Request[]): PromptMedia {
  const kinds = ALL.filter((kind) => requests.some(({ recorded }) => totalOf(recorded, kind) > 0));
  if (kinds.length === 0) return NOTHING;
  const all = kinds.map((kind) => ({ kind, weigh: weigher(kind), own: [0], sent: [0] }));
  for (const { weigh, own } of all) for (const message of messages) own.push(own.at(-1)! + weigh(message));
  return {
    advance(same, added) {
      for (const { weigh, sent } of all) {
        sent.length = same + 1;
        for (const message of added) sent.push(sent.at(-1)! + weigh(message));
      }
    },
    of({ recorded, start, head = [], message }, { sums }, use) {
      const media: { -readonly [K in MediaKind]?: number } = {};
      for (const { kind, own, sent } of all) {
        const whole = head.reduce((sum, at) => sum + own[at + 1]! - own[at]!, own[message]! - own[start]!);
        const kept = sent.at(-1)!;
        const tokens = Math.min(use.tokens, Math.round(totalOf(recorded, kind) * (whole === 0 ? 1 : kept / whole)));
        if (tokens === 0) continue;
        const isRecorded = kept === whole && use.read === recorded!.cacheRead;
        const share = kept === 0 ? use.read / use.tokens : weightBefore(use.read, sums, sent) / kept;
        const cached = isRecorded ? (recorded!.media![`cacheRead${kind}`] ?? 0) : Math.round(tokens * share);
        media[`cacheRead${kind}`] = cached;
        media[`input${kind}`] = tokens - cached;
      }
      return media;
    },
  };
}

/**
 * By message, its tokens of audio and video, which nothing in it tells: as many as the recorded prompt grew by with it.
 * Undefined if there are none. `prompts`: where each reply begins, with the usage of its request.
 */
export function uncountedTokens(
  messages: readonly Message[],
  prompts: readonly (readonly [message: number, usage: Usage | undefined])[],
): readonly number[] | undefined {
  const kinds = UNCOUNTED.filter((kind) => prompts.some(([, usage]) => totalOf(usage, kind) > 0));
  if (kinds.length === 0) return undefined;
  const tokens = messages.map(() => 0);
  for (const kind of kinds) {
    const weigh = weigher(kind);
    let [from, before] = [0, 0];
    for (const [message, usage] of prompts) {
      if (usage === undefined) continue;
      const total = totalOf(usage, kind);
      const weights = messages.slice(from, message).map(weigh);
      const whole = weights.reduce((sum, weight) => sum + weight, 0);
      const grown = Math.max(0, total - before);
      for (const [at, weight] of weights.entries())
        if (weight > 0) tokens[from + at]! += Math.round((grown * weight) / whole);
      [from, before] = [message, total];
    }
  }
  return tokens;
}

/** Images are counted by their size. */
const UNCOUNTED = ['Audio', 'Video'] as const;

/** Whether a message holds audio or video. */
export function holdsUncounted(message: Message): boolean {
  return UNCOUNTED.some((kind) => weigher(kind)(message) > 0);
}

function totalOf(usage: Usage | undefined, kind: Kind): number {
  return (usage?.media?.[`input${kind}`] ?? 0) + (usage?.media?.[`cacheRead${kind}`] ?? 0);
}

/** How much media of a kind a message holds, by the length of its data: its tokens are not recorded alone. */
function weigher(kind: Kind): (message: Message) => number {
  const weightOf = (part: Part): number => {
    if (part.type === 'result') return part.content.reduce((sum, inner) => sum + weightOf(inner), 0);
    return part.type === 'media' && part.kind === KINDS[kind] ? (mediaOf(part)?.base64?.length ?? 1) : 0;
  };
  return ({ role, parts }) => (role === 'meta' ? 0 : parts.reduce((sum, part) => sum + weightOf(part), 0));
}

/** How much of it is in the first tokens of a prompt. */
function weightBefore(read: number, sums: readonly number[], weights: readonly number[]): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sums[middle]! <= read) low = middle;
    else high = middle - 1;
  }
  const [tokens, weight] = [sums[low + 1]! - sums[low]!, weights[low + 1]! - weights[low]!];
  return weights[low]! + (tokens > 0 ? weight * Math.min(1, Math.max(0, read - sums[low]!) / tokens) : 0);
}
