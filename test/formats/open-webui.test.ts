/** Chats of Open WebUI: the way to the current message, branches, calls in contents and in `output`, and copies. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unreadIn } from '../../src/source/unread/unread.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part, Transcript } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

interface Node {
  id: string;
  parentId: string | null;
  childrenIds: string[];
  role: string;
  content: string;
  output?: { type: string; content?: { text: string }[]; output?: unknown; code?: string }[];
  files?: unknown[];
  merged?: { content: string };
}
interface Chat {
  params?: { system?: string };
  system?: string;
  history?: { messages: Record<string, Node>; currentId: string | null };
  messages?: Node[];
}
interface Row {
  id: string;
  chat: Chat;
  current_message_id?: string;
}

const FOLDER = 'fixtures/formats/open-webui';
const fixture = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');
const [chats, blocks, output, rows] = [
  'hand-chats.json',
  'hand-blocks.json',
  'hand-output.json',
  'hand-rows.jsonl',
].map(fixture) as [string, string, string, string];
const parsed = (json: string) => [JSON.parse(json)].flat() as Row[];

const said = (part: Part): string => {
  if (part.type === 'call') return `${part.tool}(${textOf(part.input)})`;
  if (part.type === 'result') return `= ${part.content.map(said).join('|')}`;
  return 'text' in part && part.text !== undefined ? textOf(part.text) : part.type;
};
const linesIn = ({ messages }: Transcript) => messages.map(({ role, parts }) => `${role} ${parts.map(said).join('|')}`);
const told = (text: string) => openText(text).transcripts.map((one) => [one.id, ...linesIn(one)]);
const edited = (text: string, change: (messages: readonly Message[]) => readonly Message[], id?: string) =>
  mapText(Buffer.from(text), (one) =>
    id === undefined || one.id === id ? { ...one, messages: change(one.messages) } : one,
  );
const mapParts = (change: (part: Part) => Part[]) => (messages: readonly Message[]) =>
  messages.map((message) => ({ ...message, parts: message.parts.flatMap(change) }));
const masked = mapParts((part) => {
  const mask = <P extends Part>(one: P): P =>
    'text' in one ? { ...one, text: textOf(one.text!).replace(/Lima|22|ctx|joke/gi, '****') } : one;
  if (part.type === 'call') return [{ ...part, input: textOf(part.input).replace(/Lima|22|ctx/gi, '****') }];
  return [part.type === 'result' ? { ...part, content: part.content.map(mask) } : mask(part)];
});
const without = (...texts: string[]) => {
  return (messages: readonly Message[]) =>
    messages.filter(({ parts }) => !texts.some((text) => parts.map(said).join('|').includes(text)));
};

/** Links that no message answers, and copies that differ from the messages. */
function faultsIn({ history, messages = [] }: Chat): string[] {
  const all = history?.messages ?? Object.fromEntries(messages.map((node) => [node.id, node]));
  return [
    ...(history === undefined || (history.currentId ?? '') in all ? [] : ['currentId']),
    ...Object.entries(all).flatMap(([key, { id, parentId, childrenIds }]) => [
      ...(key === id ? [] : [`id of ${key}`]),
      ...(parentId === null || all[parentId]?.childrenIds.includes(key) ? [] : [`parent of ${key}`]),
      ...(childrenIds.every((child) => all[child]?.parentId === key) ? [] : [`children of ${key}`]),
    ]),
    ...messages.flatMap((copy) => (JSON.stringify(copy) === JSON.stringify(all[copy.id]) ? [] : [`copy ${copy.id}`])),
  ];
}
const faults = (json: string) => parsed(json).flatMap(({ chat }) => faultsIn(chat));

