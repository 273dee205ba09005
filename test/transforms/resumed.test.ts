/** What a step makes of a conversation that goes on is what it makes of the whole, computed at once. */
import { expect, it } from 'vitest';
import { writtenSteps } from '../../src/engine/written-steps.js';
import type { Message, Part, Recorded, Transcript } from '../../src/transcript/types.js';
import { loadAuto } from '../../src/transforms/auto.js';
import { CACHE_TERMS } from '../../src/transforms/cache-terms.js';
import { transformNamed } from '../../src/transforms/index.js';
import { applySteps } from '../../src/transforms/pipeline.js';
import { resuming } from '../../src/transforms/resumed.js';
import { openText } from '../shared/opened.js';
import { type Random, randomFrom } from '../shared/random-histories.js';
import { CHARACTERS } from '../shared/rewrite-text.js';

loadAuto();

const SEEDS = Number(process.env['CTX_TRIM_FUZZ'] ?? 120);
const REQUESTS = 25;
const CACHES = CACHE_TERMS.map(({ id }) => id);
const TOOLS = ['read', 'bash', 'TodoWrite', 'update_plan', 'AskUserQuestion'];
const TEXTS = ['Error: no such file', 'ok', "The user doesn't want to proceed with this tool use"];
const SIZES = [10, 300, 3000, 20_000];
/** Seconds between messages. */
const PAUSES = [5, 5, 5, 290, 400, 4000];
const TRAITS = openText('[{"role":"user","content":"go"}]').transcripts[0]!.traits;
const LONG = 'x'.repeat(20_000);

/** Its messages, and what was recorded of each. */
class Conversation {
  messages: Message[] = [];
  private readonly records = new Map<Message, Recorded>();
  private time = 0;
  private count = 0;
  private readonly late: (string | undefined)[] = [];

  constructor(
    private readonly random: Random,
    private readonly isDamaged: boolean,
    private readonly isTimed: boolean,
    private readonly isInPieces: boolean,
    private readonly hasIds: boolean,
  ) {}

  get transcript(): Transcript {
    const { records, messages } = this;
    const traits = this.isInPieces ? { ...TRAITS, piecesStandAlone: true } : TRAITS;
    return { format: 'openai-chat', traits, messages, recorded: (message) => records.get(message) };
  }

  grow(): void {
    const { random } = this;
    const kind = random(8);
    if (kind === 0) this.say('user', [text(random)]);
    else if (kind === 1) this.say('assistant', [text(random)], this.nextGroup());
    else if (kind === 2) this.say('meta', []);
    else if (this.isDamaged && kind === 3) this.stray();
    else this.round();
  }

  /** Back to an earlier message, as when the user edits a question. */
  rewind(): void {
    this.messages = this.messages.slice(0, -this.random(4) || undefined);
  }

  change(): void {
    const at = this.random(this.messages.length);
    const before = this.messages[at];
    if (before === undefined) return;
    const parts = before.parts.map((part) => (part.type === 'result' ? result(part.callId, this.random) : part));
    const after = { ...before, parts };
    this.records.set(after, this.records.get(before) ?? {});
    this.messages = this.messages.with(at, after);
  }

  private round(): void {
    const { random } = this;
    const calls = Array.from({ length: 1 + random(3) }, () =>
      call(
        this.hasIds && !(this.isDamaged && random(9) === 0)
          ? `c${this.isDamaged ? random(9) : this.count++}`
          : undefined,
        random,
      ),
    );
    const group = this.nextGroup();
    if (group !== undefined && random(2) === 0) this.say('assistant', [{ type: 'thinking', text: 'hm' }], group);
    if (group === undefined) this.say('assistant', random(2) === 0 ? [text(random), ...calls] : calls);
    else for (const one of calls) this.say('assistant', [one], group);
    for (const { callId } of calls) {
      const fate = this.isDamaged ? random(8) : 2;
      if (fate > 1) this.say('tool', [result(callId, random)]);
      else if (fate === 1) this.late.push(callId);
    }
  }

  /** A result that comes after others, or before its call. */
  private stray(): void {
    const callId = this.late.pop() ?? (this.hasIds ? `c${this.random(9)}` : undefined);
    this.say('tool', [result(callId, this.random)]);
  }

