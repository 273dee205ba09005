/** Promises 1 to 5 over random recordings, every transform, and any combination of its options. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultsOf } from '../../src/options/option.js';
import { guardOf } from '../../src/policy/guard.js';
import { changesBetween } from '../../src/transcript/compare.js';
import { pair } from '../../src/transcript/pairs.js';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { Part, Transcript } from '../../src/transcript/types.js';
import { transformNamed, transforms } from '../../src/transforms/index.js';
import { applySteps, type Step } from '../../src/transforms/pipeline.js';
import { requestTokens } from '../../src/transforms/request.js';
import { isJson } from '../shared/is-json.js';
import { chatOf, complaints, type Judged, judged } from '../shared/judge.js';
import { lawful } from '../shared/lawful.js';
import { openText, sourceOf } from '../shared/opened.js';
import { brokenMessages, idlessContents, recording, spell, spelling, validMessages } from '../shared/random-chat.js';
import { runs } from '../shared/random-runs.js';
import { CHARACTERS, rewriteText } from '../shared/rewrite-text.js';
import { trialsOf, unmeant } from '../shared/trials.js';
import { faultsOf } from '../shared/valid-chat.js';

type Values = Readonly<Record<string, unknown>>;

/** Of each option: absent, or one of these. */
function some(options: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<Values> {
  return fc.record(
    Object.fromEntries(Object.entries(options).map(([key, values]) => [key, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  );
}

const tools = { tool: [['search*'], ['read', 'search']], excludeTool: [['read'], ['{search,x}']] };
const lang = ['en', 'zh', 'ja'];
const CHOSEN: Readonly<Record<string, fc.Arbitrary<Values>>> = {
  patch: some({
    lang,
    placeholder: ['auto'],
    orphan: ['keep', 'text'],
    late: ['drop', 'keep'],
    duplicate: ['last', 'keep'],
    pending: ['keep', 'drop'],
    template: ['{tool} {id} {args}', ''],
    ...tools,
  }),
  filter: fc
    .tuple(
      fc.integer({ min: 0, max: 5 }),
      some({
        unit: ['round'],
        scope: ['history'],
        pending: ['drop'],
        dropUser: [true],
        marker: [true],
        every: [2, 3],
        ...tools,
      }),
    )
    .map(([maxToolCalls, more]) => ({ ...more, maxToolCalls })),
  truncate: some({
    maxLength: [0, 500, 1000, 1200],
    unit: ['bytes', 'tokens'],
    keep: ['tail', 'both'],
    toolLength: [[['search*', 1100]]],
    preset: [['calculator'], ['api=search,calculator=read*']],
    for: ['2k'],
    lang,
    ...tools,
  }).chain((values) =>
    fc.constantFrom(
      values,
      { ...values, maxLength: 70, noMinimum: true },
      { ...values, maxLength: 3, noMinimum: true },
    ),
  ),
  clear: some({
    trigger: [0, 200, 3000],
    keep: [0, 1, 2],
    clearAtLeast: [50, 2000],
    clearInputs: [true],
    text: ['-', ''],
    every: [2, 3],
    lang,
    ...tools,
  }),
  dedupe: some({ ignoreArg: [['q'], ['q', 'n']], every: [2, 3], lang, ...tools }),
  stale: some({
    reads: [true],
    edits: [true],
    pathArg: [['read=q'], ['read=q', 'search_web=q']],
    editPathArg: [['search=q'], ['search_web=q']],
    every: [2, 3],
    lang,
    ...tools,
  }),
  retries: some({ drop: [true], sameArg: [['search=q']], every: [2], lang, ...tools }),
  prune: some({ reasoning: [true], images: [true], empty: [true], records: [true], scope: ['history'], lang }),
  fit: fc
    .tuple(
      fc.constantFrom(0, 100, 500, 1500, 4000),
      some({ strategy: ['first'], everything: [true], unit: ['round'], lowWater: [0.3, 0.7] }),
    )
    .map(([maxTokens, more]) => ({ ...more, maxTokens })),
  strip: some({
    keepText: [true],
    keepToolNames: [true],
    retryPrompt: [true, 'Try again.', '{tools}', 'Not {tools}.'],
    lang,
    ...tools,
  }),
  // Without rules whose text counts from the last failure: an answer of the guard is one, so a second run counts anew.
  guard: some({ lang }).map((values) => ({ ...values, policy: GUARD })),
};
const GUARD = guardOf({
  version: 1,
  rules: [
    { id: 'a', type: 'max_calls', tool: '*', max: 2 },
    { id: 'b', type: 'denied_tools', tools: ['read'] },
  ],
});

/** Every transform; without chosen options, those of its fixture cases. */
const OPTIONS: Readonly<Record<string, fc.Arbitrary<Values>>> = Object.fromEntries(
  transforms.map(({ id }) => [id, CHOSEN[id] ?? fc.constantFrom(...trialsOf(id).map(([, options]) => options))]),
);

/** Lines of which none is left are an empty file, and that is no recording: such a case is left out. */
function somethingOf(output: string): string {
  fc.pre(output !== '');
  return output;
}

const anyRecording = fc.oneof(recording(validMessages), recording(brokenMessages));
const anyStep = fc
  .constantFrom(...Object.keys(OPTIONS))
  .chain((id) => OPTIONS[id]!.map((options) => [id, options] as const));

describe.each(Object.keys(OPTIONS))('%s', (id) => {
  it('respells nothing that it does not change, breaks nothing that was valid, and gives the same bytes again', () => {
    const check = (text: string, options: Values) => {
      const output = somethingOf(rewriteText(text, id, options));
      const [before, after] = [judged(text), judged(output, 'openai-chat')];
      lawful(unmeant(id, complaints(before, after)));
      expect(rewriteText(output, id, options)).toBe(output);
      expect(rewriteText(text, id, options)).toBe(output);
      const said = ({ opened }: Judged) => JSON.stringify(opened.transcripts.map(chatOf));
      if (said(before) === said(after)) expect(output).toBe(text);
    };
    fc.assert(fc.property(anyRecording, OPTIONS[id]!, check), runs(1 / 50));
  });

  it('holds to that without ids too', () => {
    const spelled = fc.tuple(idlessContents, spelling).map(([contents, how]) => spell(contents, how));
    const check = (text: string, options: Values) => {
      const output = somethingOf(rewriteText(text, id, options));
      lawful(unmeant(id, complaints(judged(text), judged(output, 'gemini-contents'))));
      expect(rewriteText(output, id, options)).toBe(output);
    };
    fc.assert(fc.property(spelled, OPTIONS[id]!, check), runs(1 / 50));
  });

  it('has every dropped, changed and added message told of', () => {
    const check = (text: string, options: Values) => {
      for (const before of openText(text).transcripts) {
        const after = applySteps(before, [stepOf(id, options)], CHARACTERS);
        const changes = changesBetween(before.messages, after.messages);
        const told = (side: 'before' | 'after') =>
          changes
            .flatMap((change) => (side in change ? [(change as Record<string, unknown>)[side] as number] : []))
            .sort((a, b) => a - b);
        expect(told('before')).toEqual(before.messages.map((_, index) => index));
        expect(told('after')).toEqual(after.messages.map((_, index) => index));
        for (const change of changes)
          if (change.kind === 'kept')
            expect(sourceOf(after.messages[change.after]!)).toBe(sourceOf(before.messages[change.before]!));
        if (changes.every(({ kind }) => kind === 'kept')) expect(after).toBe(before);
      }
    };
    fc.assert(fc.property(anyRecording, OPTIONS[id]!, check), runs(1 / 50));
  });
});

it('patch makes every transcript valid', () => {
  const mending = OPTIONS['patch']!.map((options) =>
    Object.fromEntries(
      Object.entries(options).filter(([key, value]) => value !== 'keep' && key !== 'tool' && key !== 'excludeTool'),
    ),
  );
  fc.assert(
    fc.property(recording(brokenMessages), mending, (text, options) => {
      for (const transcript of openText(somethingOf(rewriteText(text, 'patch', options)), { from: 'openai-chat' })
        .transcripts)
        lawful(faultsOf(chatOf(transcript)));
    }),
    runs(1 / 25),
  );
});

it('patch leaves every valid transcript as it is', () => {
  fc.assert(
    fc.property(recording(validMessages), OPTIONS['patch']!, (text, options) => {
      expect(rewriteText(text, 'patch', options)).toBe(text);
    }),
    runs(1 / 50),
  );
});

describe('what each step leaves', () => {
  const each = (id: string, check: (before: Transcript, after: Transcript, options: Values) => void) => {
    it(id, () => {
      const property = fc.property(anyRecording, OPTIONS[id]!, (text, options) => {
        for (const before of openText(text).transcripts)
          check(before, applySteps(before, [stepOf(id, options)], CHARACTERS), options);
      });
      fc.assert(property, runs(1 / 50));
    });
  };
  /** The first result of each call, in the order of the calls. */
  const resultsIn = ({ messages }: Transcript) =>
    pair(messages).calls.flatMap(({ part: { tool, input }, results: [result] }) =>
      result === undefined
        ? []
        : [
            {
              key: `${tool} ${textOf(input) || '{}'}`,
              message: result.message,
              text: joinTexts(result.part.content),
              isText: result.part.content.every(({ type }) => type === 'text'),
            },
          ],
    );
  const longer = (was: ReturnType<typeof resultsIn>, is: ReturnType<typeof resultsIn>) =>
    is.filter(({ text }, index) => was[index]!.isText && text.length > was[index]!.text.length);

  each('clear', (before, after, { keep = 3, trigger = 100_000 }) => {
    const [was, is] = [before, after].map((transcript) =>
      resultsIn(transcript).sort((a, b) => a.message - b.message),
    ) as [ReturnType<typeof resultsIn>, ReturnType<typeof resultsIn>];
    expect(is.length).toBe(was.length);
    lawful(longer(was, is));
    const newest = Math.max(0, was.length - (keep as number));
    expect(is.slice(newest).map(({ text }) => text)).toEqual(was.slice(newest).map(({ text }) => text));
    if (requestTokens(before, CHARACTERS) <= (trigger as number)) expect(after).toBe(before);
  });

  each('dedupe', (before, after, { ignoreArg }) => {
    const [was, is] = [resultsIn(before), resultsIn(after)];
    lawful(longer(was, is));
    if (ignoreArg !== undefined) return;
    const last = (results: typeof was) => Object.fromEntries(results.map(({ key, text }) => [key, text]));
    expect(last(is)).toEqual(last(was));
  });

  each('stale', (before, after) => {
    const [was, is] = [resultsIn(before), resultsIn(after)];
    lawful(longer(was, is));
    const inputs = (transcript: Transcript) =>
      pair(transcript.messages).calls.map(({ part }) => textOf(part.input).length);
    inputs(after).forEach((length, index) => {
      expect(length).toBeLessThanOrEqual(inputs(before)[index]!);
    });
  });

  each('retries', (before, after, { drop }) => {
    const [was, is] = [resultsIn(before), resultsIn(after)];
    if (drop) for (const { text } of is) expect(was.map((result) => result.text)).toContain(text);
    else lawful(longer(was, is));
  });

  each('fit', (before, after, options) => {
    const { maxTokens, everything, strategy } = options as {
      maxTokens: number;
      everything?: boolean;
      strategy?: string;
    };
    const step = stepOf('fit', options);
    const told: string[] = [];
    applySteps(before, [step], CHARACTERS, (text) => told.push(text));
    expect(told.length > 0).toBe(requestTokens(after, CHARACTERS) > maxTokens);
    if (requestTokens(before, CHARACTERS) <= maxTokens) expect(after).toBe(before);
    const spoken = before.messages.filter(({ role }) => role !== 'meta');
    for (const message of spoken.slice(
      0,
      spoken.findIndex(({ role }) => role !== 'system'),
    ))
      expect(after.messages).toContain(message);
    const first = before.messages.find(({ role }) => role === 'user');
    if (!everything && first !== undefined) expect(after.messages).toContain(first);
    const end = spoken.at(strategy === 'first' ? 0 : -1);
    if (end !== undefined) expect(after.messages).toContain(end);
    for (const { part, results } of pair(before.messages).calls) {
      const stays = (searched: Part) => after.messages.some(({ parts }) => parts.includes(searched));
      for (const result of results) expect(stays(result.part)).toBe(stays(part));
    }
  });

  each('prune', (_, after, { reasoning, images, empty, scope }) => {
    if (scope === 'history') return;
    const parts = after.messages.flatMap((message) =>
      message.parts.flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part])),
    );
    if (reasoning) lawful(parts.filter(({ type }) => type === 'thinking'));
    if (images) lawful(parts.filter(({ type }) => type === 'media'));
    if (empty)
      expect(
        after.messages.filter(
          ({ role, parts: said }) =>
            role !== 'meta' && !said.some((part) => part.type !== 'text' || textOf(part.text) !== ''),
        ),
      ).toEqual([]);
  });
});

it('a run of steps is its steps one after the other', () => {
  fc.assert(
    fc.property(anyRecording, fc.array(anyStep, { minLength: 2, maxLength: 4 }), (text, steps) => {
      const before = judged(text);
      const output = steps.reduce((now, [id, options]) => {
        if (isRows(text)) fc.pre(isRows(now)); // one message alone in a file is a reply: nothing is added to it
        return somethingOf(rewriteText(now, id, options));
      }, text);
      const together = openText(text).transcripts.map((transcript) =>
        applySteps(
          transcript,
          steps.map(([id, options]) => stepOf(id, options)),
          CHARACTERS,
        ),
      );
      const after = judged(output, 'openai-chat');
      expect(together.map(({ messages }) => messages.map(({ role }) => role))).toEqual(
        after.opened.transcripts.map(({ messages }) => messages.map(({ role }) => role)),
      );
      lawful(complaints(before, after));
    }),
    runs(1 / 50),
  );
});

/** Whether each message stands on a line of its own, and there are several. */
function isRows(text: string): boolean {
  const lines = text.trim().split('\n');
  return lines.length > 1 && lines.every(isJson);
}

function stepOf(id: string, options: Values): Step {
  const transform = transformNamed(id);
  return { transform, values: { ...defaultsOf(transform.options), ...options } as Step['values'] };
}

it('gives the same bytes again where two results stand before the call they answer', () => {
  const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  const messages = [
    { role: 'user', content: 'go' },
    result('a', '1'),
    result('a', '2'),
    { role: 'assistant', content: null, tool_calls: [call('a', 'read'), call('b', 'search')] },
    result('b', '3'),
    result('a', '4'),
    { role: 'assistant', content: null, tool_calls: [call('a', 'search')] },
  ];
  const options = { late: 'drop', pending: 'keep', excludeTool: ['read'] };
  const once = rewriteText(JSON.stringify(messages), 'patch', options);
  expect(rewriteText(once, 'patch', options)).toBe(once);
});
