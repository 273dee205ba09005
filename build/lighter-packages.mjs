// Parts of packages that the program never uses, and that would be compiled at each start.
import { resolve, sep } from 'node:path';

/** Commander can start programs, which we never do: loading what that needs would take a tenth of the start-up time. */
const noChildProcess = {
  name: 'no-child-process',
  resolveId: (id, importer) =>
    CHILD_PROCESS.includes(id) && importer?.includes(`${sep}commander${sep}`)
      ? resolve('build/no-child-process.mjs')
      : undefined,
};
const CHILD_PROCESS = ['node:child_process', 'child_process'];

/** Zod's messages in fifty languages would be a third of it. */
const zodInEnglish = {
  name: 'zod-in-english',
  resolveId: (id, importer) =>
    id.endsWith('/locales/index.js') && importer?.includes(`${sep}zod${sep}`)
      ? resolve('node_modules/zod/v4/locales/en.js')
      : undefined,
};

export const lighterPackages = [noChildProcess, zodInEnglish];
