/** What agents write before the first prompt, beside results, or in place of a prompt. */
const INJECTED = /^\s*(?:<[\w-]+[ >]|# AGENTS\.md|Caveat: |\[Request interrupted)/;

/** Whether an agent wrote the text of a user message: a reminder, the state of the editor, or that it was stopped. */
export function isInjected(text: string): boolean {
  return INJECTED.test(text);
}
