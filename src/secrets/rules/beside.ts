/** Secrets that stand before what tells of them: the value before its name, and what is piped into a command. */
import { isPlaceholder } from '../placeholder.js';
import { defineRules } from '../rule.js';
import { isNamedSecret, NAME } from './named.js';

const SPACE = String.raw`[ \t\r\n]{0,16}`;
/** As `{"value": "…", "type": "text", "name": "password"}`. */
const VALUE =
  `["']?(?:\\w{0,24}V|v)alue["']?${SPACE}[:=]${SPACE}(?<quote>["'])` +
  `(?<quoted>(?:(?!\\k<quote>)[^\\\\\\x00-\\x1f]|\\\\[^\\x00-\\x1f]){8,256})\\k<quote>${SPACE},${SPACE}` +
  `(?:"\\w{1,24}"${SPACE}:${SPACE}(?:true|false|null|"\\w{0,24}")${SPACE},${SPACE}){0,3}`;
const NAMED = `["']?\\w{0,24}(?:[nN]ame|[kK]ey)["']?${SPACE}[:=]${SPACE}["'][\\w .:/-]{0,60}?${NAME}["']`;

/** Of a command line; a variable of the shell is none. */
const PASSWORD = String.raw`(?<secret>[^\s"'\x60$<>\\|]{4,256})`;
const SAY = String.raw`(?:echo|printf)\s{1,4}(?:-\w{1,3}\s{1,4})?(?:["']?%s(?:\\{1,4}n)?["']?\s{1,4})?["']?`;
const PIPE = String.raw`["']?\s{0,4}\|\s{0,4}`;
const READS = String.raw`(?:sudo (?:-\w+\s){0,4}?(?:-\w*S|--stdin)|[\w./-]+\s[^\n|;&]{0,200}?--password-stdin)`;

export const secretsBefore = defineRules([
  {
    id: 'secret-before-name',
    title: 'Value before the name of a secret',
    anchors: ['name', 'Name', 'key', 'Key'].flatMap((word) => ['"', '\\', "'"].map((end) => word + end)),
    lead: 400,
    head: /(?:name|key)\\*["'][\s:=]{1,8}\\*["'][\w .:/-]{0,60}?(?:pass|pwd|secret|token|key|cred|salt)/iy,
    pattern: new RegExp(VALUE + NAMED, 'y'),
    tier: 'candidate',
    isSecret: isNamedSecret,
    source: 'http://www.softwareishard.com/blog/har-12-spec/#headers',
  },
  {
    id: 'piped-password',
    title: 'Password piped into a command',
    anchors: ['sudo -', 'sudo --stdin', '--password-stdin'],
    lead: 400,
    pattern: new RegExp(
      `${SAY}${PASSWORD}${PIPE}${READS}|` +
        String.raw`sudo (?:-\w+\s){0,4}?(?:-\w*S\w*|--stdin)\s[^\n|;&]{0,200}?<<<\s{0,4}["']?` +
        PASSWORD.replace('secret', 'told'),
      'y',
    ),
    isSecret: (text) => !isPlaceholder(text),
    source: 'https://www.sudo.ws/docs/man/sudo.man/#S',
  },
]);
