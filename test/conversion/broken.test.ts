/** A broken history is mended for its target, or what is left is named: what `check` finds, `convert` has said. */
import { describe, expect, it } from 'vitest';
import { convert, isWhole, targetNamed } from '../../src/conversion/convert.js';
import { formatNamed, formats } from '../../src/formats/index.js';
import { allRules } from '../../src/rules/index.js';
import { ownProvider } from '../../src/rules/own-provider.js';
import type { Provider } from '../../src/rules/providers.js';
import { rulesFor, runRules, severityOf } from '../../src/rules/run-rules.js';
import { pair } from '../../src/transcript/pairs.js';
import type { Message } from '../../src/transcript/types.js';
import { conversionText } from '../shared/conversion-text.js';
import { cases } from '../shared/effort.js';
import { keepLast } from '../shared/keep-last.js';
import { openText } from '../shared/opened.js';
import { randomHistory } from '../shared/random-histories.js';
import { judged, refused } from '../shared/schemas.js';

const rules = allRules();

/** `HISTORIES=1000 npx vitest run test/conversion/broken.test.ts` tries so many of each format. */
const HISTORIES = cases(6, 20, 'HISTORIES');
const SOURCES = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-contents',
  'bedrock-converse',
  'vercel-model',
];
const FORMATS = formats.filter((entry) => entry.load().encode !== undefined).map(({ id }) => id);
/** Providers whose rules are stricter than those of the format's own. */
const TARGETS = [...FORMATS, 'mistral', 'deepseek', 'openai-compatible', 'minimax', 'azure', 'vertex'];

const histories = SOURCES.map((format) => ({
  format,
  texts: Array.from({ length: HISTORIES }, (_, seed) => JSON.stringify(randomHistory(format, seed + 1))),
}));

/** Errors that `check` finds in the output, as a provider's and as the own provider's of what was written. */
function errorsIn(text: string, format: string, provider: Provider | undefined): string[] {
  const { pieces } = openText(text, { from: format });
  return pieces.flatMap(({ transcripts, record }) =>
    transcripts.flatMap((transcript) =>
      [provider, ownProvider(transcript)].flatMap((judge) => {
        if (judge === undefined) return [];
        const contextUse = () => ({ tokens: 0, window: undefined });
        const options = { provider: judge, asRequest: false, format: formatNamed(format), record, contextUse };
        return runRules(transcript, rulesFor(rules, judge, false), options).flatMap((finding) =>
          severityOf(finding) === 'error' ? [`${finding.rule.id}: ${finding.text}`] : [],
        );
      }),
    ),
  );
}

describe.each(TARGETS)('to %s', (to) => {
  const target = targetNamed(to);
  /** Each history as it goes over, once for all that is asked of it. */
  const converted = keepLast((format: string) => {
    const { texts } = histories.find((one) => one.format === format)!;
    return texts.map((text) => {
      const { transcripts, pieces, detection } = openText(text, { from: format });
      return { text, conversion: convert(transcripts[0]!, detection.format, target, pieces[0]!.record) };
    });
  }, SOURCES.length);

  it.each(histories)('broken histories of $format', ({ format }) => {
    const found = converted(format).flatMap(({ text, conversion }) => {
      const output = conversionText(conversion, true);
      const named = new Set(conversion.faults.map(({ rule }) => rule));
      expect(isWhole(conversion)).toBe(
        named.size === 0 &&
          !conversion.repairs.some(({ lossy }) => lossy) &&
          !conversion.findings.some(({ loss }) => loss),
      );
      const errors = errorsIn(output, target.id, target.provider).filter((error) => !named.has(error.split(': ')[0]!));
      return errors.map((error) => `${error} in ${output} of ${text}`);
    });
    expect(found.slice(0, 2)).toEqual([]);
  });

  // items of its own that the API takes go over as they are
  const changing = histories.filter(({ format }) => format !== target.id || target.traits.piecesStandAlone !== true);
  it.each(changing)('no result of $format without its call, and no call without its result', ({ format }) => {
    const found = converted(format).flatMap(({ text, conversion }) => {
      if (conversion.faults.length > 0) return [];
      const output = conversionText(conversion, true);
      const after = openText(output, { from: target.id }).transcripts[0];
      const { calls, results } = pair(after?.messages ?? []);
      const open = calls.filter((call) => call.results.length !== 1 && call.message < lastReply(after?.messages ?? []));
      const loose = results.filter(({ standing }) => standing === 'orphan' || standing === 'early');
      return open.length + loose.length === 0
        ? []
        : [`${open.length} open, ${loose.length} loose in ${output} of ${text}`];
    });
    expect(found.slice(0, 2)).toEqual([]);
  });

  it.runIf(judged.includes(target.id)).each(histories)('the schema takes what was $format', ({ format }) => {
    const found = converted(format).flatMap(({ text, conversion }) => {
      const value = JSON.parse(conversionText({ json: conversion.record }, true)) as Record<string, unknown[]>;
      return refused(target.id, value[target.encode.messages]!).map((fault) => `${fault} of ${text}`);
    });
    expect(found.slice(0, 2)).toEqual([]);
  });
});

/** Where the last reply begins: its calls may wait for their results. */
function lastReply(messages: readonly Message[]): number {
  const end = messages.findLastIndex(({ role }) => role !== 'tool' && role !== 'meta');
  return messages.slice(0, end + 1).findLastIndex(({ role }) => role !== 'assistant') + 1;
}
