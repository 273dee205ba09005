/**
 * What a framework has to do with our hooks: each scenario runs once without and once with them. Each request has to be
 * what `run` makes of the same request without them, byte for byte, with as many calls as `simulate` says.
 */
import { randomFrom, randomHistory, resultsOf, script } from './turns.mjs';

export const STEPS = ['patch', 'filter:max-tool-calls=6', 'stale', 'truncate:max-length=2500'];
/** The same for `run` and `simulate`, which have another default, and which nobody tells the model here. */
const pacedBy = (cache) => [
  'patch',
  `filter:max-tool-calls=6,every=auto,prompt-cache=${cache}`,
  `stale:every=auto,prompt-cache=${cache}`,
  'truncate:max-length=2500',
];
const RANDOM = [
  ['patch'],
  ['patch', 'filter:max-tool-calls=2'],
  ['patch', 'filter:max-tool-calls=2,every=1'],
  ['patch', 'filter:max-tool-calls=3,every=2'],
  ['patch', 'clear:trigger=0,keep=1'],
  ['patch', 'dedupe', 'retries', 'stale'],
  ['patch', 'fit:max-tokens=2000'],
  ['patch', 'strip'],
];
const TURNS = 200;
const MANY = 100;

export function scenariosFor(framework, { trim, run, check, simulate, open }) {
  const { from, cache = 'openai', talk, approve, messagesOf, plain = (message) => message } = framework;
  const paced = pacedBy(cache);
  const bytes = (list) => JSON.stringify([...list].map(plain));
  const predicted = (list) => bytes(run(JSON.parse(JSON.stringify(list)), paced, { from }).map(revived));
  const revived = (message) => (framework.plain === undefined ? message : { toJSON: () => message });
  const errorsIn = (list) =>
    check(JSON.parse(JSON.stringify(list)), { from, asRequest: true }).filter(({ severity }) => severity === 'error');

  const callsOf = (list) =>
    open(JSON.stringify(list), { from }).transcripts[0].messages.flatMap(({ parts }) =>
      parts.filter(({ type }) => type === 'call'),
    ).length;

  /** Runs `scene(hooks, onSent)` twice, and counts requests that differ, that were trimmed, that are refused. */
  async function compared(scene) {
    const [whole, sent] = [[], []];
    const keep = (into) => (list) => into.push(JSON.parse(JSON.stringify(list)));
    const before = await scene(undefined, keep(whole));
    const after = await scene(trim(STEPS), keep(sent));
    const found = { requests: sent.length, 'with fewer calls': 0, different: 0, refused: 0 };
    if (whole.length !== sent.length) found.different++;
    for (const [index, list] of sent.entries()) {
      const expected = predicted(whole[index] ?? []);
      if (bytes(list.map(revived)) !== expected) found.different++;
      if (callsOf(list) < callsOf(whole[index])) found['with fewer calls']++;
      found.refused += errorsIn(list).length;
    }
    found['stored otherwise'] = bytes(before) === bytes(after) ? 0 : 1;
    return { found, whole, sent };
  }

  const results = (turns) => {
    const all = resultsOf(turns);
    return async (id) => {
      await new Promise(setImmediate);
      return all.get(id);
    };
  };
  const begin = (turns, hooks, onSent, more) =>
    talk({ turns, prompt: 'Begin.', hooks, onSent, onTool: results(turns), ...more });

  const answered = ({ calls, ...turn }) =>
    calls === undefined ? turn : { ...turn, calls: calls.map((call) => ({ ...call, result: call.result ?? 'late' })) };

  return {
    async random(count) {
      const found = { histories: 0, trimmed: 0, refused: 0, 'stored otherwise': 0 };
      for (let seed = 1; seed <= count; seed++) {
        const random = randomFrom(seed);
        const turns = randomHistory(random).map((turn) => (framework.needsResults ? answered(turn) : turn));
        const history = turns.flatMap(messagesOf);
        const hooks = trim(RANDOM[random(RANDOM.length)]);
        const before = bytes(history);
        let sent;
        const last = [{ who: 'assistant', text: 'Well.', calls: [] }];
        const onSent = (list) => (sent = list);
        const stored = await talk({ turns: last, history, prompt: 'And now?', hooks, onSent, onTool: () => '' });
        found.histories++;
        found.refused += errorsIn(sent).length;
        if (sent.length < history.length || JSON.stringify(sent).length < before.length * 0.9) found.trimmed++;
        const isWhole = framework.holds?.(stored, turns) ?? bytes(stored).startsWith(before.slice(0, -1));
        if (!isWhole || bytes(history) !== before) found['stored otherwise']++;
      }
      return found;
    },

    async '200 turns'() {
      const turns = script(TURNS, 1);
      const { found, sent, whole } = await compared((hooks, onSent) => begin(turns, hooks, onSent));
      const history = [...whole.at(-1), ...messagesOf(turns.at(-1))];
      const [transcript] = open(JSON.stringify(history), { from }).transcripts;
      const { transcripts } = await simulate(transcript, paced, { scope: 'all' });
      const said = transcripts.flatMap(({ requests }) => requests.map(({ calls_after }) => calls_after));
      const calls = sent.map(callsOf);
      found['calls not as simulated'] = said.length === calls.length ? 0 : 1;
      for (const [index, count] of calls.entries()) if (said[index] !== count) found['calls not as simulated']++;
      return found;
    },

    async streamed() {
      const turns = script(60, 2);
      return (await compared((hooks, onSent) => begin(turns, hooks, onSent, { isStreamed: true }))).found;
    },

    async aborted() {
      const turns = script(60, 3);
      const scene = async (hooks, onSent) => {
        const history = await begin(turns, hooks, onSent, { abortAt: 40 });
        const rest = turns.slice(40);
        return talk({ turns: rest, history, prompt: 'Go on.', hooks, onSent, onTool: results(turns) });
      };
      return (await compared(scene)).found;
    },

    async approved() {
      if (approve === undefined) return undefined;
      const history = script(60, 4).slice(0, -1).flatMap(messagesOf);
      const task = messagesOf({ who: 'user', text: 'Begin.' });
      const call = (id) => ({ id, tool: 'run', args: { q: id }, result: 'ran' });
      const turns = [
        { who: 'assistant', text: '', calls: [call('asked_1'), call('asked_2')] },
        { who: 'assistant', text: 'Well.', calls: [] },
      ];
      const ran = [];
      const scene = (hooks, onSent) => {
        const onTool = async (id) => ran.push(id) && 'ran';
        return approve({ turns, history: [...task, ...history], hooks, onSent, onTool });
      };
      const { found, sent } = await compared(scene);
      found['ran otherwise'] = ran.slice(0, ran.length / 2).join() === ran.slice(ran.length / 2).join() ? 0 : 1;
      found['reasons lost'] = JSON.stringify(sent.at(-1)).includes('Not this one.') ? 0 : 1;
      return found;
    },

    async 'sub-agents'() {
      const turns = script(20, 5);
      const scene = async (hooks, onSent) => {
        const own = results(turns);
        const onTool = async (id) => {
          if (!/_[37]_0$/.test(id)) return own(id);
          const inner = script(25, 6, `${id}_sub`);
          await begin(inner, hooks, onSent);
          return 'The sub-agent is done.';
        };
        return talk({ turns, prompt: 'Begin.', hooks, onSent, onTool });
      };
      return (await compared(scene)).found;
    },

    async 'two runs'() {
      const scripts = [script(50, 7), script(50, 8)];
      const scene = async (hooks, onSent) => {
        const sent = [[], []];
        const keep = (into) => (list) => into.push(JSON.parse(JSON.stringify(list)));
        const stored = await Promise.all(scripts.map((turns, at) => begin(turns, hooks, keep(sent[at]))));
        for (const list of sent.flat()) onSent(list);
        return stored.flat();
      };
      return (await compared(scene)).found;
    },

    /** One `trim` for 100 conversations: what is left in memory after the first ten, and after all. */
    async memory(turnsInAll) {
      const hooks = trim(STEPS);
      const left = [];
      for (let turn = 0; turn < turnsInAll; turn += MANY) {
        await begin(script(MANY, turn + 1), hooks, () => {});
        global.gc();
        left.push(process.memoryUsage().heapUsed / 2 ** 20);
      }
      const round = (megabytes) => Math.round(megabytes * 10) / 10;
      const tenth = left[Math.min(9, left.length - 1)];
      return { turns: turnsInAll, 'MB after 10 %': round(tenth), 'MB at the end': round(left.at(-1)) };
    },
  };
}
