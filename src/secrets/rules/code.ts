/** Tokens of git hosts and package registries. The forms were read in November 2026. */
import { defineRules } from '../rule.js';

export const codeTokens = defineRules([
  {
    id: 'github-token',
    title: 'GitHub token',
    anchors: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /gh[pousr]_[A-Za-z0-9]{36,255}(?!\w)/y,
    source: 'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/',
  },
  {
    id: 'github-fine-grained-token',
    title: 'GitHub fine-grained token',
    anchors: ['github_pat_'],
    pattern: /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?!\w)/y,
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
  },
  {
    id: 'gitlab-token',
    title: 'GitLab token',
    anchors: ['glpat-', 'glrt-', 'gldt-', 'glptt-', 'glcbt-', 'glsoat-', 'glft-', 'glimt-', 'glagent-', 'gloas-'],
    pattern: /gl(?:pat|rt|dt|ptt|cbt|soat|ft|imt|agent|oas)-[\w.-]{20,}/y,
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
  },
  {
    id: 'atlassian-token',
    title: 'Atlassian or Bitbucket token',
    anchors: ['ATATT3', 'ATBB', 'ATCTT3'],
    pattern: /(?:AT(?:A|C)TT3[\w=-]{60,250}|ATBB[A-Za-z0-9]{32}(?!\w))/y,
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/access-tokens/',
  },
  {
    id: 'npm-token',
    title: 'npm token',
    anchors: ['npm_'],
    pattern: /npm_[A-Za-z0-9]{36}(?!\w)/y,
    source: 'https://github.blog/changelog/2021-09-23-npm-has-a-new-access-token-format/',
  },
  {
    id: 'pypi-token',
    title: 'PyPI token',
    anchors: ['pypi-AgE'],
    pattern: /pypi-AgE[\w-]{70,500}/y,
    source: 'https://pypi.org/help/#apitoken',
  },
  {
    id: 'rubygems-token',
    title: 'RubyGems key',
    anchors: ['rubygems_'],
    pattern: /rubygems_[0-9a-f]{48}(?!\w)/y,
    source: 'https://guides.rubygems.org/api-key-scopes/',
  },
  {
    id: 'crates-token',
    title: 'crates.io token',
    anchors: ['cio'],
    pattern: /cio[A-Za-z0-9]{32}(?!\w)/y,
    source: 'https://github.com/rust-lang/crates.io/blob/main/crates/crates_io_database/src/utils/token.rs',
  },
  {
    id: 'nuget-key',
    title: 'NuGet API key',
    anchors: ['oy2'],
    pattern: /oy2[a-z0-9]{43}(?!\w)/y,
    source: 'https://learn.microsoft.com/en-us/nuget/nuget-org/scoped-api-keys',
  },
  {
    id: 'docker-token',
    title: 'Docker token',
    anchors: ['dckr_pat_', 'dckr_oat_'],
    pattern: /dckr_(?:pat|oat)_[\w-]{27,32}(?![\w-])/y,
    source: 'https://docs.docker.com/security/access-tokens/',
  },
]);
