/** Values that their names call secrets, and passwords that their place shows: headers, addresses, commands. */
import { commaList } from '../../lists.js';
import { isCode, isPlaceholder } from '../placeholder.js';
import { defineRules } from '../rule.js';
import { LIST_ANCHORS, LIST_PATTERNS } from './argument-lists.js';
import { COMMAND_ANCHORS, COMMAND_PATTERNS } from './commands.js';
import { isLineSecret, LINE_VALUE, MARGIN, SIGN } from './line-values.js';

/** The words of names, each spelled in every case that programs use. What stands before them may be longer. */
const PAIRS = commaList(`
  api, access, private, auth, encryption, signing, account, shared, subscription, functions, app, master, license,
  admin, unseal
`).flatMap((word) => {
  const title = word[0]!.toUpperCase() + word.slice(1);
  const lower = [`${word}_key`, `${word}-key`, `${word}key`, `${word} key`];
  const titled = ['Key', '-Key', ' Key', ' key'].map((key) => title + key);
  return [...lower, ...lower.map((one) => one.toUpperCase()), `${word}Key`, ...titled];
});
const inEachCase = (words: readonly string[]) =>
  words.flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()]);
const WORDS = inEachCase(['secret', 'passw', 'passphrase', 'passcode', 'pwd', 'credential']);
const TOKEN = inEachCase(['token']);
const NAMES = [...PAIRS, 'APIKey', 'API Key', 'API key', '_PASS', '_pass', 'SALT', ...WORDS];
/**
 * Before `token`: one that points at a page, limits or ends what a model writes, or goes with a form, as gitleaks has
 * it (cmd/generate/config/rules/generic.go).
 */
const POINTING = inEachCase(
  commaList(`
    next, page, prev, previous, continuation, pagination, cursor, starting, resumption, sync, delta, max, min, stop,
    eos, bos, pad, csrf, xsrf, csrfmiddleware, authenticity
  `),
);
/** A word of tests, too: what stands with it must look drawn. */
const PASS = ['pass"', "pass'", 'pass\\', 'pass:', 'pass='];
export const NAME =
  `(?<name>${NAMES.join('|')}|(?<!(?:${POINTING.join('|')})[_. -]?)(?:${TOKEN.join('|')})|` +
  '(?<![A-Za-z_])pass(?![a-z]))' +
  '(?:ord|ORD|ort|d|D|s|S)?(?:[_ -]?(?:key|Key|KEY))?' +
  '(?:_base)?(?:[_ -]?\\d{1,3}|(?:_[A-Z0-9]{1,16}){1,3})?';

/** Our own marks are no secrets. */
const NO_MARK = '(?!(?<=\\[)secret:[a-z0-9-]+:\\d+\\])';

const SPACE = String.raw`[ \t\r\n]{0,16}`;
/** What stands between a name and its value. */
const TO = [
  // as in most languages, also in brackets or bold, or the first of a list
  `["'\`]?[\\]*]{0,2}${SPACE}(?::[ \\t]*(?:str|String|string|&str|&'static str)${SPACE}=|:=|[=-]>|={1,3}|:)` +
    `[*]{0,2}${SPACE}(?:\\[${SPACE}(?=["']))?`,
  ':[ \\t]*(?:[|>][+-]?[ \\t]*\\r?\\n[ \\t]{1,16}|!!str[ \\t]{1,4}|&\\w{1,40}[ \\t]{1,4})', // in YAML
  `["']?[ \\t]*\\r?\\n${MARGIN}value:[ \\t]*`, // in Kubernetes
  `"[ \\t]*\\{${SPACE}(?:[^{}]{0,200}\\n[ \\t]*)?default[ \\t]*=[ \\t]*(?=")`, // in Terraform
  // {"name": "API_KEY", "value": "…"}, {"ParameterKey": "DbPassword", "ParameterValue": "…"}
  `["']?${SPACE},${SPACE}(?:"\\w{1,24}"${SPACE}:${SPACE}(?:true|false|null|"\\w{0,24}")${SPACE},${SPACE}){0,3}` +
    `["']?(?:\\w{0,24}V|v)alue["']?${SPACE}[:=]${SPACE}`,
  `["'][ \\t]{1,4}value=`,
  '>(?:\\{|<!\\[CDATA\\[)?', // in XML
  `<\\/key>${SPACE}<string>`, // in lists of properties
  '[ \\t]*\\|[ \\t]*', // in tables
  '[ \\t](?:is|was)(?:[ \\t]?:)?[ \\t\\r\\n]{1,4}', // in a sentence
  `["']?[ \\t]*(?:\\(|(?<comma>,))[ \\t]*(?=["'])`, // setPassword("…"), set("password", "…")
  `["']?:[ \\t]*\\r?\\n[ \\t]{0,40}-[ \\t]{1,4}`, // the first of a list in YAML
  `(?<=--[\\w-]{0,60})[ \\t]{1,4}`, // --password …
  // setx API_KEY …, ENV API_KEY …, #define API_KEY "…", {:password "…"}
  '(?<=(?:\\b(?:set|setx|setenv|setq|ENV|define)[ \\t][\\w \\t./:-]{0,40}|[\\s{(,]:[\\w-]{0,40}))' +
    '[ \\t]{1,4}(?:--body[ =])?',
].join('|');
const VALUE =
  `(?:(["'\`])(?<quoted>(?:(?!\\k<quote>)[^\\\\\\x00-\\x1f]|\\\\[^\\x00-\\x1f]){8,4096})(?:\\k<quote>|$)|` +
  `${LINE_VALUE}|["'\`]?(?<bare>(?![:=.])[${SIGN}]{8,4096})(?![${SIGN}]))`;

