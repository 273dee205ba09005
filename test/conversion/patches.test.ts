/** Patches of apply_patch: what is written reads back, and what other writers leave out is nothing amiss. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addingPatch, patchedFile, updatingPatch } from '../../src/conversion/patches.js';
import { runs } from '../shared/random-runs.js';

const text = fc.array(fc.constantFrom('a', ' b', '+c', '-d', '', '@@'), { minLength: 1, maxLength: 4 });
const joined = text.map((lines) => lines.join('\n'));

it('a patch of edits reads back as these edits, at no place in particular', () => {
  const edits = fc.array(fc.record({ old: joined, new: joined }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(edits, (all) => {
      expect(patchedFile(updatingPatch('src/a b.ts', all))).toEqual({ path: 'src/a b.ts', edits: all, places: [] });
    }),
    runs(1 / 10),
  );
});

it('a patch that adds a file reads back as its lines, each of them ended', () => {
  fc.assert(
    fc.property(joined, (content) => {
      const ended = content === '' || content.endsWith('\n') ? content : `${content}\n`;
      expect(patchedFile(addingPatch('a', content))).toEqual({ path: 'a', content: ended });
    }),
    runs(1 / 10),
  );
});

const update = (...lines: string[]) =>
  patchedFile(['*** Begin Patch', '*** Update File: a', ...lines, '*** End Patch'].join('\n'));

it.each([
  [['-x', '+y'], [{ old: 'x', new: 'y' }], []],
  [['@@', '-x'], [{ old: 'x', new: '' }], []],
  [
    ['@@ class A', '-x', '+y', '@@', '+z'],
    [
      { old: 'x', new: 'y' },
      { old: '', new: 'z' },
    ],
    ['@@ class A'],
  ],
  [['@@', ' a', '-b', '', ' c'], [{ old: 'a\nb\n\nc', new: 'a\n\nc' }], []],
])('%j: %j at %j', (lines, edits, places) => {
  expect(update(...lines)).toEqual({ path: 'a', edits, places });
});

it.each([[[]], [['x']], [['*** Move to: b', '-x']], [['-x', '*** Update File: b', '-y']]])(
  '%j is no edit of one file',
  (lines) => {
    expect(update(...lines)).toBeUndefined();
  },
);
