/** Keys of payment, mail, chat and office services. The forms were read in November 2026. */
import { defineRules } from '../rule.js';

export const serviceKeys = defineRules([
  {
    id: 'stripe-key',
    title: 'Stripe secret key',
    anchors: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    pattern: /[sr]k_(?:live|test)_[A-Za-z0-9]{24,247}(?!\w)/y,
    tier: 'definite',
    // https://docs.stripe.com/keys
  },
  {
    id: 'webhook-secret',
    title: 'Webhook signing secret',
    anchors: ['whsec_'],
    pattern: /whsec_[A-Za-z0-9+/]{32,64}={0,2}/y,
    tier: 'definite',
    // https://docs.stripe.com/webhooks/signature
  },
  {
    id: 'square-key',
    title: 'Square token or secret',
    anchors: ['sq0csp-', 'sq0atp-', 'EAAA'],
    pattern: /(?:sq0csp-[\w-]{43}|sq0atp-[\w-]{22}|EAAA[\w-]{60})(?![\w-])/y,
    tier: 'definite',
    // https://developer.squareup.com/docs/build-basics/access-tokens
  },
  {
    id: 'shopify-token',
    title: 'Shopify token',
    anchors: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    pattern: /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?!\w)/y,
    tier: 'definite',
    // https://shopify.dev/changelog/app-secret-key-length-has-increased
  },
  {
    id: 'braintree-token',
    title: 'Braintree access token',
    anchors: ['access_token$'],
    pattern: /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}(?!\w)/y,
    tier: 'definite',
    // https://developer.paypal.com/braintree/articles/control-panel/important-gateway-credentials
  },
  {
    id: 'slack-token',
    title: 'Slack token',
    anchors: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxe.', 'xapp-'],
    pattern: /x(?:ox[abcdeprs]|oxe\.xox[bp]|app)-[A-Za-z0-9%-]{24,400}/y,
    tier: 'definite',
    // https://docs.slack.dev/authentication/tokens/
  },
  {
    id: 'slack-webhook',
    title: 'Slack webhook',
    anchors: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/[a-z]{8,9}\/(?<secret>(?:[A-Za-z0-9]{8,}\/){2}[A-Za-z0-9]{16,})/y,
    tier: 'definite',
    // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/
  },
  {
    id: 'discord-webhook',
    title: 'Discord webhook',
    anchors: ['/api/webhooks/'],
    pattern: /\/api\/webhooks\/(?<secret>\d{17,20}\/[\w-]{60,80})/y,
    tier: 'definite',
    // https://discord.com/developers/docs/resources/webhook
  },
  {
    id: 'telegram-token',
    title: 'Telegram bot token',
    anchors: [':AA'],
    lead: 13,
    pattern: /(?:bot)?(\d{8,10}:AA[\w-]{32,33})(?![\w-])/y, // `bot` as in addresses of the API
    tier: 'definite',
    // https://core.telegram.org/bots/features#botfather
  },
  {
    id: 'sendgrid-key',
    title: 'SendGrid API key',
    anchors: ['SG.'],
    pattern: /SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/y,
    tier: 'definite',
    // https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys
  },
  {
    id: 'twilio-key',
    title: 'Twilio API key',
    anchors: ['TWILIO_', 'twilio_'],
    pattern: /(?:TWILIO|twilio)_\w{3,24}["'\s]{0,64}[:=]["'\s]{0,64}(?<secret>(?:SK)?[0-9a-f]{32})(?!\w)/y,
    tier: 'definite',
    // https://www.twilio.com/docs/iam/api-keys
  },
  {
    id: 'mailgun-key',
    title: 'Mailgun key',
    anchors: ['key-'],
    pattern: /key-[0-9a-f]{32}(?!\w)/y,
    tier: 'definite',
    // https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth
  },
  {
    id: 'mailchimp-key',
    title: 'Mailchimp key',
    anchors: ['-us'],
    lead: 32,
    pattern: /[0-9a-f]{32}-us\d{1,2}(?!\w)/y,
    tier: 'definite',
    // https://mailchimp.com/help/about-api-keys/
  },
  {
    id: 'brevo-key',
    title: 'Brevo key',
    anchors: ['xkeysib-', 'xsmtpsib-'],
    pattern: /x(?:keys|smtps)ib-[0-9a-f]{64}-[A-Za-z0-9]{16}(?!\w)/y,
    tier: 'definite',
    // https://developers.brevo.com/docs/getting-started
  },
  {
    id: 'linear-key',
    title: 'Linear API key',
    anchors: ['lin_api_', 'lin_oauth_'],
    pattern: /lin_(?:api|oauth)_[A-Za-z0-9]{40,64}(?!\w)/y,
    tier: 'definite',
    // https://linear.app/docs/api-and-webhooks
  },
  {
    id: 'notion-token',
    title: 'Notion token',
    anchors: ['ntn_', 'secret_'],
    pattern: /(?:ntn_[A-Za-z0-9]{43,50}|secret_[A-Za-z0-9]{43})(?!\w)/y,
    tier: 'definite',
    // https://developers.notion.com/changelog/changes-to-integration-token-format
  },
  {
    id: 'figma-token',
    title: 'Figma token',
    anchors: ['figd_', 'figu_'],
    pattern: /fig[du]_[\w-]{40,60}(?![\w-])/y,
    tier: 'definite',
    // https://www.figma.com/developers/api#access-tokens
  },
  {
    id: 'airtable-token',
    title: 'Airtable token',
    anchors: ['pat'],
    head: /pat[A-Za-z0-9]{14}\./y,
    pattern: /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)/y,
    tier: 'definite',
    // https://airtable.com/developers/web/api/authentication
  },
  {
    id: 'dropbox-token',
    title: 'Dropbox token',
    anchors: ['sl.'],
    pattern: /sl\.(?:u\.)?[\w-]{130,}/y,
    tier: 'definite',
    longest: 1600,
    // https://www.dropbox.com/developers/documentation/http/documentation
  },
  {
    id: 'posthog-key',
    title: 'PostHog personal key',
    anchors: ['phx_'],
    pattern: /phx_[A-Za-z0-9]{40,52}(?!\w)/y,
    tier: 'definite',
    // https://posthog.com/docs/api#personal-api-keys-recommended
  },
]);
