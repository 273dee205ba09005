import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { globSync } from 'tinyglobby';
import { mutantsOf } from './bench/mutants/mutate.mjs';
const seed = process.argv[2], what = process.argv[3] ?? 'open';
const kept = new Map(readFileSync('mutants.tmp','utf8').trim().split('\n').map(JSON.parse).map(({key,...a})=>[key,a]));
const files = globSync(['json','transcript','transforms','formats','source','rules','secrets','conversion','measure/stats'].map(f=>`src/${f}/**/*.ts`), {ignore:['src/json/assembly/**','**/*.static.ts','src/json/code.ts']}).sort();
const keyOf = ({file,before,after,same}) => createHash('sha1').update(JSON.stringify([seed,file,before,after,same])).digest('hex');
let n=0; const counts={};
for (const f of files) for (const m of mutantsOf(f, readFileSync(f,'utf8'))) { const one=kept.get(keyOf(m)); if (!one) continue; counts[one.outcome]=(counts[one.outcome]??0)+1; if (one.outcome===what) console.log(`${++n} ${m.file}:${m.line} ${one.step??''} ${one.by??''}\n  ${m.before.slice(0,160)}\n  ${m.after.slice(0,160)}`); }
console.log(counts);
