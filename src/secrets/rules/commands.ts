/** Passwords on command lines and where programs read them, as text for a pattern; the last group is the password. */

/** Of a command line; a variable of the shell is none. */
const PASSWORD = `([^\\s"'\`$<>\\\\]{4,256})`;

export const COMMAND_ANCHORS: readonly string[] = [
  'curl ',
  'wget ',
  'mysql',
  'mariadb',
  'sshpass',
  ' login ',
  'redis-cli',
  'ldap',
  'sqlplus ',
  'jdbc:oracle:',
  'smbclient ',
  'ConvertTo-SecureString ',
  ':5432:',
  'auth=(',
];

export const COMMAND_PATTERNS: readonly string[] = [
  String.raw`(?:curl|wget) [^;|]{0,300}?(?<=\s)(?:-u|-U|--user|--proxy-user)[ =]{0,3}["']?` +
    String.raw`[^\s:"'$<]{0,64}:["']?${PASSWORD}`,
  String.raw`(?:mysql|mariadb)(?:-?(?:dump|admin|import|check))?\s[^\n;|]{0,200}?(?<=\s)-p["']?${PASSWORD}`,
  String.raw`sshpass\s{1,4}-p[ \t]{0,4}["']?${PASSWORD}`,
  String.raw` login [^\n;|]{0,200}?(?<=\s)-p[ =]["']?${PASSWORD}`,
  String.raw`redis-cli [^\n;|]{0,200}?(?<=\s)-a ["']?${PASSWORD}`,
  String.raw`ldap\w{3,9} [^\n;|]{0,200}?(?<=\s)-w ["']?${PASSWORD}`,
  String.raw`(?:sqlplus (?:-\w+ ){0,3}|jdbc:oracle:\w{1,8}:)[\w.]{1,64}/["']?${PASSWORD}@`,
  String.raw`smbclient [^\n;|]{0,200}?(?<=\s)-U ["']?[^\s%"']{1,64}%${PASSWORD}`,
  `ConvertTo-SecureString (?:-String )?["']${PASSWORD}["']`,
  String.raw`:5432:[\w*-]{1,64}:[\w*.-]{1,64}:${PASSWORD}`, // .pgpass
  String.raw`auth=\(["'][^"'\n]{1,64}["'],\s?["']${PASSWORD}["']`,
];
