import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { fixtures } from '../shared/recordings.js';
import '../../src/index.js';
import '../../src/rules/index.js';
import { formats } from '../../src/formats/index.js';
import '../../src/conversion/convert.js';
import '../../src/conversion/session.js';
import '../shared/rewrite-text.js';
import '../../src/conversion/session-targets.js';

it('x', async () => {
  for (const f of formats) f.load();
  const g = globalThis as any;
  const all = JSON.parse(readFileSync('/tmp/m2/samples.json', 'utf8')).flat();
  const ids = [];
  for (let i = 1; i < g.__met.length; i++) if (g.__met[i] > 0) ids.push(all[i - 1].key);
  writeFileSync('/tmp/m2/loaded.json', JSON.stringify(ids));
  console.log('loaded', ids.length);
});
