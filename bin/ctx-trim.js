#!/usr/bin/env node
require('node:module').enableCompileCache?.(); // Node 22.1 and later keep compiled code
if (process.env.CTX_TRIM_DEBUG) process.setSourceMapsEnabled(true); // takes long, so only on request
require('../dist/cli/cli.cjs');
