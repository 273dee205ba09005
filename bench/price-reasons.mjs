/** Why a list has another price than ours; the first that applies. */
export const REASONS = [];
