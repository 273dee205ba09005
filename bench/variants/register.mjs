// Lets Node load the TypeScript of src/ and test/shared/ by itself, without Vitest.
import { register } from 'node:module';
import '../../test/shared/native/defined.mjs';

register('./hooks.mjs', import.meta.url);
