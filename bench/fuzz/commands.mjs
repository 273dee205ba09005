// What is run on a changed file: FILE is its name, BEFORE that of the file without the change.
const lines = `
overview FILE
show FILE
show --format json FILE
show FILE#1
stats FILE
stats --format json FILE
stats --format json --by week FILE
stats --by day,model FILE
stats --by request --format csv FILE
stats --tools FILE
stats --cache FILE
stats --recorded FILE
diff BEFORE FILE
diff --format json BEFORE FILE
formats --verbose FILE
audit --policy query-history FILE
audit --policy query-history --explain FILE
audit --policy cost --format json FILE
simulate filter:max-tool-calls=1 FILE
simulate fit:max-tokens=100 FILE --format json
simulate clear_tool_uses_20250919 FILE
simulate --cache openai stale FILE
report FILE -o report.html
report --policy filter:max-tool-calls=1 FILE
handover FILE --to claude-code --dry-run
handover FILE --to codex -o handed-over.jsonl
handover FILE --to opencode -o handed-over.json
handover FILE --to pi -o handed-over.jsonl
handover FILE --to gemini-cli -o handed-over.json
fork FILE --turn 1 --dry-run
select --max-tokens 100 FILE
dataset FILE
run filter:max-tool-calls=1 truncate:max-length=10 FILE --diff
filter --max-tool-calls 1 FILE --diff --summary
offload --dir results --over 2000 FILE
strip-noise FILE --diff
guard --policy query-history FILE
check --secrets --as-request FILE
check --fix=synthetic --as-request --diff FILE
check --format sarif FILE
check --format json FILE
redact FILE
convert --to anthropic FILE
convert --to openai FILE --strict
`;

export const COMMANDS = lines
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

export const STEPS = [
  ...['patch', 'filter:max-tool-calls=1', 'filter:max-tool-calls=2,every=3', 'truncate:max-length=10'],
  ...['clear:trigger=0', 'dedupe', 'stale', 'retries', 'prune', 'strip', 'strip-noise'],
];
