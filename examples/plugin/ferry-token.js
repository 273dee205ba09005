// @ts-check
import { defineSecret } from 'ctx-trim/plugin';

export default defineSecret({
  id: 'ferry-token',
  title: 'Ferry token',
  anchors: ['frry_'],
  pattern: /frry_[A-Za-z0-9]{32}(?![A-Za-z0-9])/,
  tier: 'definite',
  source: 'https://ferry.example/docs/tokens, read 2026-11-25',
});
