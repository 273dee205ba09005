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
  'mongo',
  'zip -',
  'unzip -',
  '7z ',
  'htpasswd -',
  '-passin pass:',
  '-passout pass:',
  '-pass pass:',
  'IDENTIFIED BY ', // in sentences, in small letters
  ...['WITH PASSWORD ', 'ENCRYPTED PASSWORD ', 'LOGIN PASSWORD '].flatMap((words) => [words, words.toLowerCase()]),
];

export const COMMAND_PATTERNS: readonly string[] = [
  String.raw`(?:curl|wget) [^;|]{0,300}?(?<=\s)(?:-u|-U|--user|--proxy-user)[ =]{0,3}["']?` +
    String.raw`[^\s:"'$<]{0,64}:["']?${PASSWORD}`,
  String.raw`(?:mysql|mariadb)(?:-?(?:dump|admin|import|check))?\s[^\n;|]{0,200}?` +
    String.raw`(?<=\s)(?:-p|--password=)["']?${PASSWORD}`,
  String.raw`sshpass\s{1,4}-p[ \t]{0,4}["']?${PASSWORD}`,
  String.raw` login [^\n;|]{0,200}?(?<=\s)-p[ =]["']?${PASSWORD}`,
  String.raw`redis-cli [^\n;|]{0,200}?(?<=\s)-a ["']?${PASSWORD}`,
  String.raw`ldap\w{3,9} [^\n;|]{0,200}?(?<=\s)-w ["']?${PASSWORD}`,
  String.raw`(?:sqlplus (?:-\w+ ){0,3}|jdbc:oracle:\w{1,8}:)[\w.]{1,64}/["']?${PASSWORD}@`,
  String.raw`smbclient [^\n;|]{0,200}?(?<=\s)-U ["']?[^\s%"']{1,64}%${PASSWORD}`,
  `ConvertTo-SecureString (?:-String )?["']${PASSWORD}["']`,
  String.raw`:5432:[\w*-]{1,64}:[\w*.-]{1,64}:${PASSWORD}`, // .pgpass
  String.raw`mongo\w{0,7} [^\n;|&]{0,200}?(?<=\s)-p ?["']?(?![\d:.]+(?:\s|$)|[/.])${PASSWORD}`,
  String.raw`(?:un)?zip [^\n;|&]{0,200}?(?<=\s)-P ?["']?${PASSWORD}`,
  String.raw`7z [^\n;|&]{0,200}?(?<=\s)-p["']?${PASSWORD}`,
  String.raw`htpasswd -\w{0,4}b\w{0,4} \S{1,200} \S{1,64} ["']?${PASSWORD}`,
  `-pass(?:in|out)? pass:["']?${PASSWORD}`,
  // in SQL; where documentation has words
  `(?:IDENTIFIED BY|[A-Za-z]{4,9} (?:PASSWORD|password)) (?:AS )?["'](?=[^"']{0,200}[0-9])${PASSWORD}["']`,
  String.raw`auth=\(["'][^"'\n]{1,64}["'],\s?["']${PASSWORD}["']`,
];
