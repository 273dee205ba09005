/** Settings of V8 for a run that reads much. */
import type { Read } from '../../json/rows.js';
import { compileLess } from '../../node/engine.js';

/**
 * Bytes of all inputs after which a run is long. Code that V8 kept of earlier runs serves shorter ones better. Less is
 * gained from Node 22 on, whose V8 compiles fast first: bench/NOTES.md, "Compiling less".
 */
const LONG = Number(process.versions.node.split('.')[0]) < 22 ? 60_000 : 2_000_000;

/** Bytes of all inputs so far: the settings are those of the process. */
let total = 0;

/** The same reader, which counts what it reads. */
export function noticingLongRun(from: Read): Read {
  return (buffer, at, length) => {
    const got = from(buffer, at, length);
    if (total <= LONG && total + got > LONG) compileLess();
    total += got;
    return got;
  };
}
