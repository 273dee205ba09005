/** Finds a model in a table by prefixes of names, whatever stands around its name. */

/** The row of a model in a table by prefix, which must have the longest prefixes first. */
export function rowOf<Row extends { readonly prefix: string }>(model: string, rows: readonly Row[]): Row | undefined {
  for (const name of namesWithin(model.trim().toLowerCase())) {
    const row = rows.find(({ prefix }) => startsWith(name, prefix));
    if (row !== undefined) return row;
  }
  return undefined;
}

/** The names to try, most likely first: a path's last segment without vendor (`us.anthropic.`), then its pieces. */
function* namesWithin(recorded: string): Generator<string> {
  for (const segment of recorded.split('/').reverse()) {
    for (const piece of [segment, ...segment.split(':')]) {
      const bare = piece.replace(VENDOR, '');
      if (bare !== piece) yield bare;
      yield piece;
    }
  }
}

/** Amazon Bedrock's regions and vendors are words without digits, each with a dot; Meta puts its own before a dash. */
const VENDOR = /^(?:(?:[a-z][a-z-]*\.)+|meta-)/;

/** A prefix that ends in a digit does not start a longer number: `o1` is not `o100`. */
function startsWith(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && !(/\d$/.test(prefix) && /^\d/.test(name.slice(prefix.length)));
}
