/** Messages as frameworks hold them in memory: their own classes, dates, URLs, bytes, members that are undefined. */
import { type ModelMessage, modelMessageSchema } from 'ai';
import { convertToLanguageModelPrompt } from 'ai/internal';
import { describe, expect, it } from 'vitest';
import { run, type StepName } from '../../src/index.js';
import { fixture } from '../shared/fixture.js';

// biome-ignore lint/suspicious/noExplicitAny: messages of four frameworks
type Held = any;

const countTokens = (text: string) => text.length / 4;
const STEPS: readonly StepName[] = [
  'patch',
  'filter:max-tool-calls=0',
  'filter:max-tool-calls=2',
  'truncate:max-length=60,no-minimum',
  'clear:trigger=0,keep=1',
  'strip',
  'dedupe',
  'fit:max-tokens=150',
];
const held = (path: string): Held[] => JSON.parse(fixture(path)) as Held[];
const rewritten = (messages: readonly Held[], ...steps: StepName[]): Held[] => run(messages, steps, { countTokens });

/** A class as LangChain's are: its JSON has another shape than its members. */
class Base {
  toJSON(): object {
    return { lc: 1, type: 'not_implemented', id: [] };
  }
}
class HumanMessage extends Base {}
class AIMessage extends Base {
  get text(): string {
    return (this as Held).content;
  }
}
class ToolMessage extends Base {}
const CLASSES: Readonly<Record<string, typeof Base>> = { human: HumanMessage, ai: AIMessage, tool: ToolMessage };

function instances(): Held[] {
  return held('langchain/js-instances.json').map((fields) =>
    Object.assign(Object.create((CLASSES[fields.type] ?? Base).prototype) as object, { name: undefined, ...fields }),
  );
}

describe.each([
  ['langchain', instances],
  ['vercel-model', () => held('vercel-model/prompt-v2.json')],
  ['vercel-model', () => held('vercel-model/prompt-v3.json')],
  ['vercel-model', () => held('vercel-model/prompt-v4.json')],
  ['pi-session', () => held('pi-session/hand-context.json')],
  ['opencode', () => held('opencode/hand-plugin.json')],
] as const)('%s', (from, messages) => {
  it.each(STEPS)('is recognized, not changed in place, and settled after one run: %s', (step) => {
    const list = messages();
    const before = JSON.stringify(list.map((message) => ({ ...message })));
    const once = rewritten(list, step);
    expect(once).toEqual(run(list, [step], { countTokens, from }));
    expect(JSON.stringify(list.map((message) => ({ ...message })))).toBe(before);
    const twice = rewritten(once, step);
    expect(twice.length).toBe(once.length);
    expect(twice.every((message, index) => message === once[index])).toBe(true);
  });
});

describe('LangChain.js', () => {
  const ids = (message: Held): string[] => (message.tool_calls ?? []).map(({ id }: Held) => id);

  it('keeps the classes of messages that change', () => {
    const list = instances();
    const kept = rewritten(list, 'filter:max-tool-calls=1,everything');
    expect(kept.every((message) => message instanceof (CLASSES[message.type] ?? Base))).toBe(true);
    const changed = kept.filter((message) => !list.includes(message));
    expect(changed.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Let me look again.' }],
      [
        { type: 'reasoning', reasoning: 'Another town helps.' },
        { type: 'text', text: 'I ask for Moss.' },
      ],
      [{ type: 'text', text: 'And Tromsø.' }],
    ]);
    expect(changed.every((message) => 'name' in message && Object.hasOwn(message, 'lc_namespace'))).toBe(true);
  });

  it('removes a call wherever an instance repeats it, its constructor arguments included', () => {
    const list = instances();
    const calls = list.flatMap(ids);
    const kept = rewritten(list, 'filter:max-tool-calls=1,everything');
    const gone = calls.filter((id) => !kept.flatMap(ids).includes(id));
    expect(gone).toEqual(['call_1', 'toolu_2', 'call_3', 'call_4', '5']);
    const text = JSON.stringify(kept.map((message) => ({ ...message })));
    expect(gone.filter((id) => text.includes(`"${id}"`))).toEqual([]);
  });

  it('writes a shorter result into the constructor arguments too', () => {
    const [result] = rewritten(instances(), 'truncate:max-length=60,no-minimum').filter(({ type }) => type === 'tool');
    expect(result.content.length).toBeLessThanOrEqual(60);
    expect(result.lc_kwargs.content).toBe(result.content);
    expect(result.artifact).toEqual({ station: 17 });
  });

  it('reads members that are computed when they are read', () => {
    const list = instances();
    const chunk = list.find(({ tool_call_chunks }) => tool_call_chunks !== undefined);
    const { tool_calls } = chunk;
    Object.defineProperty(chunk, 'tool_calls', { get: () => tool_calls, enumerable: true, configurable: true });
    const without = rewritten(list, 'filter:max-tool-calls=0').find(({ id }) => id === 'run-4');
    expect(without).toBeUndefined();
    expect(chunk.tool_calls).toBe(tool_calls);
    expect(rewritten(list, 'truncate:max-length=60,no-minimum')).toContain(chunk);
  });

  it('answers calls that are sent, and no invalid ones', () => {
    const list = instances();
    const added = rewritten(list, 'patch').filter((message) => !list.includes(message));
    expect(added).toEqual([
      {
        type: 'tool',
        id: expect.any(String),
        tool_call_id: 'call_9',
        name: 'weather',
        status: 'error',
        content: expect.stringContaining('call_9'),
        additional_kwargs: {},
        response_metadata: {},
      },
    ]);
  });
});

