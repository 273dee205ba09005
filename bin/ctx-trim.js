#!/usr/bin/env node
const program = require.resolve('../dist/cli/cli.cjs');
const isCommand = /^[a-z]/.test(process.argv[2] ?? ''); // help and the version call little
if (process.env.CTX_TRIM_DEBUG)
  process.setSourceMapsEnabled(true); // takes long, so only on request
else if (!isCommand || !require('../dist/cli/code-cache.cjs').keepCode(require.extensions, program))
  require('node:module').enableCompileCache?.(); // Node 22.1 and later keep some of the compiled code
require(program);
