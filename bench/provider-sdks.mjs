/**
 * The rules of Mistral against the schemas of its own SDK: what ours take of a message and of its mutations, the SDK
 * takes too. Usage: node bench/provider-sdks.mjs [folder with node_modules]; without one, the SDK is installed into a
 * temporary folder. Needs `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check } from '../dist/lib/index.js';

const SDK = '@mistralai/mistralai@2.7.0';
const folder = process.argv[2] ?? installed();
const components = pathToFileURL(join(folder, 'node_modules/@mistralai/mistralai/esm/models/components/'));
const { ChatCompletionRequestMessage$outboundSchema: schema } = await import(
  new URL('chatcompletionrequest.js', components)
);

const call = { id: 'abcdefghi', type: 'function', function: { name: 'ls', arguments: '{}' } };
const history = [
  { role: 'system', content: [{ type: 'text', text: 'be brief' }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
      { type: 'document_url', document_url: 'https://example.com/a.pdf' },
    ],
  },
  { role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }], tool_calls: [call] },
  { role: 'tool', tool_call_id: 'abcdefghi', name: 'ls', content: 'a' },
  { role: 'assistant', content: 'done', prefix: false },
  { role: 'user', content: 'thanks' },
];

/** By our schema rules, and by the SDK's, which drops members that it does not know. */
const ours = (messages) =>
  said(() =>
    check(JSON.stringify({ model: 'mistral-large-latest', messages }), { provider: 'mistral', asRequest: true }),
  );
const theirs = (messages) => messages.every((message) => schema.safeParse(camel(message)).success);

let [both, oursOnly, theirsOnly] = [0, 0, 0];
for (const { name, messages } of [{ name: 'as it is', messages: history }, ...mutations(history)]) {
  const [we, they] = [ours(messages), theirs(messages)];
  if (we && !they) console.log(`taken by us, refused by the SDK: ${name}`);
  if (we === they) both++;
  else if (we) oursOnly++;
  else theirsOnly++;
}
console.log(`${both} alike, ${theirsOnly} refused only by us (order, ids, extra members), ${oursOnly} only by the SDK`);
process.exitCode = oursOnly > 0 ? 1 : 0;

for (const path of process.argv.slice(3)) {
  const { messages } = JSON.parse(readFileSync(path, 'utf8'));
  console.log(
    `${path}: ${ours(messages) ? 'taken' : 'refused'} by us, ${theirs(messages) ? 'taken' : 'refused'} by the SDK`,
  );
}

function installed() {
  const target = mkdtempSync(join(tmpdir(), 'provider-sdks-'));
  execFileSync('npm', ['install', '--prefix', target, '--no-save', SDK], { stdio: 'inherit' });
  return target;
}

function said(find) {
  try {
    return find().every(({ severity }) => severity !== 'error');
  } catch {
    return false;
  }
}

function camel(value) {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  const spelled = (key) => key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [spelled(key), camel(member)]));
}

/** Each member removed, and replaced by a value of each other kind. */
function* mutations(messages) {
  for (const path of pathsIn(messages, []))
    for (const other of [undefined, null, 'x', 1, true, [], {}]) {
      const copy = structuredClone(messages);
      const holder = path.slice(0, -1).reduce((value, key) => value[key], copy);
      if (other === undefined) delete holder[path.at(-1)];
      else holder[path.at(-1)] = other;
      yield { name: `${path.join('.')} is ${other === undefined ? 'missing' : JSON.stringify(other)}`, messages: copy };
    }
}

function* pathsIn(value, path) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [...path, key];
    yield* pathsIn(member, [...path, key]);
  }
}
