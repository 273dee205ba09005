/** Keys of clouds, hosts and their tools. The forms were read in November 2026. */
import { defineRules } from '../rule.js';

export const cloudKeys = defineRules([
  {
    id: 'aws-access-key-id',
    title: 'AWS access key id',
    anchors: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])/y,
    tier: 'definite',
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  },
  {
    id: 'aws-secret-key',
    title: 'AWS secret access key',
    isPart: true,
    anchors: [
      'secret_access_key',
      'SECRET_ACCESS_KEY',
      'SecretAccessKey',
      'secretAccessKey',
      'secret_key',
      'SecretKey',
    ],
    pattern: new RegExp(
      String.raw`secret_?(?:access_?)?key["'\s]{0,64}[:=]["'\s]{0,64}` +
        '(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])',
      'iy',
    ),
    tier: 'definite',
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html
  },
  {
    id: 'aws-bedrock-key',
    title: 'Amazon Bedrock API key',
    anchors: ['ABSK', 'bedrock-api-key-'],
    pattern: /(?:ABSK[A-Za-z0-9+/]{109,269}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{80,400}={0,2})/y,
    tier: 'definite',
    // https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html
  },
  {
    id: 'azure-storage-key',
    title: 'Azure account key',
    anchors: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{42,86}={1,2})/y,
    tier: 'definite',
    // https://learn.microsoft.com/en-us/azure/storage/common/storage-configure-connection-string
  },
  {
    id: 'azure-client-secret',
    title: 'Azure client secret',
    anchors: ['8Q~', '7Q~', '0Q~', '1Q~', '2Q~', '3Q~', '4Q~', '5Q~', '6Q~', '9Q~'],
    lead: 3,
    pattern: /[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/y,
    tier: 'definite',
    // https://learn.microsoft.com/en-us/purview/sit-defn-azure-ad-client-secret
  },
  {
    id: 'google-oauth-token',
    title: 'Google OAuth token or client secret',
    anchors: ['ya29.', 'GOCSPX-', '1//0'],
    pattern: /(?:ya29\.[\w-]{30,}|GOCSPX-[\w-]{28}(?![\w-])|1\/\/0[\w-]{40,})/y,
    tier: 'definite',
    // https://developers.google.com/identity/protocols/oauth2
  },
  {
    id: 'alibaba-key-id',
    title: 'Alibaba Cloud access key id',
    anchors: ['LTAI'],
    pattern: /LTAI[A-Za-z0-9]{16,22}(?!\w)/y,
    tier: 'definite',
    // https://www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair
  },
  {
    id: 'tencent-key-id',
    title: 'Tencent Cloud secret id',
    anchors: ['AKID'],
    pattern: /AKID[A-Za-z0-9]{32}(?!\w)/y,
    tier: 'definite',
    // https://www.tencentcloud.com/document/product/598/32675
  },
  {
    id: 'digitalocean-token',
    title: 'DigitalOcean token',
    anchors: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    pattern: /do[por]_v1_[0-9a-f]{64}(?!\w)/y,
    tier: 'definite',
    // https://docs.digitalocean.com/reference/api/create-personal-access-token/
  },
  {
    id: 'heroku-key',
    title: 'Heroku API key',
    anchors: ['HRKU-'],
    pattern: /HRKU-[\w-]{36,64}(?![\w-])/y,
    tier: 'definite',
    // https://devcenter.heroku.com/articles/oauth
  },
  {
    id: 'cloudflare-origin-key',
    title: 'Cloudflare origin CA key',
    anchors: ['v1.0-'],
    pattern: /v1\.0-[0-9a-f]{24}-[0-9a-f]{146}(?!\w)/y,
    tier: 'definite',
    // https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/
  },
  {
    id: 'netlify-token',
    title: 'Netlify token',
    anchors: ['nfp_', 'nfc_', 'nfu_'],
    pattern: /nf[pcu]_[A-Za-z0-9]{36}(?!\w)/y,
    tier: 'definite',
    // https://docs.netlify.com/api/get-started/
  },
  {
    id: 'databricks-token',
    title: 'Databricks token',
    anchors: ['dapi'],
    pattern: /dapi[0-9a-f]{32}(?:-\d)?(?!\w)/y,
    tier: 'definite',
    // https://docs.databricks.com/aws/en/dev-tools/auth/pat
  },
  {
    id: 'supabase-key',
    title: 'Supabase token or secret key',
    anchors: ['sbp_', 'sb_secret_'],
    pattern: /(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{31})(?!\w)/y,
    tier: 'definite',
    // https://supabase.com/docs/guides/api/api-keys
  },
  {
    id: 'planetscale-token',
    title: 'PlanetScale password or token',
    anchors: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    pattern: /pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}/y,
    tier: 'definite',
    // https://planetscale.com/docs/concepts/service-tokens
  },
  {
    id: 'terraform-token',
    title: 'HCP Terraform token',
    anchors: ['.atlasv1.'],
    lead: 14,
    pattern: /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/y,
    tier: 'definite',
    // https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens
  },
  {
    id: 'vault-token',
    title: 'HashiCorp Vault token',
    anchors: ['hvs.', 'hvb.'],
    pattern: /hv[sb]\.[\w-]{24,300}/y,
    tier: 'definite',
    // https://developer.hashicorp.com/vault/docs/concepts/tokens
  },
  {
    id: 'pulumi-token',
    title: 'Pulumi access token',
    anchors: ['pul-'],
    pattern: /pul-[0-9a-f]{40}(?!\w)/y,
    tier: 'definite',
    // https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/
  },
  {
    id: 'doppler-token',
    title: 'Doppler token',
    anchors: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    pattern: /dp\.(?:pt|st|ct|sa)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}(?!\w)/y,
    tier: 'definite',
    // https://docs.doppler.com/reference/auth-token-formats
  },
  {
    id: 'onepassword-token',
    title: '1Password service account token',
    anchors: ['ops_eyJ'],
    pattern: /ops_eyJ[\w+/-]{250,1200}={0,2}/y,
    longest: 1300,
    tier: 'definite',
    // https://developer.1password.com/docs/service-accounts/security/
  },
  {
    id: 'tailscale-key',
    title: 'Tailscale key',
    anchors: ['tskey-'],
    pattern: /tskey-[a-z]{3,9}-[A-Za-z0-9]{8,}-[A-Za-z0-9]{16,}/y,
    tier: 'definite',
    // https://tailscale.com/kb/1085/auth-keys
  },
  {
    id: 'grafana-token',
    title: 'Grafana token',
    anchors: ['glsa_', 'glc_eyJ'],
    pattern: /(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}(?!\w)|glc_eyJ[A-Za-z0-9+/]{60,300}={0,2})/y,
    tier: 'definite',
    // https://grafana.com/docs/grafana/latest/administration/service-accounts/
  },
  {
    id: 'sentry-token',
    title: 'Sentry token',
    anchors: ['sntrys_eyJ', 'sntryu_'],
    pattern: /(?:sntrys_eyJ[\w+/=]{100,300}|sntryu_[0-9a-f]{64}(?!\w))/y,
    tier: 'definite',
    // https://docs.sentry.io/account/auth-tokens/
  },
  {
    id: 'newrelic-key',
    title: 'New Relic key',
    anchors: ['NRAK-', 'NRII-'],
    pattern: /NR(?:AK-[A-Z0-9]{27}|II-[\w-]{32})(?![\w-])/y,
    tier: 'definite',
    // https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/
  },
  {
    id: 'dynatrace-token',
    title: 'Dynatrace token',
    anchors: ['dt0c01.', 'dt0s01.', 'dt0s16.'],
    pattern: /dt0[cs]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}(?!\w)/y,
    tier: 'definite',
    // https://docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients
  },
]);