describe('a chat', () => {
  it('is the way to its current message; other answers and edits are branches', () => {
    const { detection, transcripts } = openText(chats);
    expect([detection.format.id, detection.confidence]).toEqual(['open-webui', 1]);
    expect(transcripts.map(({ title, model }) => [title, model])).toContainEqual(['Weather in Lima', 'gpt-4.1']);
    expect(told(chats)).toEqual([
      [
        'c-1',
        'system You are a weather service.',
        'user What is the weather in Lima?|media|media',
        'assistant It is 22 °C in Lima, that is 71.6 °F.',
        'user And tomorrow?',
        'assistant ',
        'user Try it again, with 10 % more care.',
        'assistant Tomorrow it will be 23 °C.',
      ],
      ['c-1/b1', 'assistant I cannot look up the weather.'],
      ['c-1/a3', 'user Please try again.', 'assistant I found no forecast.'],
      ['c-2', 'system Be brief.', 'user Name a prime above 100.', 'assistant 101 is one.'],
    ]);
  });

  it('has the usage of each answer; a sum of several requests is that', () => {
    const [main, other, , early] = openText(chats).transcripts;
    const recorded = (one: Transcript, at: number) => one.recorded!(one.messages[at]!);
    expect(recorded(main!, 2)).toMatchObject({
      model: 'gpt-4.1',
      time: 1_764_000_003_000,
      usage: { input: 580, cacheRead: 200, output: 95, reasoning: 12 },
      cost: '0.00192',
    });
    expect(recorded(main!, 4)).toMatchObject({ failed: true });
    expect(recorded(other!, 0)).toMatchObject({ model: 'llama3.1:8b', usage: { input: 26, output: 9 } });
    expect(recorded(early!, 2)).toMatchObject({ usage: { input: 17, output: 6 } });
    const [searched] = openText(output).transcripts;
    expect(recorded(searched!, 1)).toMatchObject({
      model: 'gpt-5-mini',
      usage: { input: 476, cacheRead: 1024, output: 90, reasoning: 10 },
    });
    const [summed] = openText(blocks).transcripts;
    expect(recorded(summed!, 1)!.billing).toEqual({ requests: 4 });
  });

  it.each([
    ['c-1', chats],
    ['c-4', rows],
  ])('in another place is one, too: %s', (id, text) => {
    const [row] = text === rows ? text.split('\n') : [JSON.stringify(parsed(text)[0])];
    expect(told(row!)[0]![0]).toBe(id);
    const { chat } = JSON.parse(row!) as { chat: Chat | string };
    const bare = typeof chat === 'string' ? chat : JSON.stringify(chat);
    expect(told(bare).map(([, ...lines]) => lines)).toEqual(told(row!).map(([, ...lines]) => lines));
  });

  it('is read although a message has no role, or nothing was said in another chat', () => {
    const all = parsed(chats);
    delete (all[0]!.chat.history!.messages['b1'] as { role?: string }).role;
    all.push({ id: 'c-9', chat: { history: { messages: {}, currentId: null }, messages: [] } });
    expect(told(JSON.stringify(all)).map(([id]) => id)).toEqual(['c-1', 'c-1/b1', 'c-1/a3', 'c-2']);
    const empty = JSON.stringify({ id: 'c-9', chat: { history: { messages: {}, currentId: null } } });
    expect(() => openText(empty, { from: 'open-webui' })).toThrow('nothing was said in the chat');
  });

  it('of the AI SDK is none', () => {
    const message = { id: 'm', role: 'user', content: 'Hello' };
    const others = [
      { id: 'c', chat: { messages: [message, { ...message, id: 'n', role: 'assistant' }] } },
      { id: 'c', chat: { id: 'c', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }] } },
      { id: 'c', messages: [message] },
    ];
    for (const other of others) expect(openText(JSON.stringify(other)).detection.format.id).not.toBe('open-webui');
  });

  it('says which texts are in no transcript: merged answers, copies that differ, other roles', () => {
    const unread = (text: string) => {
      const { pieces, detection } = openText(text);
      return pieces
        .map((piece) => unreadIn(piece, detection.format)?.texts ?? 0)
        .reduce((sum, count) => sum + count, 0);
    };
    expect([chats, blocks, output, rows].map(unread)).toEqual([0, 0, 1, 0]);
    const changed = (change: (chat: Chat) => void) => {
      const all = parsed(chats);
      change(all[0]!.chat);
      return JSON.stringify(all);
    };
    expect(unread(changed(({ messages }) => Object.assign(messages![1]!, { content: 'Stale.' })))).toBe(1);
    expect(unread(changed(({ history }) => Object.assign(history!.messages['b1']!, { role: 'tool' })))).toBe(1);
    expect(unread(changed((chat) => Object.assign(chat, { system: 'Another prompt.' })))).toBe(1);
  });
});