describe('AI SDK', () => {
  const bytes = new Uint8Array([137, 80, 78, 71]);
  const call = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'shot', input: {} });
  const image = { type: 'file', mediaType: 'image/png', data: bytes, providerOptions: undefined };
  const result = (toolCallId: string, value: string) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: 'shot', output: { type: 'text', value } }],
    providerOptions: undefined,
  });
  const MESSAGES = [
    { role: 'system', content: 'You draw.' },
    { role: 'user', content: [{ type: 'file', data: new URL('https://example.com/a.pdf'), mediaType: 'text/plain' }] },
    { role: 'assistant', content: [image, { type: 'text', text: 'Here.' }, call('c1'), call('c2')] },
    result('c1', 'sky '.repeat(80)),
    result('c2', 'sea '.repeat(80)),
    { role: 'assistant', content: [call('c3')], providerOptions: { app: { sent: new Date(0).toJSON() } } },
  ] as unknown as ModelMessage[];

  const promptOf = (messages: readonly ModelMessage[]) =>
    convertToLanguageModelPrompt({
      prompt: { messages: [...messages], system: undefined },
      supportedUrls: { '*/*': [/./] },
      download: undefined,
    } as never) as Promise<Held[]>;

  it.each(STEPS)('writes model messages that the SDK accepts and makes a prompt of: %s', async (step) => {
    const written = run(MESSAGES, ['patch', step], { countTokens });
    for (const message of written) expect(modelMessageSchema.safeParse(message).success).toBe(true);
    await expect(promptOf(written)).resolves.toBeDefined();
  });

  it('hands on bytes and URLs beside a call that goes', () => {
    const written = rewritten(MESSAGES, 'filter:max-tool-calls=1');
    const [, user, assistant] = written;
    expect(user).toBe(MESSAGES[1]);
    expect(assistant.content.map(({ type }: Held) => type)).toEqual(['file', 'text', 'tool-call']);
    expect(assistant.content[0]).toBe(image);
  });

  it('adds lists of parts to a prompt, whose content is never a string', async () => {
    const prompt = await promptOf(run(MESSAGES, ['patch']));
    const steps: StepName[] = [{ transform: 'inject', system: 'Be brief.', user: 'Hurry.' }];
    const written = rewritten(prompt, ...steps);
    expect(written[0].content).toBe('You draw.\n\nBe brief.');
    expect(written.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'Hurry.' }] });
    const chat = [{ role: 'user', content: 'Draw.' }, ...MESSAGES.slice(2, 5)];
    expect(rewritten(chat, ...steps).at(-1)).toEqual({ role: 'user', content: 'Hurry.' });
  });

  it('leaves what the provider ran, and parts that it does not know', () => {
    const prompt = held('vercel-model/prompt-v4.json');
    const parts = rewritten(prompt, 'filter:max-tool-calls=0,everything').flatMap(({ content }) => content);
    expect(parts.flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual(['s1', 's1']);
    expect(parts.map(({ type }) => type)).toEqual(expect.arrayContaining(['custom', 'reasoning-file']));
  });
});

describe('pi', () => {
  it('adds and changes bare messages, with every member that pi gives them', () => {
    const list = held('pi-session/hand-context.json');
    const written = rewritten(list, 'patch', 'truncate:max-length=60,no-minimum');
    expect(written.at(-1)).toEqual({
      role: 'toolResult',
      toolCallId: 'toolu_4',
      toolName: 'read',
      content: [{ type: 'text', text: expect.any(String) }],
      isError: true,
      timestamp: list.at(-1).timestamp,
    });
    const { content, details, ...rest } = written[5];
    expect(details.truncation.content).toBe(content[0].text);
    expect(rest).toEqual((({ content: _, details: __, ...others }) => others)(list[5]));
  });
});

describe('opencode', () => {
  it('changes the parts of calls alone', () => {
    const list = held('opencode/hand-plugin.json');
    const written = rewritten(list, 'truncate:max-length=60,no-minimum');
    const parts = list.flatMap((message) => message.parts);
    const changed = written.flatMap((message) => message.parts).filter((part: Held) => !parts.includes(part));
    expect(changed.map(({ callID }: Held) => callID)).toEqual(['toolu_2', 'toolu_3', 'toolu_5', 'toolu_6']);
    expect(written.map(({ info }, index) => info === list[index].info)).not.toContain(false);
  });
});
