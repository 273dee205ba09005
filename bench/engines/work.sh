#!/bin/sh
# The work on one part, as each engine starts it: `work.sh <folder> <output folder> <part>`. A file appears whole or not
# at all, so a part that was begun can be done again, on any host.
set -eu
PATH=$1/bin:$PATH
cd "$1/in"
out=$1/$2
part=$3
echo $$ > "$out/running/$part"
echo "$part" >> "$out/begun"
ctx-trim filter --quiet --max-tool-calls 3 "$part" -o "$out/$part.short.jsonl"
ctx-trim redact --quiet "$part" -o "$out/$part.redacted.jsonl"
whole() { # runs a command whose output becomes a file; status 1 stands for findings
  file=$1
  shift
  "$@" > "$file.$$" || [ $? -eq 1 ]
  mv "$file.$$" "$file"
}
whole "$out/$part.check.json" ctx-trim check --format json "$part"
whole "$out/$part.stats.json" ctx-trim stats --recorded --by model --format json "$part"
whole "$out/$part.requests.parquet" ctx-trim stats --recorded --format parquet "$part"
rm "$out/running/$part"
