/** Shapes of the field's scanners, each in JSON, too: all are found, and what they test as no secret is none. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { fieldShapes, fileShapes } from './files.js';
import { randomOf } from './random.js';
import { redactedBy } from './redacted.js';
import { noShapes, shapes } from './shapes.js';

const find = createFinder(secretRules, () => false);
const ROUNDS = 5;

function drawn(shape: string, seed: string): string {
  const values = randomOf(seed);
  return shape
    .replaceAll('|', '')
    .replace(/\{(\w+):(\d+)\}/g, (_, name: Parameters<typeof values.text>[0], length) =>
      values.text(name, Number(length)),
    );
}

describe('shapes of other scanners', () => {
  it('are about 200', () => {
    expect(shapes.flatMap((one) => one.shapes).length).toBeGreaterThanOrEqual(200);
  });

  for (const { source, shapes: list } of [...shapes, fileShapes, fieldShapes])
    describe(source, () => {
      for (const shape of list)
        it(shape.replaceAll('\n', ' ').slice(0, 70), () => {
          for (let round = 0; round < ROUNDS; round++) {
            const text = drawn(shape, `${shape} ${round}`);
            const secret = /«(.*)»/s.exec(text)![1]!;
            const plain = text.replace(/[«»]/g, '');
            for (const written of [
              plain,
              JSON.stringify({ a: plain }),
              JSON.stringify({ b: JSON.stringify([plain]) }),
            ]) {
              const output = redactedBy(written, [find], 1 << 14);
              expect(output).not.toContain(secret);
              expect(redactedBy(output, [find], 1 << 14)).toBe(output);
            }
          }
        });
    });
});

describe('takes for none', () => {
  for (const text of noShapes)
    it(text.replaceAll('\n', ' ').slice(0, 70), () => {
      expect(redactedBy(text, [find])).toBe(text);
      expect(redactedBy(JSON.stringify({ text }), [find])).toBe(JSON.stringify({ text }));
    });
});
