/** Passwords in commands that stand as lists of arguments: `["mysql", "-u", "root", "-p…"]`, in JSON or in code. */

const GAP = String.raw`\s{0,40}`;

/** What ends the word of a command in a list. JSON in strings has backslashes before its quotes. */
const ENDS = ['"', '\\', "'"];
export const LIST_ANCHORS: readonly string[] = [
  ...['curl', 'wget', 'mysql', 'mariadb', 'sshpass', 'login', 'redis-cli', 'smbclient', 'sqlplus'],
].flatMap((word) => ENDS.map((end) => word + end));

/** As text for a pattern; the last group is the password. */
export const LIST_PATTERNS: readonly string[] = ['"', "'"].flatMap(patternsWith);

function patternsWith(quote: string): readonly string[] {
  const letter = String.raw`(?:[^${quote}\\\x00-\x1f]|\\.)`;
  const next = `${quote}${GAP},${GAP}${quote}`;
  // {"command": "mysql", "args": ["-p…"]}
  const start = `${quote}${GAP},${GAP}(?:${quote}arg\\w{1,6}${quote}${GAP}:${GAP}\\[${GAP})?${quote}`;
  const more = `(?:${letter}{0,200}${next}){0,24}?`;
  const user = `[^\\s:${quote}$<]{0,64}:`;
  const password = `(?!\\{\\w*\\}${quote}|%s|\\$\\w+${quote})(${letter}{4,256})(?=${quote})`;
  const after = (command: string, option: string) => `${command}${start}${more}${option}${password}`;
  return [
    after('(?:curl|wget)', `(?:(?:--user|--proxy-user|-u|-U)(?:${next}|=)|-u|-U)${user}`),
    after('(?:mysql|mariadb)(?:-?(?:dump|admin|import|check))?', '-p'),
    after('sshpass', `-p(?:${next})?`),
    after('login', `(?:-p|--password)(?:${next}|=)`),
    after('redis-cli', `-a${next}`),
    after(String.raw`ldap\w{3,9}`, `-w${next}`),
    after('smbclient', String.raw`-U(?:${next})?[^\s%${quote}]{1,64}%`),
    `sqlplus${start}${more}[\\w.]{1,64}/([^\\s${quote}\\\\@/]{4,256})(?=@[^${quote}]{0,200}${quote})`,
  ];
}