  private nextGroup(): string | undefined {
    return this.isInPieces ? `g${this.count++}` : undefined;
  }

  private say(role: Message['role'], parts: readonly Part[], group?: string): void {
    const { random } = this;
    const message: Message = { role, parts, raw: {}, ...(group !== undefined && { group }) };
    this.messages = [...this.messages, message];
    this.time += PAUSES[random(PAUSES.length)]! * 1000;
    if (this.isTimed && random(4) > 0)
      this.records.set(message, { time: this.time, ...(random(3) === 0 && { usage: usage(random) }) });
  }
}

function text(random: Random): Part {
  return { type: 'text', text: LONG.slice(0, SIZES[random(SIZES.length)]) };
}

function call(callId: string | undefined, random: Random): Part & { type: 'call' } {
  return {
    type: 'call',
    callId,
    tool: TOOLS[random(random(3) === 0 ? TOOLS.length : 2)]!,
    input: `{"q":${random(4)}}`,
  };
}

function result(callId: string | undefined, random: Random): Part {
  const said = random(4) === 0 ? TEXTS[random(TEXTS.length)]! : LONG.slice(0, SIZES[random(SIZES.length)]);
  return { type: 'result', callId, content: [{ type: 'text', text: said }] };
}

function usage(random: Random) {
  const cacheWrite1h = random(3) === 0 ? 100 : 0;
  return { input: 100, cacheRead: random(400), cacheWrite5m: 0, cacheWrite1h, output: 10, reasoning: 0 };
}

function stepsFrom(random: Random): string[] {
  const maybe = (share: number, ...options: string[]) =>
    random(share) === 0 ? [options[random(options.length)]!] : [];
  const every =
    random(4) === 0
      ? [`every=${1 + random(4)}${['', ' calls', ' rounds'][random(3)]}`]
      : ['every=auto', ...maybe(2, ...CACHES.map((id) => `prompt-cache=${id}`))];
  const kept = random(random(2) === 0 ? 4 : 12);
  const step = [
    `filter:max-tool-calls=${kept}`,
    ...maybe(3, 'unit=round'),
    ...maybe(3, 'scope=history'),
    ...maybe(5, 'drop-user'),
  ];
  const alone = ['truncate:max-length=200,no-minimum', 'strip-noise'];
  return [
    ...maybe(2, 'patch'),
    ...maybe(4, ...alone),
    [...step, ...every, ...maybe(4, 'everything'), ...maybe(5, 'tool=read', 'exclude-tool=read')].join(','),
    ...maybe(4, ...alone),
  ];
}

it('grows, goes back, is changed, and is one of two', () => {
  let trimmed = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = randomFrom(seed);
    const names = stepsFrom(random);
    const steps = writtenSteps(names, transformNamed);
    const resume = resuming();
    const flags = [random(5) === 0, random(2) === 0, random(4) === 0, random(4) > 0] as const;
    const first = new Conversation(random, ...flags);
    first.grow();
    const second = new Conversation(random, ...flags);
    if (random(2) === 0) second.messages = first.messages; // a question that was asked twice
    for (let request = 0; request < REQUESTS; request++) {
      const conversation = random(4) === 0 ? second : first;
      for (let left = random(3); left >= 0; left--) conversation.grow();
      if (random(15) === 0) conversation.rewind();
      if (random(15) === 0) conversation.change();
      if (conversation.messages.length === 0) continue;
      const { transcript: whole } = conversation;
      const isEarly = random(6) === 0 && whole.messages.length > 1; // perhaps before a result
      const transcript = isEarly ? { ...whole, messages: whole.messages.slice(0, -1) } : whole;
      const model = random(30) === 0 ? 'gpt-5' : 'claude-sonnet-4-5';
      const given = { ...transcript, model };
      const found = applySteps(given, steps, CHARACTERS, undefined, resume(given));
      const expected = applySteps(given, steps, CHARACTERS);
      expect(found.messages, `seed ${seed}, request ${request}, ${names.join(' ')}`).toEqual(expected.messages);
      const places = ({ messages }: Transcript) => messages.map((one) => given.messages.indexOf(one));
      expect(places(found)).toEqual(places(expected));
      expect(found === given).toBe(expected === given);
      if (found !== given) trimmed++;
    }
  }
  expect(trimmed).toBeGreaterThan(SEEDS);
});
