/**
 * Counts the tokens of images by the published rules of providers: by width and height in pixels, model and requested
 * detail. The size is read from the first bytes of the image.
 */
import { rowOf } from './model-names.js';

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Taken for an image whose size nobody knows (a URL, a file that the provider keeps): OpenAI's own example, 765 tokens
 * for GPT-4o at high detail, 1,369 for Claude, 1,032 for Gemini 2.
 */
export const UNKNOWN_SIZE: Size & { readonly source: string; readonly date: string } = {
  width: 1024,
  height: 1024,
  source: 'https://platform.openai.com/docs/guides/images-vision',
  date: '2026-11-21',
};

/**
 * Tokens of an image. `detail` is OpenAI's (`low`, `high`, `original`, `auto`) or Gemini's media resolution (`low`,
 * `medium`, `high`, `ultra_high`); what a model does not know counts as nothing said. Models without a rule count as
 * GPT-4o.
 */
export function imageTokens(size: Size | undefined, model: string, detail?: string): number {
  const { width, height } = size ?? UNKNOWN_SIZE;
  if (!(width > 0 && height > 0)) return imageTokens(undefined, model, detail);
  return (rowOf(model, RULES)?.rule ?? GPT_4O)({ width, height }, detail);
}

// --- the rules

type Rule = (size: Size, detail: string | undefined) => number;

/**
 * OpenAI's tiles: at low detail the base; else scaled down into 2048 x 2048 and to a short side of 768, in tiles of 512
 * x 512.
 */
function openAiTiles(base: number, perTile: number): Rule {
  return (size, detail) => {
    if (detail === 'low') return base;
    const within = shrunk(size, 2048 / Math.max(size.width, size.height));
    const { width, height } = shrunk(within, 768 / Math.min(within.width, within.height));
    return base + perTile * squares({ width, height }, 512);
  };
}

/** OpenAI's largest size of an image by detail: patches of 32 x 32, and pixels of the longer edge. */
interface Budget {
  readonly patches: number;
  readonly edge: number;
}

const BUDGETS = {
  low: { patches: 256, edge: 512 },
  /** `high`: for GPT-5.4 and later, and for all others. */
  high: { patches: 2_500, edge: 2_048 },
  small: { patches: 1_536, edge: 2_048 },
  original: { patches: 10_000, edge: 6_000 },
  whole: { patches: Infinity, edge: Infinity },
} as const satisfies Record<string, Budget>;

/** OpenAI's patches, of `multiplier` tokens each. */
function openAiPatches(multiplier: number, high: Budget, original: Budget = high, automatic: Budget = high): Rule {
  const budgets = new Map<string, Budget>([
    ['low', BUDGETS.low],
    ['high', high],
    ['original', original],
  ]);
  return (size, detail) => {
    const budget = budgets.get(detail ?? '') ?? automatic;
    const within = shrunk(size, budget.edge / Math.max(size.width, size.height));
    return Math.ceil(squares(intoPatches(within, budget.patches), 32) * multiplier);
  };
}

/** Scaled down to the budget, and slightly further, so that one side is a whole number of patches. */
function intoPatches(size: Size, patches: number): Size {
  if (squares(size, 32) <= patches) return size;
  const scale = Math.sqrt((32 * 32 * patches) / (size.width * size.height));
  const across = (size.width * scale) / 32;
  const down = (size.height * scale) / 32;
  const fit = scale * Math.min(Math.floor(across) / across || 1, Math.floor(down) / down || 1);
  return {
    width: Math.max(1, Math.floor(size.width * fit + 1e-6)),
    height: Math.max(1, Math.floor(size.height * fit + 1e-6)),
  };
}

/**
 * Claude's patches of 28 x 28, a token each, of the largest version of the image that fits both limits. (An older text
 * of the page says width * height / 750, which is nearly the same: 28 * 28 = 784.)
 */
function claudePatches({ patches, edge }: Budget): Rule {
  return (size) => {
    const long = Math.max(size.width, size.height);
    const scaled = (pixels: number): Size => ({
      width: Math.round((size.width * pixels) / long),
      height: Math.round((size.height * pixels) / long),
    });
    let fits = 0;
    let over = Math.min(long, edge) + 1;
    while (over - fits > 1) {
      const middle = (fits + over) >> 1;
      if (squares(scaled(middle), 28) <= patches) fits = middle;
      else over = middle;
    }
    return squares(scaled(fits), 28);
  };
}

/** Gemini's tiles: 258 tokens for an image up to 384 x 384, and for each tile of 768 x 768 of a larger one. */
const GEMINI_TILES: Rule = (size) => 258 * squares(size, 768);

/** Since Gemini 3, only the requested resolution matters. */
const GEMINI_RESOLUTIONS: Rule = (_size, detail) => RESOLUTIONS.get(detail ?? '') ?? 1_120;
const RESOLUTIONS = new Map<string, number>([
  ['low', 280],
  ['medium', 560],
  ['ultra_high', 2_240],
]);

/** The number of squares that cover the image, at least 1. */
function squares({ width, height }: Size, side: number): number {
  return Math.max(1, Math.ceil(width / side)) * Math.max(1, Math.ceil(height / side));
}

/** Never scaled up: LiteLLM recorded 255 tokens for 1 x 1 at high detail. */
function shrunk({ width, height }: Size, scale: number): Size {
  return scale >= 1 ? { width, height } : { width: width * scale, height: height * scale };
}

// --- the rules by model

interface ModelRule {
  readonly prefix: string;
  readonly rule: Rule;
  readonly source: string;
  readonly date: string;
}

