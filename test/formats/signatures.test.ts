/** Registry entries match their formats, and signatures never change detection: without any, every format is tried. */
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/formats/index.js';
import type { Detection } from '../../src/source/detect/detection.js';
import { openText } from '../shared/opened.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';

const withoutSignatures = formats.map((entry) => ({ ...entry, signatures: [], unless: [] }));

describe.each(formats)('$id', ({ id, load }) => {
  it('has the id of its entry', () => {
    expect(load().id).toBe(id);
  });
});

it.each([...fixtures(), ...sharedRecordings()])(
  '$name is detected the same with and without signatures',
  ({ bytes }) => {
    expect(comparable(openText(bytes).detection)).toEqual(
      comparable(openText(bytes, { formats: withoutSignatures }).detection),
    );
  },
);

function comparable({ format, ...detection }: Detection): unknown {
  return { ...detection, format: format.id };
}
