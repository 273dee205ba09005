/** How much memory a long run takes. */
import { createRequire } from 'node:module';

/** The newest version whose V8 is known to have the flag. */
const NEWEST = 24;

/**
 * Leaves the space for young values as small as it begins: it would grow to 16 MB, three times over, and values that are looked at once
 * need no more room. A third of the memory of a long run goes, and hardly any time. Tried on these versions of Node: another V8 might
 * not know the flag, and say so. https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function keepYoungSpaceSmall(): void {
  const [version] = process.versions.node.split('.');
  if (Number(version) <= NEWEST)
    (createRequire(import.meta.url)('node:v8') as typeof import('node:v8')).setFlagsFromString(
      '--semi-space-growth-factor=1',
    );
}
