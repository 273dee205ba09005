/** All transforms as data, for adapters: they check steps at once, and load the transforms with the first messages. */
import type { Option } from '../options/option.js';
import type { Declared } from './declared.js';
import { transforms } from './index.js';

export const declarations: readonly Declared[] = transforms.map(({ id, options, needs, perMessage }) => ({
  id,
  needs,
  perMessage,
  options: Object.fromEntries(
    Object.entries(options).map(([key, { value, needs: ofOption, excludes, summary, reach, ...option }]) => [
      key,
      option as Option, // what no adapter asks for is left out
    ]),
  ),
}));
