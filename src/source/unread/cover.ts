/** What parts of messages were read from: tape indices in ascending order. */
import { firstFrom } from '../../lists.js';

export function isIn(cover: readonly number[], at: number): boolean {
  return cover[firstFrom(cover, at)] === at;
}
