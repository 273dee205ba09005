/** Texts without a clue are not searched for errors: no pattern may match one of them. */
import { expect, it } from 'vitest';
import { parse } from '../../src/json/node.js';
import {
  ERROR_PATTERNS,
  ERROR_SAYING,
  errorExcerpt,
  looksLikeError,
  matchesError,
  mayLookLikeError,
} from '../../src/text/error-text.js';
import { joinTexts, textSays } from '../../src/transcript/text.js';
import { openText } from '../shared/opened.js';
import { fixtures, sampled, sharedRecordings } from '../shared/recordings.js';

const ERRORS = [
  ...[
    'Error: x',
    'ValueError: x',
    'an exception: x',
    'FATAL: x',
    'panic]',
    'failure: x',
    '[ERROR] x',
    'errors during x',
  ],
  ...['tool failed', 'request timed out', 'command error', 'Unable to read', 'Traceback (most recent call last)'],
  ...['<tool_error>', 'ENOENT: no file', 'command aborted', '2 validation errors', 'x. Fix the errors and try again.'],
  ...['HTTP/1.1 404 Not Found', '503\tService Unavailable', '{"a": 1, "exception": "x"}', '{"ok" : false}'],
  ...['{"success":false}', '{"isError": true}', '{"status": "failure"}', 'x\nexited with code 1', 'exit_status = 2'],
  ...[
    'return code: 1',
    '<returncode>127',
    'zsh: command not found',
    'ls: no such file or directory',
    'x: Permission denied',
  ],
];

it.each(ERRORS)('%j is an error, however it is spelled', (text) => {
  expect(looksLikeError(text)).toBe(true);
  for (const way of [text, `\n\r\t ${text}`, text.replace(' ', '\n'), text.replace(/[a-z]/, '\u{ff4d}')])
    if (looksLikeError(way)) expect(spelled(way).filter((json) => !mayLookLikeError(json))).toEqual([]);
});

/** A text between the quotes of JSON. */
function spelled(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const latin1 = Buffer.from(json).toString('latin1');
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [latin1, ascii, json.replaceAll('/', '\\/'), json.replace('r', '\\u0072')];
}

const recordings = sampled([...fixtures(), ...sharedRecordings()], 'error-clues');

it('finds the same with and without looking for clues, in all recordings', () => {
  const texts = new Set<string>();
  for (const { bytes } of recordings) {
    try {
      for (const { messages } of openText(bytes).transcripts)
        for (const part of messages.flatMap(({ parts }) => parts))
          if (part.type === 'result') texts.add(errorExcerpt(joinTexts(part.content)));
    } catch {
      // not a recording that opens by itself
    }
  }
  expect(texts.size).toBeGreaterThan(100);
  expect([...texts].filter((text) => looksLikeError(text) !== matchesError(text))).toEqual([]);
  const errors = [...texts].filter(matchesError);
  expect(errors.filter((text) => !spelled(text).every(mayLookLikeError))).toEqual([]);
});

it('finds with patterns for the beginning apart what all patterns together find', () => {
  const together = new RegExp(ERROR_PATTERNS.map((pattern) => `(?:${pattern})`).join('|'), 'iu');
  const shortened = (text: string) => text.normalize('NFKC').replace(/([\s._=-])\1{3,}/g, '$1$1$1');
  const around = (text: string) => ['', '\n', 'x\n', '....', '     ', '= = = ', '{"a":1}\n'].map((head) => head + text);
  const texts = ERRORS.flatMap((text) => [...around(text), ...around(`${text}${'-'.repeat(9)}\n\n\n\n1`)]);
  expect(texts.filter((text) => matchesError(text) !== together.test(shortened(text)))).toEqual([]);
  expect(texts.some(matchesError) && !texts.every(matchesError)).toBe(true);
});

it.each(['An answer. ', '日本語 naïve\n'])('asks long texts at their ends: %j', (filling) => {
  const long = filling.repeat(700);
  for (const text of ERRORS) {
    for (const [whole, isError] of [
      [`${text} ${long}`, looksLikeError(`${text} ${long}`)],
      [`${long}\n${text}`, looksLikeError(`${long}\n${text}`)],
      [`${long}${text}${long}`, false],
    ] as const) {
      const node = parse(JSON.stringify(whole));
      expect(node.excerpt(ERROR_SAYING.characters)).toBe(errorExcerpt(whole));
      expect(textSays(node, ERROR_SAYING)).toBe(isError);
    }
  }
});
