import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { beforeAll, beforeEach, onTestFinished, vi } from 'vitest';
const OUT = 'm2-results.tmp';
const R = Number(process.env.M2_REPEATS ?? 10), TRIES = Number(process.env.M2_TRIES ?? 15);
const g = globalThis;
const path = g.__vitest_worker__.filepath.replace(/.*mutants2\//, '');
g.__m2 ??= (() => {
  const all = JSON.parse(readFileSync('/tmp/m2/samples.json', 'utf8')).flat();
  const dead = new Set(); const tries = new Map();
  if (existsSync(OUT)) for (const l of readFileSync(OUT, 'utf8').trim().split('\n').filter(Boolean)) { const o = JSON.parse(l); if (o.killed) dead.add(o.key); if (o.killed === false) dead.delete(o.key); }
  if (existsSync('mutants.tmp')) { const last = new Map(); for (const l of readFileSync('mutants.tmp','utf8').trim().split('\n')) { const o = JSON.parse(l); last.set(o.key, o); } for (const o of last.values()) if (o.outcome !== 'open') dead.add(o.key); }
  return { all, dead, tries, killed: 0, trials: 0 };
})();
const S = g.__m2;
vi.resetModules();
g.__tryMutant({ id: 0, limit: 0 });
let tainted = false;
const only = process.env.M2_ONLY ? new RegExp(process.env.M2_ONLY) : undefined;
beforeAll(({}, suite) => {
  if (!suite) { console.log('no suite'); return; }
  const walk = (t) => { if (t.type === 'suite' || t.tasks) for (const c of t.tasks) walk(c); else if (t.type === 'test') { t.repeats = R; t.retry = 0; } };
  walk(suite.file ?? suite);
});
beforeEach(({ task }) => {
  const st = (task.__m2 ??= { n: 0, list: undefined, counts: undefined, mode: 'base', bad: false });
  const nameOf = (t) => (t.suite?.name ? `${nameOf(t.suite)} > ${t.name}` : t.name);
  const before = task.result.errors?.length ?? 0;
  let id = 0;
  if (st.n > 0) {
    if (st.control !== undefined) { /* a control run */ }
    else {
      id = (!tainted && !st.bad && st.list.find((i) => !S.dead.has(S.all[i - 1].key) && (S.tries.get(i) ?? 0) < TRIES)) || 0;
      if (id === 0) { task.__quit = true; throw new Error('m2: nothing left'); }
      st.list = st.list.filter((i) => i !== id);
    }
  }
  g.__tryMutant({ id, limit: id ? 20000 + 50 * st.counts.get(id) : 0 });
  const begun = process.cpuUsage();
  onTestFinished(() => {
    const failed = (task.result.errors?.length ?? 0) > before;
    const met = g.__met;
    if (st.n === 0) {
      st.bad = failed; st.list = []; st.counts = new Map();
      for (let i = 1; i < met.length; i++) if (met[i] > 0) { const m = S.all[i - 1]; if (only && !only.test(m.file)) continue; st.list.push(i); st.counts.set(i, met[i]); }
      st.list.sort((a, b) => (S.tries.get(a) ?? 0) - (S.tries.get(b) ?? 0));
      const { user } = process.cpuUsage(begun); if (user > 3e6) st.list = st.list.slice(0, 3); else if (user > 1e6) st.list = st.list.slice(0, 5);
    } else if (st.control !== undefined) {
      if (failed) { tainted = true; console.log('TAINTED', path, nameOf(task)); appendFileSync(OUT, JSON.stringify({ key: st.control, killed: false, tainted: path }) + '\n'); S.dead.delete(S.all.find(m => m.key === st.control)?.key); }
      st.control = undefined;
    } else if (met[id] > 0) {
      S.tries.set(id, (S.tries.get(id) ?? 0) + 1); S.trials++;
      if (failed) { const key = S.all[id - 1].key; S.dead.add(key); S.killed++; st.control = key;
        appendFileSync(OUT, JSON.stringify({ key, killed: true, by: `${path}: ${nameOf(task)}: ${String(task.result.errors.at(-1)?.message).split('\n')[0].slice(0, 150)}` }) + '\n'); }
    }
    st.n++;
    g.__tryMutant({ id: 0, limit: 0 });
  });
});
import { afterAll } from 'vitest';
afterAll(() => { console.log(path, 'killed so far', S.killed, 'trials', S.trials); });
