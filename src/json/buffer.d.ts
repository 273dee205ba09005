/** Node's fast paths; `toString` chooses between them at every call. A file of its own: no types of ours tell of it. */
interface Buffer {
  latin1Slice(start?: number, end?: number): string;
  utf8Slice(start?: number, end?: number): string;
}
