/**
 * Keys whose forms other scanners have collected: prefix, alphabet and length as in gitleaks' `config/gitleaks.toml`;
 * of those with a source of their own, as documented there. All read in November 2026.
 */
import type { SecretRule } from '../rule.js';

const SOURCE = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml';

const GITHUB =
  'https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\\w)';

/** Each with its title, the anchors of its forms, the forms, and where they are documented. */
type Form = readonly [id: string, title: string, anchors: readonly string[], form: RegExp, source?: string];
const FORMS: readonly Form[] = [
  ['adobe-client-secret', 'Adobe client secret', ['p8e-'], /p8e-[a-zA-Z0-9]{32}(?!\w)/y],
  ['artifactory-key', 'Artifactory key', ['AKCp', 'cmVmd'], /(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})(?!\w)/y],
  ['clojars-token', 'Clojars token', ['CLOJARS_'], /CLOJARS_[A-Za-z0-9]{60}(?!\w)/y],
  ['duffel-token', 'Duffel token', ['duffel_'], /duffel_(?:test|live)_[\w=-]{43}(?!\w)/y],
  ['easypost-key', 'EasyPost key', ['EZAK', 'EZTK'], /EZ[AT]K[A-Za-z0-9]{54}(?!\w)/y],
  ['facebook-token', 'Facebook page token', ['EAAM', 'EAAC'], /EAA[MC][A-Za-z0-9]{100,400}(?!\w)/y],
  ['flutterwave-key', 'Flutterwave key', ['FLWSECK'], /FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?(?!\w)/y],
  [
    'fly-token',
    'Fly.io token',
    ['fo1_', 'fm1', 'fm2_'],
    /(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,900}={0,3})/y,
  ],
  ['frameio-token', 'Frame.io token', ['fio-u-'], /fio-u-[\w=-]{64}(?!\w)/y],
  ['harness-token', 'Harness token', ['pat.', 'sat.'], /[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}(?!\w)/y],
  ['infracost-key', 'Infracost key', ['ico-'], /ico-[A-Za-z0-9]{32}(?!\w)/y],
  ['intra42-secret', 'Intra42 secret', ['s-s4t2'], /s-s4t2(?:ud|af)-[0-9a-f]{64}(?!\w)/y],
  ['mapbox-token', 'Mapbox secret token', ['sk.eyJ'], /sk\.eyJ[\w-]{60,200}\.[\w-]{20,30}(?!\w)/y],
  ['maxmind-key', 'MaxMind license key', ['_mmk'], /\w{6}_\w{29}_mmk(?!\w)/y],
  ['octopus-key', 'Octopus Deploy key', ['API-'], /API-[A-Z0-9]{26}(?!\w)/y],
  ['openshift-token', 'OpenShift token', ['sha256~'], /sha256~[\w-]{43}(?![\w-])/y],
  ['postman-key', 'Postman key', ['PMAK-'], /PMAK-[0-9a-f]{24}-[0-9a-f]{34}(?!\w)/y],
  ['prefect-token', 'Prefect token', ['pnu_'], /pnu_[A-Za-z0-9]{36}(?!\w)/y],
  ['readme-key', 'ReadMe key', ['rdme_'], /rdme_[a-z0-9]{70}(?!\w)/y],
  ['scalingo-token', 'Scalingo token', ['tk-us-'], /tk-us-[\w-]{48}(?![\w-])/y],
  ['settlemint-token', 'SettleMint token', ['sm_pat_', 'sm_aat_', 'sm_sat_'], /sm_[pas]at_[A-Za-z0-9]{16}(?!\w)/y],
  ['shippo-token', 'Shippo token', ['shippo_'], /shippo_(?:live|test)_[0-9a-f]{40}(?!\w)/y],
  ['sonar-token', 'SonarQube token', ['squ_', 'sqp_', 'sqa_'], /sq[upa]_[A-Za-z0-9=_-]{40}(?!\w)/y],
  ['sourcegraph-token', 'Sourcegraph token', ['sgp_'], /sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}(?!\w)/y],
  ['typeform-token', 'Typeform token', ['tfp_'], /tfp_[\w=.-]{59}(?!\w)/y],
  ['yandex-key', 'Yandex Cloud key', ['AQVN', 'YCAJ'], /(?:AQVN[\w-]{35,38}|YCAJ[\w-]{21})(?![\w-])/y],
  ['asana-token', 'Asana token', ['0/1', '1/1', '2/1'], /[012]\/1\d{9,19}(?:\/1\d{9,19})?:[0-9a-f]{32}(?!\w)/y],
  ['clickup-token', 'ClickUp token', ['pk_'], /pk_\d{6,10}_[A-Z0-9]{32}(?!\w)/y],
  ['contentful-token', 'Contentful token', ['CFPAT-'], /CFPAT-[\w-]{43}(?![\w-])/y],
  ['infisical-token', 'Infisical token', ['st.'], /st\.[0-9a-f-]{24,36}\.[0-9a-f]{32}\.[0-9a-f]{32}(?!\w)/y],
  ['lob-key', 'Lob key', ['live_'], /live_[0-9a-f]{35}(?!\w)/y],
  [
    'onepassword-key',
    '1Password secret key',
    ['A3-'],
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?!\w)/y,
  ],
  [
    'plaid-token',
    'Plaid token',
    ['production', 'sandbox', 'development'].map((kind) => `access-${kind}-`),
    new RegExp(`access-(?:production|sandbox|development)-${UUID}`, 'y'),
  ],
  ['pubnub-key', 'PubNub secret key', ['sec-c-'], /sec-c-[A-Za-z0-9-]{36,60}(?![\w-])/y, GITHUB],
  ['twilio-api-key', 'Twilio API key', [...'0123456789abcdef'].map((digit) => `SK${digit}`), /SK[0-9a-f]{32}(?!\w)/y],
  [
    'azure-key',
    'Azure key or DevOps token',
    ['JQQJ99', 'AZDO'],
    /[A-Za-z0-9]{52}(?:JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9]{24}AZDO[A-Za-z0-9]{4})(?!\w)/y,
    'https://learn.microsoft.com/en-us/azure/devops/organizations/accounts/' +
      'use-personal-access-tokens-to-authenticate',
  ],
  [
    'vercel-token',
    'Vercel token',
    ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    /vc[piark]_[A-Za-z0-9]{24,80}(?!\w)/y,
    GITHUB,
  ],
  [
    'cloudflare-token',
    'Cloudflare token',
    ['cfk_', 'cfut_', 'cfat_'],
    /cf(?:k|ut|at)_[A-Za-z0-9]{48}(?!\w)/y,
    'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/',
  ],
  ['datadog-token', 'Datadog token', ['ddpat_', 'ddsat_'], /dd[ps]at_\w{32,90}(?!\w)/y, GITHUB],
  ['newrelic-license', 'New Relic license key', ['NRAL'], /[A-Za-z0-9]{36}NRAL(?!\w)/y, GITHUB],
  ['resend-key', 'Resend key', ['re_'], /re_(?=\w*\d)(?=\w*[A-Z])[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?!\w)/y, GITHUB],
  ['render-key', 'Render key', ['rnd_'], /rnd_[A-Za-z0-9]{28,32}(?!\w)/y, GITHUB],
  [
    'circleci-token',
    'CircleCI token',
    ['CCIPAT_', 'CCIPRJ_'],
    /CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}(?!\w)/y,
    GITHUB,
  ],
  ['buildkite-token', 'Buildkite token', ['bkua_'], /bkua_[0-9a-f]{40}(?!\w)/y, GITHUB],
  ['launchdarkly-key', 'LaunchDarkly key', ['sdk-', 'api-'], new RegExp(`(?:sdk|api)-${UUID}`, 'y'), GITHUB],
  ['hubspot-token', 'HubSpot token', ['pat-'], new RegExp(`pat-\\w{2}\\d-${UUID}`, 'y'), GITHUB],
  ['wandb-key', 'Weights & Biases key', ['wandb_v1_'], /wandb_v1_\w{70,90}(?!\w)/y, 'https://docs.wandb.ai/'],
  ['dbt-token', 'dbt token', ['dbtc_', 'dbtu_'], /dbt[cu]_[\w-]{30,60}(?![\w-])/y, GITHUB],
  [
    'firebase-key',
    'Firebase server key',
    [':APA91b'],
    /AAAA[\w-]{7}:APA91b[\w-]{100,200}/y,
    'https://firebase.google.com/docs/cloud-messaging/auth-server',
  ],
  [
    'aspnet-cookie',
    'Protected data of ASP.NET',
    ['CfDJ8'],
    /CfDJ8[\w-]{60,8000}/y,
    'https://learn.microsoft.com/en-us/aspnet/core/security/data-protection/implementation/authenticated-encryption-details',
  ],
  [
    'password-hash',
    'Hash of a password',
    ['$1$', '$5$', '$6$', '$apr1$', '$2a$', '$2b$', '$2y$', '$y$', '$argon2'],
    new RegExp(
      '\\$(?:(?:apr1|1|5|6)\\$(?:rounds=\\d+\\$)?[\\w./]{1,16}\\$[\\w./]{22,86}|2[aby]\\$\\d\\d\\$[\\w./]{53}|' +
        'y\\$[\\w./]{1,20}\\$[\\w./]{1,86}\\$[\\w./]{43}|' +
        'argon2\\w{1,2}\\$v=\\d+\\$[\\w=,]+\\$[\\w+/]+\\$[\\w+/]{16,})(?!\\w)',
      'y',
    ),
    'https://manpages.debian.org/crypt.5',
  ],
  ['adafruit-key', 'Adafruit IO key', ['aio_'], /aio_[A-Za-z0-9]{28}(?!\w)/y, GITHUB],
  ['amp-key', 'Amp key', ['sgamp_'], /sgamp_user_[A-Z0-9]{26}_[0-9a-f]{64}(?!\w)/y, 'https://ampcode.com/manual'],
  ['apify-token', 'Apify token', ['apify_api_'], /apify_api_[A-Za-z0-9]{36}(?!\w)/y, 'https://docs.apify.com/api/v2'],
  [
    'aws-session-token',
    'AWS session token',
    ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz'],
    /(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/%]{100,2000}={0,2}/y,
    'https://docs.aws.amazon.com/STS/latest/APIReference/API_Credentials.html',
  ],
  ['browserbase-key', 'Browserbase key', ['bb_live_'], /bb_live_[\w-]{20,50}/y, 'https://docs.browserbase.com/'],
  [
    'context7-key',
    'Context7 key',
    ['ctx7sk-'],
    new RegExp(`ctx7sk-${UUID}`, 'y'),
    'https://github.com/upstash/context7',
  ],
  ['cursor-key', 'Cursor key', ['key_'], /key_[0-9a-f]{64}(?!\w)/y, 'https://cursor.com/docs/api'],
  [
    'django-key',
    'Secret key of Django',
    ['django-insecure-'],
    /django-insecure-[^\s"'\\]{40,60}/y,
    'https://docs.djangoproject.com/en/stable/ref/settings/#secret-key',
  ],
  ['elevenlabs-key', 'ElevenLabs key', ['sk_'], /sk_[0-9a-f]{48}(?!\w)/y, GITHUB],
  [
    'fireworks-key',
    'Fireworks AI key',
    ['fw_'],
    /fw_(?=\w*\d)(?=\w*[A-Z])[A-Za-z0-9]{22,24}(?!\w)/y,
    'https://docs.fireworks.ai/api-reference/introduction',
  ],
  ['gemini-key', 'Key of Gemini', ['AQ.Ab'], /AQ\.Ab[\w-]{40,60}/y, 'https://ai.google.dev/gemini-api/docs/api-key'],
  ['jina-key', 'Jina AI key', ['jina_'], /jina_[\w-]{50,70}/y, 'https://jina.ai/api-dashboard/'],
  [
    'laravel-key',
    'Key of Laravel',
    ['base64:'],
    /base64:[A-Za-z0-9+/]{43}=(?![=\w])/y,
    'https://laravel.com/docs/encryption',
  ],
  ['neon-key', 'Neon key', ['napi_'], /napi_[a-z0-9]{60,70}(?!\w)/y, 'https://neon.com/docs/manage/api-keys'],
  ['pinecone-key', 'Pinecone key', ['pcsk_'], /pcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,70}(?!\w)/y, GITHUB],
  ['trello-token', 'Trello token', ['ATTA'], /ATTA[0-9a-f]{72}(?!\w)/y, GITHUB],
  ['vercel-blob-token', 'Token of Vercel Blob', ['vercel_blob_rw_'], /vercel_blob_rw_\w{40,60}/y, GITHUB],
  [
    'voyage-key',
    'Voyage AI key',
    ['pa-'],
    /pa-(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/y,
    'https://docs.voyageai.com/docs/api-key-and-installation',
  ],
  ['teams-webhook', 'Teams webhook', ['webhookb2/'], /webhookb2\/(?<secret>[\w@/-]{80,240})/y],
];
const LEADS: ReadonlyMap<string, number> = new Map([
  ['maxmind-key', 36],
  ['azure-key', 76],
  ['newrelic-license', 36],
  ['firebase-key', 11],
]);

export const otherKeys: readonly SecretRule[] = FORMS.map(([id, title, anchors, pattern, source]) => ({
  id,
  title,
  anchors,
  pattern,
  ...(LEADS.has(id) ? { lead: LEADS.get(id)! } : {}),
  ...(pattern.source.length > 60 || id === 'facebook-token' ? { longest: 1100 } : {}),
  tier: 'definite' as const,
  source: source ?? SOURCE,
}));
