/** What breaks a law, said in the words of the law: which one, where, and the first of what there is. */

/** So many faults are shown. */
const MOST = 3;

/** Throws an Error that names the law and its first faults, where there are any. */
export function lawful(faults: Iterable<unknown>, law = 'none was expected'): void {
  const all = [...faults];
  if (all.length === 0) return;
  const shown = all.slice(0, MOST).map((fault) => (typeof fault === 'string' ? fault : JSON.stringify(fault, null, 2)));
  const more = all.length > MOST ? [`and ${all.length - MOST} more`] : [];
  throw new Error([`${law}; but there ${all.length === 1 ? 'is' : 'are'}`, ...shown, ...more].join('\n- '));
}
