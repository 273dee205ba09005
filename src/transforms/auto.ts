/** The code of `every=auto` loads with the first step that goes by it. */
import { setRule } from './pace.js';
import { whenItPays } from './pays.js';

/** From now on, steps can go by it. */
export function loadAuto(): void {
  setRule((transcript, cache, bounds) => whenItPays(transcript, cache, bounds));
}
