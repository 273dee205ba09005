/** Settings of V8 for a run that reads much. */
import type { Read } from '../../json/rows.js';
import { compileLess } from '../../node/engine.js';
import { type Input, type NamedInput, openInput } from '../files/input.js';
import type { Terminal } from '../terminal/terminal.js';

/**
 * Bytes of all inputs after which a run is long. Code that V8 kept of earlier runs serves shorter ones better. Less is
 * gained from Node 22 on, whose V8 compiles fast first: bench/NOTES.md, "Compiling less".
 */
const LONG = Number(process.versions.node.split('.')[0]) < 22 ? 60_000 : 2_000_000;

/** Bytes of all inputs so far: the settings are those of the process. */
let total = 0;

/** As `openInput`. What is read counts. */
export async function openCounted(named: NamedInput, terminal: Terminal): Promise<Input> {
  const input = await openInput(named, terminal);
  return { ...input, read: counted(input.read), reread: input.reread && counted(input.reread) };
}

function counted(from: Read): Read {
  return (buffer, at, length) => {
    const got = from(buffer, at, length);
    if (total <= LONG && total + got > LONG) compileLess();
    total += got;
    return got;
  };
}
