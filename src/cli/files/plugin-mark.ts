/** Tells the plugins of this run from others: what is cached of files holds only for the plugins that read them. */
export const plugins = { mark: '' };
