// Prints a session of so many requests, each with a call and a result of some 2,000 tokens: `node
// bench/long-session.mjs 1000 10` has a thousand in turns of ten. What `simulate` has to play in under ten seconds.
const [requests = 1000, perTurn = 10] = process.argv.slice(2).map(Number);
const WORDS = [
  'error',
  'file',
  'return',
  'const',
  'value',
  'line',
  'test',
  'import',
  'index',
  'state',
  'the',
  'is',
  'not',
  '42',
  '=>',
  '{}',
];
let seed = 1;
const word = () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return WORDS[Math.floor((seed / 2147483648) * WORDS.length)];
};
const text = (words) => Array.from({ length: words }, word).join(' ');

const messages = [{ role: 'system', content: text(2000) }];
for (let id = 0; id < requests; id++) {
  if (id % perTurn === 0) messages.push({ role: 'user', content: text(40) });
  messages.push({
    role: 'assistant',
    content: text(30),
    tool_calls: [
      { id: `call_${id}`, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: text(3) }) } },
    ],
  });
  messages.push({ role: 'tool', tool_call_id: `call_${id}`, content: text(1800) });
}
process.stdout.write(`${JSON.stringify({ model: 'claude-sonnet-4-5-20250929', messages })}\n`);
