/** What the formats' entries say of them, and that their clues change nothing: without any, every format is considered. */
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/formats/index.js';
import type { Detection } from '../../src/source/detect/detection.js';
import { openText } from '../shared/opened.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';

const unclued = formats.map((entry) => ({ ...entry, clues: [], unless: [] }));

describe.each(formats)('$id', ({ id, load }) => {
  it('is what its entry says', () => {
    expect(load().id).toBe(id);
  });
});

it.each([...fixtures(), ...sharedRecordings()])('$name is detected by its clues', ({ bytes }) => {
  expect(told(openText(bytes).detection)).toEqual(told(openText(bytes, { formats: unclued }).detection));
});

function told({ format, ...detection }: Detection): unknown {
  return { ...detection, format: format.id };
}
