/** Random values under names of secrets: of 1,000 of each kind at most 2 in 100 stay. */
import { describe, expect, it } from 'vitest';
import { createFinder } from '../../src/secrets/find.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { ALL } from '../shared/effort.js';
import { randomOf } from './random.js';

const find = createFinder(secretRules, () => false);
/** CTX_TRIM_GRID=5000 tries so many of each kind. */
const VALUES = Number(process.env['CTX_TRIM_GRID'] ?? 1_000);
/** Of each place one kind of so many is tried, another one in the next place. */
const STEP = ALL ? 1 : 5;
const HERE = 'QZherezq';

/** How a value is named; `QZherezq` is the value. */
const NAMED = {
  'an environment': `export API_KEY=${HERE}\n`,
  'a .env file': `DB_PASSWORD=${HERE}\n`,
  'a key of JSON': `{"password": "${HERE}"}`,
  'a key of YAML': `client_secret: ${HERE}\n`,
  'a query': `GET /v1?access_token=${HERE}&page=2`,
  'an option': `deploy --token ${HERE} --force`,
  'a header': `X-Api-Key: ${HERE}\n`,
  authorization: `Authorization: Token ${HERE}\n`,
  'an address': `postgres://app:${HERE}@db.internal/app`,
  'a connection string': `Server=db;Uid=app;Pwd=${HERE};`,
  curl: `curl -s -u app:${HERE} https://api.internal/`,
} as const;

const KINDS = [
  ...[12, 16, 24, 32, 40, 64, 128].map((length) => ['hex', length] as const),
  ...[12, 16, 20, 32, 64, 201, 1_000, 4_096].map((length) => ['alnum', length] as const),
  ...[16, 32, 44].map((length) => ['url', length] as const),
  ...[12, 20].map((length) => ['lower', length] as const),
];

describe('of random values at most 2 in 100 stay', () => {
  for (const [at, [place, text]] of Object.entries(NAMED).entries())
    for (const [index, [alphabet, length]] of KINDS.entries()) {
      if ((at + index) % STEP > 0) continue;
      if (length > 256 && /address|connection|curl/.test(place)) continue;
      it(`in ${place}, ${alphabet} of ${length}`, () => {
        const values = randomOf(`${place} ${alphabet} ${length}`);
        let left = 0;
        const rounds = length > 200 ? VALUES / 10 : VALUES;
        for (let round = 0; round < rounds; round++) {
          const value = values.text(alphabet, length);
          const record = JSON.stringify({ role: 'user', content: `Here:\n${text.replace(HERE, value)}` });
          const bytes = Buffer.from(record);
          const at = record.indexOf(value);
          if (!find(bytes).some(({ start, end }) => start <= at && end >= at + length)) left++;
        }
        expect(left / rounds).toBeLessThanOrEqual(0.02);
      });
    }
});
