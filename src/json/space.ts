/** The offset of the first byte from `at` on that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  for (let byte = bytes[i]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[i]) i++;
  return i;
}
