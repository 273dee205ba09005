/**
 * Secrets of the forms that providers document, made up for these tests: right in prefix, alphabet and length, and
 * never issued by anyone. The prefixes are split, so that no scanner takes this file for a leak.
 */
import { createHash } from 'node:crypto';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
export const ALPHABETS = {
  hex: `${DIGITS}abcdef`,
  letters: UPPER + LOWER,
  alnum: UPPER + LOWER + DIGITS,
  lower: LOWER + DIGITS,
  upper: UPPER + DIGITS,
  base32: `${UPPER}234567`,
  base64: `${UPPER}${LOWER}${DIGITS}+/`,
  url: `${UPPER}${LOWER}${DIGITS}-_`,
  digits: DIGITS,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** Texts as they are; `{alphabet:length}` is filled. */
const SHAPES: readonly (readonly [rule: string, ...pieces: string[]])[] = [
  ['anthropic-key', 'sk-an', 't-api03-{url:93}AA'],
  ['anthropic-key', 'sk-an', 't-admin01-{url:93}AA'],
  ['anthropic-session', 'sk-an', 't-oat01-{url:93}AA'],
  ['openai-key', 'sk-pr', 'oj-{url:74}T3Blbk', 'FJ{url:74}'],
  ['openai-key', 'sk-svc', 'acct-{url:74}T3Blbk', 'FJ{url:74}'],
  ['openai-key', 'sk-ad', 'min-{url:58}T3Blbk', 'FJ{url:58}'],
  ['sk-key', 's', 'k-{alnum:20}T3Blbk', 'FJ{alnum:20}'],
  ['sk-key', 's', 'k-{hex:32}'],
  ['openrouter-key', 'sk-o', 'r-v1-{hex:64}'],
  ['google-api-key', 'AI', 'za{url:35}'],
  ['hugging-face-token', 'h', 'f_{letters:34}'],
  ['groq-key', 'gs', 'k_{alnum:52}'],
  ['xai-key', 'xa', 'i-{alnum:80}'],
  ['replicate-token', 'r', '8_{alnum:37}'],
  ['perplexity-key', 'ppl', 'x-{alnum:48}'],
  ['nvidia-key', 'nva', 'pi-{url:64}'],
  ['cerebras-key', 'cs', 'k-{lower:48}'],
  ['together-key', 'tgp', '_v1_{url:43}'],
  ['langsmith-key', 'lsv', '2_pt_{hex:32}_{hex:10}'],
  ['langfuse-key', 'sk-l', 'f-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}'],
  ['tavily-key', 'tvl', 'y-dev-{alnum:32}'],
  ['firecrawl-key', 'f', 'c-{hex:32}'],
  ['e2b-key', 'e2', 'b_{hex:40}'],
  ['github-token', 'gh', 'p_{alnum:36}'],
  ['github-token', 'gh', 's_{alnum:36}'],
  ['github-fine-grained-token', 'github', '_pat_{alnum:22}_{alnum:59}'],
  ['gitlab-token', 'glp', 'at-{url:20}'],
  ['atlassian-token', 'ATA', 'TT3xFfGF0{url:170}={upper:8}'],
  ['npm-token', 'np', 'm_{alnum:36}'],
  ['pypi-token', 'py', 'pi-AgEIcHlwaS5vcmc{url:150}'],
  ['rubygems-token', 'ruby', 'gems_{hex:48}'],
  ['crates-token', 'ci', 'o{alnum:32}'],
  ['nuget-key', 'oy', '2{lower:43}'],
  ['docker-token', 'dckr', '_pat_{url:27}'],
  ['aws-access-key-id', 'AK', 'IA{base32:16}'],
  ['aws-access-key-id', 'AS', 'IA{base32:16}'],
  ['aws-bedrock-key', 'AB', 'SK{base64:128}'],
  ['azure-client-secret', '{alnum:3}8', 'Q~{alnum:34}'],
  ['google-oauth-token', 'ya', '29.{url:120}'],
  ['google-oauth-token', 'GOC', 'SPX-{url:28}'],
  ['alibaba-key-id', 'LT', 'AI5t{alnum:20}'],
  ['tencent-key-id', 'AK', 'ID{alnum:32}'],
  ['digitalocean-token', 'do', 'p_v1_{hex:64}'],
  ['heroku-key', 'HRK', 'U-{url:60}'],
  ['netlify-token', 'nf', 'p_{alnum:36}'],
  ['databricks-token', 'da', 'pi{hex:32}'],
  ['supabase-key', 'sb', 'p_{hex:40}'],
  ['planetscale-token', 'psca', 'le_tkn_{url:43}'],
  ['terraform-token', '{alnum:14}.atla', 'sv1.{url:67}'],
  ['vault-token', 'hv', 's.{url:95}'],
  ['pulumi-token', 'pu', 'l-{hex:40}'],
  ['doppler-token', 'dp.p', 't.{alnum:43}'],
  ['tailscale-key', 'tsk', 'ey-auth-{alnum:17}-{alnum:32}'],
  ['grafana-token', 'gls', 'a_{alnum:32}_{hex:8}'],
  ['sentry-token', 'sntr', 'yu_{hex:64}'],
  ['newrelic-key', 'NRA', 'K-{upper:27}'],
  ['dynatrace-token', 'dt0', 'c01.{upper:24}.{upper:64}'],
  ['dynatrace-token', 'dt0', 's02.{upper:24}.{upper:64}'],
  ['stripe-key', 'sk_l', 'ive_{alnum:24}'],
  ['stripe-key', 'rk_l', 'ive_{alnum:99}'],
  ['webhook-secret', 'whs', 'ec_{base64:32}'],
  ['square-key', 'sq0', 'csp-{url:43}'],
  ['shopify-token', 'shp', 'at_{hex:32}'],
  ['braintree-token', 'access', '_token$production$', '{lower:16}$', '{hex:32}'],
  ['slack-token', 'xo', 'xb-{digits:12}-{digits:13}-{alnum:24}'],
  ['discord-webhook', 'https://discord.com/api/web', 'hooks/{digits:18}/{url:68}'],
  ['slack-webhook', 'https://hooks.slack', '.com/services/T{upper:8}/B{upper:8}/{alnum:24}'],
  ['telegram-token', '{digits:10}:A', 'A{alnum:33}'],
  ['sendgrid-key', 'S', 'G.{url:22}.{url:43}'],
  ['mailgun-key', 'ke', 'y-{hex:32}'],
  ['mailchimp-key', '{hex:32}-u', 's21'],
  ['brevo-key', 'xkey', 'sib-{hex:64}-{alnum:16}'],
  ['linear-key', 'lin', '_api_{alnum:40}'],
  ['notion-token', 'nt', 'n_{alnum:46}'],
  ['figma-token', 'fig', 'd_{url:40}'],
  ['airtable-token', 'pa', 't{alnum:14}.{hex:64}'],
  ['dropbox-token', 'sl', '.{url:140}'],
  ['posthog-key', 'ph', 'x_{alnum:43}'],
  ['age-key', 'AGE-SEC', 'RET-KEY-1{bech32:58}'],
  ['jwt', 'ey', 'J{alnum:33}.ey', 'J{alnum:60}.{url:43}'],
];

/** Secrets that only their surroundings show; the part in `<>` is the secret. */
const IN_CONTEXT: readonly (readonly [rule: string, ...pieces: string[]])[] = [
  ['aws-secret-key', 'aws_secret_access_key = ', '<{base64:40}>'],
  ['aws-secret-key', 'secretKey: ', '<{base64:40}>'],
  ['aws-secret-key', 'SECRET_KEY=', '<{base64:40}>'],
  ['azure-storage-key', 'DefaultEndpointsProtocol=https;AccountName=a;Account', 'Key=<{base64:86}==>;'],
  ['password-in-url', 'postgres://bob:', '<{alnum:16}>@db.internal:5432/app'],
  ['bearer-token', 'authorization: Bea', 'rer <{alnum:40}>'],
  ['basic-credentials', 'Authorization: Ba', 'sic <{base64:28}==>'],
  ['twilio-key', 'TWILIO_AUTH_', 'TOKEN=<{hex:32}>'],
  ['named-secret', 'STRANGE_SERVICE_API_', 'KEY=<{alnum:40}>'],
  ['telegram-token', 'https://api.telegram.org/b', 'ot<{digits:9}:A', 'A{alnum:33}>/getMe'],
  ['named-secret', 'client_sec', 'ret: "<{alnum:32}>"'],
];

export interface Planted {
  readonly rule: string;
  readonly secret: string;
  /** The secret with what is around it. */
  readonly text: string;
}

export const planted: readonly Planted[] = [
  ...SHAPES.map(([rule, ...pieces], index) => {
    const text = filled(pieces.join(''), `shape ${index}`);
    return { rule, secret: secretIn(rule, text), text };
  }),
  ...IN_CONTEXT.map(([rule, ...pieces], index) => {
    const text = filled(pieces.join(''), `context ${index}`);
    return { rule, secret: /<(.*)>/.exec(text)![1]!, text: text.replace(/[<>]/g, '') };
  }),
  ...['RSA PRIVATE KEY', 'EC PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY'].map((kind) => {
    const lines = Array.from({ length: 12 }, (_, line) => filled('{base64:64}', `${kind} ${line}`));
    const text = [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join('\n');
    return { rule: 'private-key', secret: text, text };
  }),
];

/** Of an address, only the end is secret. */
function secretIn(rule: string, text: string): string {
  if (rule === 'discord-webhook') return text.split('/').slice(-2).join('/');
  return rule === 'slack-webhook' ? text.split('/').slice(-3).join('/') : text;
}

function filled(shape: string, seed: string): string {
  let round = 0;
  return shape.replace(/\{(\w+):(\d+)\}/g, (_, name: keyof typeof ALPHABETS, length: string) =>
    random(ALPHABETS[name], Number(length), `${seed} ${round++}`),
  );
}

/** The same text for the same seed. */
export function random(alphabet: string, length: number, seed: string): string {
  let text = '';
  for (let block = 0; text.length < length; block++)
    for (const byte of createHash('sha256').update(`${seed} ${block}`).digest())
      text += alphabet[byte % alphabet.length];
  return text.slice(0, length);
}

/** What looks like a secret and is none. */
export const lookAlikes: readonly string[] = [
  createHash('sha1').update('a').digest('hex'),
  createHash('sha256').update('a').digest('hex'),
  createHash('sha512').update('a').digest('base64'),
  `"sha256": "${createHash('sha256').update('b').digest('hex')}"`,
  '123e4567-e89b-12d3-a456-426614174000',
  `toolu_${random(ALPHABETS.alnum, 24, 'tool')}`,
  `call_${random(ALPHABETS.alnum, 24, 'call')}`,
  `chatcmpl-${random(ALPHABETS.alnum, 29, 'chat')}`,
  `msg_${random(ALPHABETS.alnum, 24, 'message')}`,
  `resp_${random(ALPHABETS.hex, 48, 'response')}`,
  `data:image/png;base64,iVBORw0KGgo${random(ALPHABETS.base64, 4000, 'picture')}`,
  `"integrity": "sha512-${random(ALPHABETS.base64, 86, 'integrity')}=="`,
  `"signature": "${random(ALPHABETS.base64, 400, 'signature')}"`,
  'AKIAIOSFODNN7EXAMPLE',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'OPENAI_API_KEY=sk-...',
  `export ANTHROPIC_API_KEY=sk-ant-api03-${'x'.repeat(95)}`,
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'postgres://user:password@localhost:5432/app',
  'redis://:$' + '{REDIS_PASSWORD}@cache:6379',
  'https://github.com:443/a/b@v1.2.3',
  'Authorization: Bearer $' + '{TOKEN}',
  'Authorization: Bearer <your token here>',
  'api_key = os.environ["SERVICE_API_KEY"]',
  'const token = process.env.GITHUB_TOKEN;',
  'token: string | undefined; password: string;',
  'max_tokens: 4096, total_tokens: 123456789012',
  '<div class="sk-folding-cube sk-fading-circle-container-wrapper-large">',
  'npm_package_config_something_that_is_long_enough_for_it',
  'password: hunter2',
  'the secret: never give up on the things you love',
  'tokenizer = AutoTokenizer.from_pretrained("meta-llama/Llama-3.1-8B")',
  'SG.Data.Something.NotAKey',
  '[secret:anthropic-key:1]',
  'API_KEY=[secret:named-secret:2]',
  'key-value-store-with-a-very-long-name-indeed',
  '/api/webhooks/deliveries/latest/by-date/and/name/of/the/receiver/that/is/long',
];
