import { appendFileSync, existsSync, readFileSync } from 'node:fs';

const g = globalThis as any;
const OUT = 'm2-results.tmp';
export interface Case {
  name: string;
  run(): string;
}
export function drive(test: string, cases: readonly Case[]) {
  const all = JSON.parse(readFileSync('/tmp/m2/samples.json', 'utf8')).flat();
  const dead = new Set<string>(
    existsSync(OUT)
      ? readFileSync(OUT, 'utf8')
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((l) => JSON.parse(l))
          .filter((o) => o.killed)
          .map((o) => o.key)
      : [],
  );
  if (existsSync('mutants.tmp')) {
    const last = new Map<string, any>();
    for (const l of readFileSync('mutants.tmp', 'utf8').trim().split('\n')) {
      const o = JSON.parse(l);
      last.set(o.key, o);
    }
    for (const o of last.values()) if (['killed', 'timed out', 'invalid'].includes(o.outcome)) dead.add(o.key);
  }
  const tries = new Map<number, number>();
  const safely = (c: Case) => {
    try {
      return c.run();
    } catch (e) {
      return `THROWN ${(e as Error).message}`;
    }
  };
  const start = Date.now();
  let killed = 0,
    trials = 0;
  const deadline = start + Number(process.env['M2_SECONDS'] ?? 300) * 1000;
  for (const c of cases) {
    g.__tryMutant({ id: 0, limit: 0 });
    const base = safely(c);
    const again = safely(c);
    if (base !== again) {
      console.log('unstable', c.name);
      continue;
    }
    g.__tryMutant({ id: 0, limit: 0 });
    safely(c);
    const met: number[] = [];
    for (let id = 1; id < g.__met.length; id++) if (g.__met[id] > 0) met.push(id);
    const counts = new Map(met.map((id) => [id, g.__met[id]]));
    for (const id of met) {
      const m = all[id - 1];
      if (dead.has(m.key) || (tries.get(id) ?? 0) >= Number(process.env['M2_TRIES'] ?? 12)) continue;
      tries.set(id, (tries.get(id) ?? 0) + 1);
      trials++;
      g.__tryMutant({ id, limit: 20000 + 50 * counts.get(id)! });
      const now = safely(c);
      g.__tryMutant({ id: 0, limit: 0 });
      if (now !== base) {
        dead.add(m.key);
        killed++;
        appendFileSync(OUT, JSON.stringify({ key: m.key, killed: true, by: `${test}: ${c.name}` }) + '\n');
        const check = safely(c);
        if (check !== base) {
          console.log('STATE LEFT', m.file, m.line, c.name);
        }
      }
    }
    if (Date.now() > deadline) {
      console.log('deadline at', c.name);
      break;
    }
  }
  for (const [id, n] of tries)
    if (!dead.has(all[id - 1].key))
      appendFileSync(OUT, JSON.stringify({ key: all[id - 1].key, tried: n, test }) + '\n');
  console.log(
    test,
    'cases',
    cases.length,
    'mutants met',
    tries.size,
    'killed',
    killed,
    'trials',
    trials,
    Math.round((Date.now() - start) / 1000),
    's',
  );
}