/** Passwords and keys are long; a text with spaces is one only if quotes hold it together. */
export function isNamedSecret(secret: string, { 0: whole, groups = {}, input, index }: RegExpExecArray): boolean {
  const isShort = secret.length < SHORTEST;
  if (isShort && (CUT.test(input.slice(index + whole.length)) || !isPassword(secret, groups['name']!))) return false;
  if (isPlaceholder(secret) || /^[{[][^\w]*\w+[^\w]*:|^\[\\*["']/.test(secret)) return false; // an object, a list
  const isCalled = groups['quoted'] === undefined && /[([{]/.test(input[index + whole.length] ?? '');
  if (isCalled) return isDrawn(secret);
  if (groups['name'] === 'pass') return isLone(secret) && !PATH.test(secret) && turnsIn(secret) > 2;
  if (groups['comma'] !== undefined) return isLone(secret) && !/^\s*:/.test(input.slice(index + whole.length));
  if (groups['line'] !== undefined) return isLineSecret(secret, whole);
  if (/^[A-Z]\w*(?::[A-Z][\w,]{0,20}){3,8}$/.test(secret)) return false; // a list of settings
  const name = groups['name'] ?? '';
  if (/^(?:~|\.{1,2})?\//.test(secret) && isCode(secret)) return false; // a path
  if (/^\d+$/.test(secret)) return !/^token/i.test(name);
  const isQuery = /[?&][\w-]*$/.test(input.slice(Math.max(0, index - 32), index));
  // in an environment and in a query, names of code have no place
  if ((isQuery ? /^\w+=(?!=)/ : /^[A-Z_]+=/).test(whole)) return true;
  const isLoose = groups['bare'] !== undefined || /^token|^credential/i.test(name);
  return !(isLoose && isCode(secret));
}

/** Of other names, a shorter value may be anything. */
const SHORTEST = 12;

/** The value goes on, perhaps: a part of it would stay. */
const CUT = /^(?!&[\w.%-]+=|[,;]\w+[=:])[^\s"'\x60\\][\w!#$%*+@^~-]/;

/** Or a variable, or members of objects. */
const PATH = /^(?:[$%@#&*]|[~.]*\/|[a-z_]\w*(?:\.[a-z_]\w*)+$)/i;

/** Whether it reads as a password, and as no word, version or path: signs that no name has, or digits by turns. */
function isPassword(text: string, name: string): boolean {
  if (!/^(?:passw|passphrase|passcode|pwd|_pass$)/i.test(name) || PATH.test(text)) return false;
  if (!/^(?=.*\d)(?=.*[A-Za-z])/.test(text)) return false;
  return turnsIn(text) > 2 || (/[!@#$%^*&+~]/.test(text) && !isCode(text));
}

/** Beside a name in a list stand other names, too: of columns, of members, of kinds. */
function isLone(text: string): boolean {
  return /^(?!\d{4}-\d\d)(?=\S*\d)(?=\S*[A-Za-z])\S+$/.test(text) && !isCode(text);
}

/** Whether letters and digits take turns as in no name of a function. */
function isDrawn(text: string): boolean {
  return /^\w{16,}$/.test(text) && turnsIn(text) > 4;
}

function turnsIn(text: string): number {
  return text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
}

/** What stands between the name of a header and its value: also `{"name": …, "value": …}`, and a list of one. */
const TO_HEADER =
  String.raw`["'\x60]?\s{0,8}(?::|=>|=|,)\s{0,24}` +
  String.raw`(?:\[\s{0,24}|-[ \t]{1,4}|["']?[vV]alue["']?\s{0,4}[:=]\s{0,4})?(?:[bfr]?["'\x60])?`;

export const namedSecrets = defineRules([
  {
    id: 'password-in-url',
    title: 'Password in an address',
    anchors: ['://', '%3A%2F%2F', '%3a%2f%2f'],
    head: /[^\s"'<>]{3,350}?(?:@|%40)/y,
    // signs that an address spells as %2F and the like stand there as they are, too, in what people type
    pattern: new RegExp(
      String.raw`://(?!\[secret:)[^\s:/@"'\\<>{}()]{0,64}:(?<secret>(?!\d{1,5}(?:[/?#]|$))` +
        String.raw`[^\s"'\x60\\<>]{3,256})@(?=[\w.[-])`,
      'y',
    ),
    isSecret: (text) => !isPlaceholder(text) && !/[{}()*]|:\/\//.test(text),
    source: 'https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1',
  },
  {
    id: 'bearer-token',
    title: 'Bearer token',
    anchors: ['Bearer', 'bearer', 'BEARER'],
    isPart: true,
    pattern: /[Bb](?:earer|EARER)(?:[ \t]{1,4}|\+|["']?[ \t]?[:=][ \t]?["']?)(?<secret>[\w.~+/%-]{12,4096}={0,2})/y,
    tier: 'candidate',
    isSecret: (text) => !isPlaceholder(text) && !isCode(text),
    source: 'https://www.rfc-editor.org/rfc/rfc6750#section-2.1',
  },
  {
    id: 'basic-credentials',
    title: 'Credentials of basic authentication',
    anchors: ['uthorization', 'UTHORIZATION'],
    isPart: true,
    pattern: new RegExp(`uthorization${TO_HEADER}Basic[ \\t+]{1,4}(?<secret>[A-Za-z0-9+/_-]{8,4096}={0,2})`, 'iy'),
    isSecret: (text) => !isPlaceholder(text),
    source: 'https://www.rfc-editor.org/rfc/rfc7617',
  },
  {
    id: 'registry-credentials',
    title: 'Credentials of a registry',
    anchors: ['auth"', 'auth\\', '_auth='],
    isPart: true,
    pattern: /_?auth["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>[A-Za-z0-9+/]{12,4096}={0,2})/y,
    isSecret: (text) => /^[ -~]+:[ -~]+$/.test(Buffer.from(text, 'base64').latin1Slice()),
    source: 'https://docs.docker.com/reference/cli/docker/login/',
  },
  {
    id: 'seed-phrase',
    title: 'Words of a wallet',
    anchors: ['nemonic', 'NEMONIC', ' phrase', '_phrase', '_PHRASE'],
    isPart: true,
    before: 16,
    pattern: new RegExp(
      String.raw`(?:nemonic|(?<=seed|recovery)[ _]phrase)["']?\s{0,4}[:=]\s{0,4}["']?` +
        String.raw`(?<secret>[a-z]{3,8}(?: [a-z]{3,8}){11}(?:(?: [a-z]{3,8}){3}){0,4})(?=["'\s\\]*(?:["'\n]|$))`,
      'iy',
    ),
    tier: 'candidate',
    isSecret: () => true,
    source: 'https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki',
  },
  {
    id: 'authorization',
    title: 'Credentials in a header',
    anchors: ['uthorization', 'UTHORIZATION'],
    isPart: true,
    pattern: new RegExp(
      `uthorization${TO_HEADER}` +
        '(?!bearer)(?:(?:token|api-token|apikey|api-key|key|digest|negotiate|splunk|geniekey|ssws|bot|oauth|hawk|aws)' +
        String.raw`(?:[ \t=:]{1,4}|\+)(?:token=|response=)?["']?)?(?<secret>[!#-&*+\-./0-:=?@A-Z^_a-z~]{12,4096})`,
      'iy',
    ),
    tier: 'candidate',
    isSecret: (text) => !isPlaceholder(text) && !isCode(text),
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2',
  },
  {
    id: 'command-password',
    title: 'Password on a command line',
    anchors: [...COMMAND_ANCHORS, ...LIST_ANCHORS],
    pattern: new RegExp([...COMMAND_PATTERNS, ...LIST_PATTERNS].join('|'), 'y'),
    isSecret: (text) => !isPlaceholder(text),
    source: 'https://curl.se/docs/manpage.html#-u',
  },
  {
    id: 'netrc-password',
    title: 'Password in a .netrc',
    anchors: ['login'],
    pattern: new RegExp(
      String.raw`login\s{1,8}[^\s"'\\]{1,128}(?:\s{1,8}|(?:\s?\n|",\s?")${MARGIN})` +
        String.raw`password\s{1,8}(?<secret>[^\s"'\\]{4,256})`,
      'y',
    ),
    isSecret: (text) => !isPlaceholder(text),
    source: 'https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html',
  },
  {
    id: 'connection-password',
    title: 'Password in a connection string',
    anchors: ['Pwd=', 'pwd=', 'PWD=', 'Password=', 'password='],
    pattern: /(?<=;\s?)(?:pwd|password)=(?<secret>[^\s;"'\\]{4,256})(?=[;"'\\\s]|$)/iy,
    isSecret: (text) => !isPlaceholder(text),
    source: 'https://learn.microsoft.com/en-us/dotnet/framework/data/adonet/connection-string-syntax',
  },
  {
    id: 'token-in-url',
    title: 'Token in an address',
    anchors: ['://', '%3A%2F%2F', '%3a%2f%2f'],
    head: /[^\s"'<>]{3,350}?(?:@|%40)/y,
    pattern: /:\/\/(?<secret>[\w-]{16,256})@(?=[\w[])/y,
    tier: 'candidate',
    isSecret: (text) => !isPlaceholder(text) && !isCode(text),
    source: 'https://git-scm.com/docs/git-credential',
  },
  {
    id: 'signed-url',
    title: 'Signature of an address',
    anchors: ['X-Amz-Signature=', 'X-Goog-Signature=', 'Signature=', 'sig='],
    pattern: new RegExp(
      '(?:X-(?:Amz|Goog)-Signature=(?<hex>[0-9a-f]{64,1024})|(?<=[?&,] ?)Signature=(?<base>[\\w~%+/=-]{20,700})|' +
        '(?<=[?&])sig=(?<sas>[\\w%+/=-]{32,200}))',
      'y',
    ),
    isSecret: (text) => !isPlaceholder(text),
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html',
  },
  {
    id: 'session-cookie',
    title: 'Cookies of a session',
    anchors: ['ookie'],
    isPart: true,
    // the value of the cookie that says so is the name; the whole header is the secret
    pattern: new RegExp(
      String.raw`ookie${TO_HEADER}(?=[^\r\n"'\x60\\]{0,2000}?` +
        String.raw`(?:sess|sid|auth|token|jwt|login|remember)[\w.-]{0,40}=(?<name>[^\s;,"'\x60\\]{12,4096}))` +
        String.raw`(?<secret>[\w.-]{1,80}=[^\r\n"'\x60\\]{12,8000})`,
      'iy',
    ),
    tier: 'candidate',
    isSecret: (_, { groups = {} }) => !isPlaceholder(groups['name']!) && !isCode(groups['name']!),
    source: 'https://www.rfc-editor.org/rfc/rfc6265#section-8.4',
  },
  {
    id: 'named-secret',
    title: 'Value with the name of a secret',
    isPart: true,
    before: 40,
    longest: 160,
    // a separator follows soon, and neither a short number nor an object
    head: new RegExp(
      String.raw`[\w"'\x60\\\s\]*+-]{3,80}?(?:[=>%<|]|["'][ \t]*\{|[,(][ \t]*(?:\\*["']|[vV]alue)|` +
        String.raw`[\w-] +(?:[\w"'\x60\\+/]|-(?!-))|` +
        String.raw`:(?!\s*(?:\d{1,11}\s*[,}\]]|\{|\[\s*[^\\"'\s]|null|true|false)))`,
      'y',
    ),
    anchors: [...NAMES, ...TOKEN, ...PASS],
    pattern: new RegExp(`${NO_MARK}${NAME}(?:${TO})${VALUE.replace('(["', '(?<quote>["')}`, 'y'),
    tier: 'candidate',
    isSecret: isNamedSecret,
    source: 'https://owasp.org/www-project-web-security-testing-guide/',
  },
]);