const GPT_4O = openAiTiles(85, 170);
const CLAUDE_HIGH = claudePatches({ patches: 4_784, edge: 2_576 });
const CLAUDE_STANDARD = claudePatches({ patches: 1_568, edge: 1_568 });
/** The guide states no multiplier for these. */
const GPT_5_2 = openAiPatches(1, BUDGETS.small);
const GPT_5_6 = openAiPatches(1, BUDGETS.high, BUDGETS.whole, BUDGETS.whole);
const MINI = openAiPatches(1.62, BUDGETS.small);
const NANO = openAiPatches(2.46, BUDGETS.small);

const OPENAI = { source: 'https://developers.openai.com/api/docs/guides/images-vision', date: '2026-11-21' };
const ANTHROPIC = { source: 'https://platform.claude.com/docs/en/build-with-claude/vision', date: '2026-11-21' };
const GOOGLE = { source: 'https://ai.google.dev/gemini-api/docs/tokens', date: '2026-11-21' };
const GOOGLE_3 = { source: 'https://ai.google.dev/gemini-api/docs/media-resolution', date: '2026-11-21' };

/** Longest prefixes first. */
const RULES: readonly ModelRule[] = [
  ...rows(OPENAI, {
    'gpt-4': GPT_4O,
    'gpt-4o-mini': openAiTiles(2_833, 5_667),
    'gpt-4.1-mini': MINI,
    'gpt-4.1-nano': NANO,
    'gpt-5': openAiTiles(70, 140),
    'gpt-5-mini': MINI,
    'gpt-5-nano': NANO,
    'gpt-5-codex': GPT_5_2,
    'gpt-5.1-codex': GPT_5_2,
    'gpt-5.2': GPT_5_2,
    'gpt-5.3': GPT_5_2,
    'gpt-5.4': openAiPatches(1, BUDGETS.high, BUDGETS.original),
    'gpt-5.4-mini': MINI,
    'gpt-5.4-nano': NANO,
    'gpt-5.5': openAiPatches(1, BUDGETS.high, BUDGETS.original, BUDGETS.original),
    'gpt-5.6': GPT_5_6,
    'gpt-6': GPT_5_6, // newer than the guide: like its newest model
    'codex-mini': GPT_5_2,
    o1: openAiTiles(75, 150),
    o3: openAiTiles(75, 150),
    'o4-mini': openAiPatches(1.72, BUDGETS.small),
    'computer-use-preview': openAiTiles(65, 129),
  }),
  ...rows(ANTHROPIC, {
    claude: CLAUDE_STANDARD,
    sonnet: CLAUDE_STANDARD,
    opus: CLAUDE_STANDARD,
    haiku: CLAUDE_STANDARD,
    'claude-opus-4-7': CLAUDE_HIGH,
    'claude-opus-4.7': CLAUDE_HIGH,
    'claude-opus-4-8': CLAUDE_HIGH,
    'claude-opus-4.8': CLAUDE_HIGH,
    'claude-opus-5': CLAUDE_HIGH,
    'claude-sonnet-5': CLAUDE_HIGH,
    'claude-fable-5': CLAUDE_HIGH,
    'claude-mythos-5': CLAUDE_HIGH,
  }),
  ...rows(GOOGLE, { gemini: GEMINI_TILES, gemma: GEMINI_TILES }),
  ...rows(GOOGLE_3, { 'gemini-3': GEMINI_RESOLUTIONS, 'gemini-4': GEMINI_RESOLUTIONS }),
].sort((a, b) => b.prefix.length - a.prefix.length);

function rows(
  stated: { readonly source: string; readonly date: string },
  rules: Readonly<Record<string, Rule>>,
): ModelRule[] {
  return Object.entries(rules).map(([prefix, rule]) => ({ prefix, rule, ...stated }));
}

// --- the size

/** Width and height of a PNG, JPEG, GIF or WebP in base64, from its head alone; undefined for anything else. */
export function sizeOf(base64: string): Size | undefined {
  const bytes = reader(base64);
  const head = bytes(0, 30);
  const size =
    pngSize(head) ?? gifSize(head) ?? webpSize(head) ?? (head.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Decodes only the requested bytes; zeros past the end. */
function reader(base64: string): (from: number, length: number) => Buffer {
  const text = /\s/.test(base64.slice(0, 1_000)) ? base64.replace(/\s+/g, '') : base64;
  return (from, length) => {
    const group = Math.floor(from / 3);
    const decoded = Buffer.from(text.slice(group * 4, Math.ceil((from + length) / 3) * 4), 'base64').subarray(
      from - group * 3,
    );
    return Buffer.concat([decoded, Buffer.alloc(length)], length);
  };
}

/** https://www.w3.org/TR/png-3/#11IHDR */
function pngSize(head: Buffer): Size | undefined {
  return head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n'
    ? { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    : undefined;
}

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18 */
function gifSize(head: Buffer): Size | undefined {
  return /^GIF8[79]a/.test(head.toString('latin1', 0, 6))
    ? { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
    : undefined;
}

/** https://developers.google.com/speed/webp/docs/riff_container: simple, lossless and extended. */
function webpSize(head: Buffer): Size | undefined {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/**
 * Skips segments up to the frame header, which may follow a thumbnail: https://www.w3.org/Graphics/JPEG/itu-t81.pdf,
 * B.2.2
 */
function jpegSize(bytes: (from: number, length: number) => Buffer): Size | undefined {
  let at = 2;
  for (let segments = 0; segments < 1_000; segments++) {
    const head = bytes(at, 9);
    const marker = head[1]!;
    if (head[0] !== 0xff) return undefined;
    if (marker === 0xff)
      at += 1; // padding
    else if (isFrame(marker)) return { width: head.readUInt16BE(7), height: head.readUInt16BE(5) };
    else at += marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8) ? 2 : 2 + head.readUInt16BE(2);
  }
  return undefined;
}

/** SOF0 to SOF15, except the table markers among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