describe('an edit', () => {
  it('reaches both copies, and leaves other branches as they were', () => {
    const after = edited(chats, masked, 'c-1').toString();
    expect(faults(after)).toEqual([]);
    const [{ chat }] = parsed(after) as [Row];
    expect(chat.history!.messages['a1']!.content).toBe('It is **** °C in ****, that is 71.6 °F.');
    expect(chat.messages![1]!.content).toBe('It is **** °C in ****, that is 71.6 °F.');
    const branch = (json: string) => /"b1":\{.*?\},"u2"/.exec(json)![0];
    expect(branch(after)).toBe(branch(chats));
  });

  it('that removes messages mends links, pointers and the list', () => {
    const after = edited(chats, without('And tomorrow?', 'Tomorrow'), 'c-1').toString();
    expect(faults(after)).toEqual([]);
    const [{ chat }] = parsed(after) as [Row];
    expect(chat.history!.currentId).toBe('u4');
    expect(chat.messages!.map(({ id }) => id)).toEqual(['u1', 'a1', 'a2', 'u4']);
    expect(chat.history!.messages['u3']!.parentId).toBe('a2');
    expect(chat.history!.messages['a2']!.parentId).toBe('a1');
    const [last] = parsed(edited(output, without('Both jokes'), 'c-3').toString());
    expect([last!.current_message_id, last!.chat.history!.currentId]).toEqual(['m3', 'm3']);
  });

  it('that adds messages links them in, and has a system prompt at the start', () => {
    const text = (words: string): Part => ({ type: 'text', text: words });
    const after = edited(
      output,
      (messages) => [
        { role: 'system', parts: [text('Be kind.')] },
        ...messages.slice(0, 2),
        { role: 'user', parts: [text('Wait.')] },
        { role: 'assistant', parts: [{ type: 'call', callId: 'x', tool: 'wait', input: '{}' }, text('I waited.')] },
        ...messages.slice(2),
      ],
      'c-3',
    ).toString();
    expect(faults(after)).toEqual([]);
    const [{ chat }] = parsed(after) as [Row];
    expect(chat.params).toEqual({ system: 'Be kind.' });
    expect(told(after)[0]!.slice(4, 6)).toEqual(['user Wait.', 'assistant wait({})|I waited.']);
    const early = edited(chats, (messages) => messages.slice(1), 'c-2').toString();
    expect([faults(early), parsed(early)[1]!.chat.system]).toEqual([[], undefined]);
    const one = edited(chats, (messages) => [...messages, { role: 'user', parts: [text('Why?')] }], 'c-1').toString();
    const [{ chat: longer }] = parsed(one) as [Row];
    expect([faults(one), longer.messages!.at(-1)!.id]).toEqual([[], longer.history!.currentId]);
  });

  it('of a row of the database stays JSON in a string', () => {
    const after = edited(rows, masked, 'c-4').toString();
    expect(after).toBe(rows);
    const shorter = edited(rows, (messages) => messages.slice(0, 1), 'c-4')
      .toString()
      .split('\n');
    expect(shorter[1]).toBe(rows.split('\n')[1]);
    const { chat } = JSON.parse(shorter[0]!) as { chat: string };
    expect(faultsIn(JSON.parse(chat) as Chat)).toEqual([]);
    expect((JSON.parse(chat) as Chat).history!.currentId).toBe('q1');
  });

  it('that leaves nothing of the way goes on with another branch', () => {
    const after = edited(chats, (messages) => messages.slice(0, 1), 'c-1').toString();
    expect(faults(after)).toEqual([]);
    expect(told(after).map(([, ...lines]) => lines)).toContainEqual([
      'system You are a weather service.',
      'user Please try again.',
      'assistant I found no forecast.',
    ]);
  });

  it('that adds to a chat with nothing but its system prompt is shown there', () => {
    const chat = { params: { system: 'Be kind.' }, history: { messages: {}, currentId: null }, messages: [] };
    const text = JSON.stringify({ id: 'c-9', title: 'New', chat });
    expect(told(text)).toEqual([['c-9', 'system Be kind.']]);
    const said: readonly Message[] = ['Hi.', 'And?'].map((words) => ({
      role: 'user',
      parts: [{ type: 'text', text: words }],
    }));
    const after = edited(text, (messages) => [...messages, ...said]).toString();
    expect([faults(after), told(after)]).toEqual([[], [['c-9', 'system Be kind.', 'user Hi.', 'user And?']]]);
    const { chat: written } = parsed(after)[0]!;
    expect(Object.keys(written.history!.messages).at(-1)).toBe(written.history!.currentId);
  });

  it('of a long chat takes time by its size', () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `n${at}`);
    const messages = ids.map((id, at) => {
      const links = { parentId: ids[at - 1] ?? null, childrenIds: ids.slice(at + 1, at + 2) };
      return [id, { id, ...links, role: at % 2 === 0 ? 'user' : 'assistant', content: `word ${at}` }];
    });
    const chat = { history: { messages: Object.fromEntries(messages) as object, currentId: ids.at(-1) } };
    const start = performance.now();
    const after = edited(JSON.stringify({ id: 'c', chat }), (all) => all.slice(100)).toString();
    expect(performance.now() - start).toBeLessThan(12_000);
    expect(faults(after)).toEqual([]);
  });

  it('reads files as the client shows them: as an image by its type or by that of its content', () => {
    const files = [{ type: 'image' }, { type: 'file', content_type: 'image/png' }, { content_type: 'text/csv' }, {}];
    const [chat] = parsed(chats);
    chat!.chat.history!.messages['u1']!.files = files;
    const media = openText(JSON.stringify(chat)).transcripts[0]!.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'media' ? [part.kind] : [])),
    );
    expect(media).toEqual(['image', 'image', 'file', 'file']);
  });

  it('keeps a content that is a list one, with its images', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const [chat] = parsed(chats);
    for (const node of [chat!.chat.history!.messages['u1']!, chat!.chat.messages![0]!])
      Object.assign(node, { content: [{ type: 'text', text: 'Lima?' }, image], files: [] });
    const contentOf = (json: string) => parsed(json)[0]!.chat.history!.messages['u1']!.content;
    const media = openText(JSON.stringify(chat)).transcripts[0]!.messages[1]!.parts[1];
    expect(media).toMatchObject({ type: 'media', kind: 'image' });
    const after = edited(JSON.stringify(chat), masked, 'c-1').toString();
    expect(contentOf(after)).toEqual([{ type: 'text', text: '****?' }, image]);
    const bare = edited(
      JSON.stringify(chat),
      mapParts((part) => (part.type === 'media' ? [{ type: 'text', text: 'An image.' }] : [part])),
      'c-1',
    ).toString();
    expect(contentOf(bare)).toEqual([
      { type: 'text', text: 'Lima?' },
      { type: 'text', text: 'An image.' },
    ]);
  });

  it('takes files away', () => {
    const after = edited(
      chats,
      mapParts((part) => (part.type === 'media' && said(part) ? [] : [part])),
      'c-1',
    );
    const [{ chat }] = parsed(after.toString()) as [Row];
    expect([chat.history!.messages['u1']!.files, chat.messages![0]!.files]).toEqual([[], []]);
  });
});

