/** Whether a terminal shows UTF-8. Where no variable says otherwise, as on Windows and in containers, it does. */
export function takesUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  // the first that is not empty:
  // https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02 (2024)
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return locale === '' || /utf-?8/i.test(locale);
}
