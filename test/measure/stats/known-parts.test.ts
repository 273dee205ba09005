/** What is kept of a file says the same as the file. */
import { expect, it } from 'vitest';
import { type PlacedPart, partsOf, textOfParts } from '../../../src/engine/stats/known-parts.js';
import { recordedPart } from '../../../src/measure/stats/recorded-part.js';
import type { RequestRecord } from '../../../src/measure/stats/request.js';
import { openText } from '../../shared/opened.js';
import { fixtures, sampled, sharedRecordings } from '../../shared/recordings.js';

const NO_PRICES = { prices: undefined, at: undefined };

/** Without what only the reading of a transcript needs. */
function fieldsOf({ line, part }: PlacedPart) {
  const requests = [...part.requests].map((request) => {
    const { running: _, totalOf: __, ...fields } = request as RequestRecord & Record<string, unknown>;
    return fields;
  });
  return { line, part: { ...part, requests } };
}

const RECORDINGS = sampled([...fixtures(), ...sharedRecordings()], 'known-parts');

it('gives back every recorded request of all recordings', () => {
  const counts = { kept: 0, requests: 0, refused: 0 };
  for (const { name, bytes } of RECORDINGS) {
    const parts = openText(bytes).pieces.flatMap(({ line, transcripts }) =>
      transcripts.flatMap((transcript) => {
        const part = recordedPart(transcript, NO_PRICES);
        return part === undefined ? [] : [{ line, part }];
      }),
    );
    const text = textOfParts(parts);
    if (text === undefined) {
      const dependsOnPrices = parts.some(({ part }) =>
        [...part.requests].some(({ isRemainder, recordedCost }) => isRemainder && recordedCost !== undefined),
      );
      expect(dependsOnPrices, name).toBe(true);
      counts.refused++;
      continue;
    }
    expect(text).not.toMatch(/[\n\t]/);
    for (const { part } of partsOf(text)!)
      for (const [index, { key }] of [...part.requests].entries()) {
        expect(part.requests.keyAt?.(index), name).toBe(key);
        expect(part.requests.at(index)?.key, name).toBe(key);
      }
    expect(partsOf(text)!.map(fieldsOf), name).toEqual(parts.map(fieldsOf));
    counts.kept++;
    counts.requests += parts.reduce((sum, { part }) => sum + part.requests.length, 0);
  }
  expect(counts.kept).toBeGreaterThan(20);
  expect(counts.requests).toBeGreaterThan(100);
});

it('gives back tokens of audio, which have other prices', () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    prompt_tokens_details: { audio_tokens: 8 },
    completion_tokens_details: { audio_tokens: 4 },
  };
  const message = { role: 'assistant', content: 'x' };
  const record = { id: 'a', object: 'chat.completion', model: 'gpt-audio', choices: [{ index: 0, message }], usage };
  const [transcript] = openText(JSON.stringify(record)).transcripts;
  const part = recordedPart(transcript!, NO_PRICES)!;
  expect([...part.requests].map((request) => request.usage.media)).toEqual([{ inputAudio: 8, outputAudio: 4 }]);
  const placed = [{ line: 1, part }];
  expect(partsOf(textOfParts(placed)!)!.map(fieldsOf)).toEqual(placed.map(fieldsOf));
});
