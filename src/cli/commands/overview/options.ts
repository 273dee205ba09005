import type { Options, Values } from '../../../options/option.js';
import type { Parsed } from '../../options/command.js';
import { costOptions, readingOptions } from '../../options/options.js';

export const overviewOptions = { ...costOptions, ...readingOptions } as const satisfies Options;
export type OverviewOptions = Parsed<Values<typeof overviewOptions>>;
