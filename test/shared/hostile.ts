/** Texts that attack a page, and a session that holds them in every field that a page could show. */

import { ALL } from './effort.js';

/** `@` stands for a number, so that each text is another one. The calls would open a dialog, which a test notices. */
const ATTACKS = [
  '<script>alert(@)</script>',
  '</script><script>alert(@)</script>',
  '</style><script>alert(@)</script>',
  '</title><script>alert(@)</script>',
  '</pre><img src=x@ onerror=alert(@)>',
  '"><img src=x@ onerror=alert(@)>',
  "'><svg onload=alert(@)>",
  '<svg><script>alert(@)</script></svg>',
  '<svg><animate onbegin=alert(@) attributeName=x dur=1s>',
  '<math><mtext><img src=x@ onerror=alert(@)></mtext></math>',
  '<iframe srcdoc="<script>parent.alert(@)</script>"></iframe>',
  '<iframe src="javascript:alert(@)"></iframe>',
  '<object data="javascript:alert(@)"></object>',
  '<embed src="javascript:alert(@)">',
  '<a href="javascript:alert(@)">click</a>',
  '[link](javascript:alert(@))',
  '![image](https://evil.example/@.png)',
  '<base href="https://evil.example/@/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/@">',
  '<link rel=stylesheet href="https://evil.example/@.css">',
  '<style>@import "https://evil.example/@.css";</style>',
  '<body onload=alert(@)>',
  '<details open ontoggle=alert(@)>',
  '<video src=x@ onerror=alert(@)></video>',
  '<input autofocus onfocus=alert(@)>',
  '<form action="https://evil.example/@"><button>x</button></form>',
  '<marquee onstart=alert(@)>x</marquee>',
  '<textarea autofocus onfocus=alert(@)></textarea>',
  '<!--<img src="--><img src=x@ onerror=alert(@)>',
  '<noscript><p title="</noscript><img src=x@ onerror=alert(@)>">',
  '<template><script>alert(@)</script></template>',
  '`"><script>alert(@)</script>`',
  '**"><img src=x@ onerror=alert(@)>**',
  'https://evil.example/@"onmouseover="alert(@)',
  "https://evil.example/@'onmouseover='alert(@)",
  '&lt;script&gt;alert(@)&lt;/script&gt;',
  '&#60;script&#62;alert(@)&#60;/script&#62;',
  '{{constructor.constructor("alert(@)")()}}',
  '];alert(@);//',
  '%3Cscript%3Ealert(@)%3C/script%3E',
];

/** No two the same: each attack several times. */
export const HOSTILE_TEXTS: readonly string[] = Array.from({ length: ALL ? 1000 : 300 }, (_, index) =>
  ATTACKS[index % ATTACKS.length]!.replaceAll('@', String(index)),
);

/** A Claude Code session: in texts, reasoning, languages of code, arguments, results, tools, models, ids and paths. */
export function hostileSession(): string {
  const lines: object[] = [];
  let last: string | null = null;
  const add = (type: string, message: object, text: string) => {
    const uuid = `${lines.length} ${text}`;
    const time = new Date(Date.UTC(2026, 0, 1) + lines.length * 1000).toISOString();
    const common = {
      uuid,
      parentUuid: last,
      timestamp: time,
      sessionId: text,
      cwd: `/home/${text}`,
      isSidechain: false,
    };
    lines.push({ type, ...common, version: text, gitBranch: text, message });
    last = uuid;
  };
  HOSTILE_TEXTS.forEach((text, index) => {
    const id = `toolu_${index} ${text}`;
    const content = [
      { type: 'thinking', thinking: text, signature: text },
      { type: 'text', text: `${text}\n\`\`\`${text}\n${text}\n\`\`\`` },
      { type: 'tool_use', id, name: text, input: { [text]: text, nested: { deep: [text] }, long: text.repeat(40) } },
    ];
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: index * 50,
      cache_creation_input_tokens: 50,
    };
    add('user', { role: 'user', content: text }, text);
    add('assistant', { id: `msg_${index} ${text}`, role: 'assistant', model: text, content, usage }, text);
    add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text.repeat(30) }] }, text);
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
