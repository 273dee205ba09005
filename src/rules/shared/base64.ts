/** Base64 that an API decodes, judged without decoding it. */

/** `data:image/png;base64,`: of a URL, where an API takes the data alone. */
const PREFIX = /^data:([^;,]*)(?:;[^,]*)?,/;

export interface DataUrl {
  readonly type: string;
  readonly data: string;
}

export function dataUrlIn(text: string): DataUrl | undefined {
  const found = PREFIX.exec(text.slice(0, 200));
  return found === null ? undefined : { type: found[1]!, data: text.slice(found[0].length) };
}

/** What is wrong with it; undefined if it can be decoded. Padding may be missing; both alphabets are taken. */
export function base64Fault(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  const other = /[^A-Za-z0-9+/_=\s-]/.exec(text);
  if (other !== null) return `is not base64: it has the character ${JSON.stringify(other[0])}`;
  if (/=\s*[^=\s]/.test(text)) return 'is not base64: it goes on after its end';
  const digits = text.replace(/[=\s]+/g, '').length;
  return digits % 4 === 1 ? 'is not base64: it is cut off' : undefined;
}