describe('calls, reasoning and code in a content', () => {
  const [, first, , second, , third] = told(blocks)[0] as string[];

  it('are read from their HTML, but not where it is quoted', () => {
    expect([first, second, third]).toEqual([
      'user What is the weather in Lima?',
      'user And tomorrow?',
      'user How did you do that?',
    ]);
    const lines = told(blocks)[0] as string[];
    expect(lines[2]).toBe(
      'assistant The user wants <the> weather.\nI call the tool.|I look it up.|' +
        'get_weather({"city": "Lima", "unit": "C"})|= {"temp": 22, "sky": "cloudy & \'grey\'"}|' +
        'get_time({"city": "Lima"})|= 14:05|code_interpreter(print(22 * 9 / 5 + 32))|= {"stdout": "71.6"}|' +
        'It is 22 °C in Lima, that is 71.6 °F.',
    );
    expect(lines[4]).toBe('assistant get_forecast({"city":"Lima","days":1})|= {"temp": 23}|Tomorrow it will be 23 °C.');
    expect(lines[6]).toMatch(/^assistant I wrote:\n```html\n<details type="tool_calls".*\n```\nThat is all\.$/s);
  });

  it('stay HTML after an edit, and the rest keeps its bytes', () => {
    const after = edited(blocks, masked).toString();
    const [{ chat }] = parsed(after) as [Row];
    expect([faultsIn(chat), chat.messages![1]!.output]).toEqual([[], undefined]);
    expect(chat.messages![1]!.content).not.toMatch(/Lima|22/);
    expect(chat.messages![1]!.content).toContain('arguments="&quot;{\\&quot;city\\&quot;: \\&quot;****\\&quot;');
    expect(chat.messages![1]!.content).toContain('files="" embeds="&quot;&quot;">\n<summary>Tool Executed</summary>');
    expect(told(after)[0]![2]).toBe((told(blocks)[0]![2] as string).replace(/Lima|22/g, '****'));
  });

  it('go with their HTML; a result alone has a place in `output`', () => {
    const gone = edited(
      blocks,
      mapParts((part) => (part.type === 'text' ? [part] : [])),
    ).toString();
    const [{ chat }] = parsed(gone) as [Row];
    expect(chat.messages![1]!.content).toBe('I look it up.\nIt is 22 °C in Lima, that is 71.6 °F.');
    const alone = edited(
      blocks,
      mapParts((part) => (part.type === 'call' ? [] : [part])),
    ).toString();
    expect(parsed(alone)[0]!.chat.messages![1]!.output!.map(({ type }) => type)).toContain('function_call_output');
    expect(told(alone)[0]![2]).toBe((told(blocks)[0]![2] as string).replace(/\w+\([^|]*\)\|(?==)/g, ''));
  });

  it('are no calls where a text only looks like them', () => {
    const quoted =
      '<details type="tool_calls" done="true" id="x" name="y" arguments="">\n<summary>z</summary>\n</details>\n';
    const after = edited(
      chats,
      mapParts((part) => (part.type === 'text' ? [{ ...part, text: quoted }] : [part])),
      'c-1',
    );
    expect(told(after.toString())[0]![3]).toBe(`assistant ${quoted}`);
  });

  it('take the result that was missing into their block', () => {
    const pending =
      'I look.\n<details type="tool_calls" done="false" id="p" name="wait" arguments="&quot;{}&quot;">\n' +
      '<summary>Executing...</summary>\n</details>\n';
    const after = edited(
      chats.replaceAll('"It is 22 °C in Lima, that is 71.6 °F."', JSON.stringify(pending)),
      (messages) =>
        messages.map((message) => {
          const at = message.parts.findIndex(({ type }) => type === 'call');
          const result: Part = { type: 'result', callId: 'p', content: [{ type: 'text', text: 'It "waited".' }] };
          return at < 0 ? message : { ...message, parts: message.parts.toSpliced(at + 1, 0, result) };
        }),
      'c-1',
    ).toString();
    expect(parsed(after)[0]!.chat.history!.messages['a1']).toMatchObject({
      content:
        'I look.\n<details type="tool_calls" done="true" id="p" name="wait" arguments="&quot;{}&quot;" ' +
        'result="&quot;It \\&quot;waited\\&quot;.&quot;">\n<summary>Tool Executed</summary>\n</details>\n',
    });
    expect(parsed(after)[0]!.chat.history!.messages['a1']!.output).toBeUndefined();
  });

  it('take time by their size', () => {
    const open = '<details type="reasoning" done="true">\n<summary>a</summary>\n';
    const chat = JSON.parse(blocks) as Row;
    chat.chat.history!.messages['k2']!.content = open.repeat(40_000);
    const start = performance.now();
    openText(JSON.stringify(chat));
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('`output`', () => {
  it('is read before the content, which follows it', () => {
    expect((told(output)[0]![2] as string).replace(/\s+/g, ' ')).toBe(
      'assistant Two searches.|I search.|search_web({"query":"ctx"})|fetch_url({"url":"https://example.com"})|' +
        '= [{"title":"A"}]|= Example Domain|media|code_interpreter(print(1))|= { "stdout": "1" }|' +
        'I found A.| That is all.',
    );
    const after = edited(
      output,
      mapParts((part) => (part.type === 'text' ? [{ ...part, text: 'Other.' }] : [part])),
    );
    const node = parsed(after.toString())[0]!.chat.history!.messages['m2']!;
    expect(node.content).toBe('Other.\nOther.Other.');
    expect(node.output!.map(({ type }) => type)).toEqual(
      parsed(output)[0]!.chat.history!.messages['m2']!.output!.map(({ type }) => type),
    );
  });

  it('shows each item in its block, with what only the block says', () => {
    const block = (type: string, attributes: string, summary: string, body = '') =>
      `<details type="${type}" ${attributes}>\n<summary>${summary}</summary>\n${body}</details>\n`;
    const shown = (city: string, temperature: string) =>
      block('reasoning', 'done="true" duration="12"', 'Thought for 12 seconds', `&gt; ${city}?\n&gt; I call.\n`) +
      `I look it up in ${city}.\n` +
      block(
        'tool_calls',
        `done="true" id="a" name="look" arguments="&quot;${city}&quot;" ` +
          `result="&quot;${temperature} °C&quot;" files="[{&quot;url&quot;: &quot;/f&quot;}]" embeds="&quot;&quot;"`,
        'Tool Executed',
      ) +
      block('tool_calls', 'done="false" id="b" name="wait" arguments="&quot;{}&quot;"', 'Executing...') +
      block('code_interpreter', 'done="true" output="&quot;1&quot;"', 'Analyzed', '```js\n1\n```\n').trim();
    const row = parsed(output)[0]!;
    const text = (words: string) => [{ type: 'output_text', text: words }];
    Object.assign(row.chat.history!.messages['m2']!, {
      content: shown('Lima', '22'),
      output: [
        { type: 'reasoning', summary: text('Lima?\nI call.'), content: text('The raw thought.') },
        { type: 'message', role: 'assistant', content: text('I look it up in Lima.') },
        { type: 'function_call', call_id: 'a', name: 'look', arguments: 'Lima' },
        { type: 'function_call_output', call_id: 'a', output: text('22 °C'), files: [{ url: '/f' }] },
        { type: 'function_call', call_id: 'b', name: 'wait', arguments: '{}' },
        { type: 'open_webui:code_interpreter', id: 'c', code: '1', output: '1' },
        { type: 'message', role: 'assistant', content: text(' ') },
      ],
    });
    const contentOf = (json: string) => parsed(json)[0]!.chat.history!.messages['m2']!.content;
    expect(contentOf(edited(JSON.stringify(row), masked).toString())).toBe(shown('****', '****'));
    const noReasoning = edited(
      JSON.stringify(row),
      mapParts((part) => (part.type === 'thinking' ? [] : [part])),
    ).toString();
    expect(contentOf(noReasoning)).toBe(shown('Lima', '22').replace(/^.*?<\/details>\n/s, ''));
    const added: Part = { type: 'thinking', text: 'And?' };
    const longer = edited(JSON.stringify(row), (messages) =>
      messages.map((one) => (one.parts.length > 2 ? { ...one, parts: [...one.parts, added] } : one)),
    ).toString();
    const last = block('reasoning', 'done="true" duration="0"', 'Thought for 0 seconds', '&gt; And?\n').trim();
    expect(contentOf(longer)).toBe(`${shown('Lima', '22')}\n${last}`);
  });

  it('does not replace a content that says more', () => {
    const damaged = output.replace('That is all.', 'Not all.');
    const after = edited(
      damaged,
      mapParts((part) => (part.type === 'call' || part.type === 'result' ? [] : [part])),
    );
    expect(after.toString()).toContain('Not all.');
  });

  it.each(['2', '"q"', '{"stdout":"2"}'])('keeps code as an item of its own: %s', (result) => {
    const change = mapParts((part) => {
      if (part.type === 'call' && part.tool === 'code_interpreter') return [{ ...part, input: 'print(2)' }];
      return part.type === 'result' && part.callId === 'ci_1'
        ? [{ ...part, content: [{ type: 'text', text: result }] }]
        : [part];
    });
    const after = edited(output, change).toString();
    const node = parsed(after)[0]!.chat.history!.messages['m2']!;
    expect(node.output!.map(({ code }) => code).filter(Boolean)).toEqual(['print(2)']);
    expect(told(after)[0]![2]).toContain(`code_interpreter(print(2))|= ${result}|I found A.`);
  });

  it('gives way to what several answers were merged to', () => {
    const node = parsed(edited(output, masked, 'c-3').toString())[0]!.chat.history!.messages['m4']!;
    expect([node.merged!.content, node.content]).toEqual(['Both ****s: one and two.', 'Joke one.']);
  });
});
