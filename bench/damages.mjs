// Eleven ways to damage a session file, at places that a seed chooses: what crashes, two writers at once, and agents'
// own faults have done to the files of users. Each takes the text of a file, and returns the damaged text, or undefined
// where the file has no place for it. `links` names the keys of ids and parents; undefined for files without them.

/** Random numbers below a limit, from a seed. */
export function randomFrom(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}

/** How the agents link records. `isLinked`: records that count as such. */
export const LINKS = {
  'claude-code': {
    id: 'uuid',
    parent: 'parentUuid',
    isLinked: ({ uuid, parentUuid, isSidechain }) => uuid && parentUuid !== undefined && !isSidechain,
  },
  pi: { id: 'id', parent: 'parentId', isLinked: ({ id, parentId }) => id && parentId !== undefined },
  'qwen-code': {
    id: 'uuid',
    parent: 'parentUuid',
    isLinked: ({ uuid, parentUuid, subtype }) => uuid && parentUuid !== undefined && subtype !== 'chat_compression',
  },
  // records that are written again replace each other: no links
  'gemini-cli': { isMessage: ({ id }) => id },
};

const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '');
/** A session that is one value, however many lines it is written on. */
const isDocument = (text) => /^\s*\{\s*\n/.test(text) || linesOf(text).length === 1;
const joined = (lines) => `${lines.join('\n')}\n`;

/** The records that can be damaged, as indices of lines: not the first. */
function places(lines, links) {
  const values = lines.map((line) => {
    try {
      return JSON.parse(line);
    } catch {
      return {};
    }
  });
  const all = values.flatMap((value, at) => ((links.isLinked ?? links.isMessage)(value) ? [at] : []));
  if (links.parent === undefined) return { values, at: all, all };
  return { values, at: all.filter((at) => values[at][links.parent]), all };
}

/** Without compactions of Codex: what one took away comes back without it, and nothing tells what it left. */
function uncompacted(lines) {
  return lines.flatMap((line, at) => (JSON.parse(line).type === 'compacted' ? [] : [at]));
}

/** Without what Gemini CLI rewound to: what is taken back from there on is not known without it. */
function unnamed({ values, at }) {
  const named = new Set(values.flatMap(({ $rewindTo }) => $rewindTo ?? []));
  return at.filter((index) => !named.has(values[index].id));
}

function changed(lines, at, value) {
  return joined(lines.map((line, index) => (index === at ? JSON.stringify(value) : line)));
}

const hex = (random, digits) => Array.from({ length: digits }, () => random(16).toString(16)).join('');
const freshId = (like, random) => `${like.slice(0, -1).replace(/[\da-f]/gi, () => hex(random, 1))}x`;

/** One link, changed by `change(value, values, places, at)`. */
const relinked = (change) => (text, random, links) => {
  if (links?.parent === undefined) return undefined;
  const lines = linesOf(text);
  const { values, at: some, all } = places(lines, links);
  if (some.length < 3) return undefined;
  const at = some[random(some.length)];
  const value = change(values[at], { values, all, at, random, links });
  return value && changed(lines, at, value);
};

const DAMAGES_OF_LINES = {
  'parent missing': relinked((value, { random, links }) => ({
    ...value,
    [links.parent]: freshId(value[links.parent], random),
  })),
  cycle: relinked((value, { values, all, at, random, links }) => {
    const below = [at];
    for (const other of all)
      if (below.some((one) => values[one][links.id] === values[other][links.parent])) below.push(other);
    return { ...value, [links.parent]: values[below[random(below.length)]][links.id] };
  }),
  'id twice': relinked((value, { values, all, at, random, links }) => {
    const earlier = all.filter((other) => other < at);
    return earlier.length === 0
      ? undefined
      : { ...value, [links.id]: values[earlier[random(earlier.length)]][links.id] };
  }),
  // a writer that leaves out the id of the reply, as those of other programs do
  'results off the way': (text, random, links) => {
    if (links?.id !== 'uuid') return undefined;
    const lines = linesOf(text);
    const { values, all } = places(lines, links);
    const blocks = ({ message }) => (Array.isArray(message?.content) ? message.content : []);
    const some = all.filter(
      (at, place) => blocks(values[at]).some(({ type }) => type === 'tool_result') && all[place + 1] !== undefined,
    );
    if (some.length === 0) return undefined;
    const at = some[random(some.length)];
    const next = all[all.indexOf(at) + 1];
    if (values[next][links.parent] !== values[at][links.id]) return undefined;
    const asked = blocks(values[at]).map((block) => block.tool_use_id);
    const caller = all.find((other) => blocks(values[other]).some(({ id }) => asked.includes(id)));
    if (caller === undefined || values[at][links.parent] !== values[caller][links.id]) return undefined;
    const { id: _, ...message } = values[caller].message;
    const now = new Map([
      [next, { ...values[next], [links.parent]: values[at][links.parent] }],
      [caller, { ...values[caller], message }],
    ]);
    return joined(lines.map((line, index) => (now.has(index) ? JSON.stringify(now.get(index)) : line)));
  },
  'last line torn': (text, random) => {
    const lines = linesOf(text);
    const last = lines.at(-1);
    return joined(lines) + last.slice(0, 1 + random(last.length - 2));
  },
  'line torn in the middle': (text, random) => {
    const lines = linesOf(text);
    const at = 1 + random(lines.length - 1);
    const torn = lines[at - 1].slice(0, 1 + random(lines[at - 1].length - 2));
    return joined(lines.map((line, index) => (index === at ? torn + line : line)));
  },
  'record lost': (text, random, links) => {
    const lines = linesOf(text);
    const some = links === undefined ? uncompacted(lines).slice(1) : unnamed(places(lines, links));
    if (some.length < 3) return undefined;
    const at = some[random(some.length)];
    return joined(lines.filter((_, index) => index !== at));
  },
  'history copied': (text, random) => {
    const lines = linesOf(text);
    const from = 1 + random(lines.length - 1);
    const to = from + 1 + random(lines.length - from);
    return joined([...lines.slice(0, to), ...lines.slice(from, to), ...lines.slice(to)]);
  },
  // what Gemini CLI writes when a client loads a chat
  'history replaced': (text, random, links) => {
    if (links?.isMessage === undefined) return undefined;
    const lines = linesOf(text);
    const at = 2 + random(lines.length - 1);
    const content = [{ text: '<session_context>\nnew\n</session_context>' }];
    const messages = [{ id: 'new', timestamp: '2026-01-01T00:00:00.000Z', type: 'user', content }];
    return joined([...lines.slice(0, at), JSON.stringify({ $set: { messages } }), ...lines.slice(at)]);
  },
};

const ofLines = (damage) => (text, random, links) => (isDocument(text) ? undefined : damage(text, random, links));

export const DAMAGES = {
  ...Object.fromEntries(Object.entries(DAMAGES_OF_LINES).map(([name, damage]) => [name, ofLines(damage)])),
  'document torn': (text, random) =>
    /^\s*\{\s*\n/.test(text) && !text.includes('tail_start_id')
      ? text.slice(0, (text.length >> 2) + random((text.length * 3) >> 2))
      : undefined,
  // of a document of opencode: the first message that a compaction kept
  'kept message lost': (text) => {
    const tail = /"tail_start_id":\s*"([^"]+)"/.exec(text)?.[1];
    if (tail === undefined || !isDocument(text)) return undefined;
    const session = JSON.parse(text);
    const messages = session.messages.filter(({ info }) => info.id !== tail);
    return `${JSON.stringify({ ...session, messages }, null, 2)}\n`;
  },
};

/**
 * Whether the same messages are loaded as before a damage. Of parallel results, the order is the loader's. A lost
 * record stays lost, and where it was a call, no result of it has to be loaded.
 */
export function isWhole(some, all, damage) {
  if (damage === 'results off the way') return isEqual([...some].sort(), [...all].sort());
  if (damage === 'document torn') return some.length > 0 && isEqual(some, all.slice(0, some.length));
  if (!/ lost$/.test(damage)) return isEqual(some, all);
  const rest = [...some];
  const lost = all.filter((message) => {
    const at = rest.indexOf(message);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  const calls = new Set(lost.flatMap((message) => idsIn(message, 'id')));
  const others = lost.filter((message) => !idsIn(message, 'tool_use_id').some((id) => calls.has(id)));
  // where the last record of a message is lost, the one before it is read
  return rest.length <= others.length && others.length <= 1;
}

function idsIn(message, key) {
  const value = JSON.parse(message);
  const blocks = Array.isArray(value) ? value[2] : value.parts;
  const idOf = (block) => (key === 'id' ? block.functionCall : block.functionResponse)?.id ?? block[key];
  return Array.isArray(blocks) ? blocks.map(idOf).filter((id) => id !== undefined) : [];
}

const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);
