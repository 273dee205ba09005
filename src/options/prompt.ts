/** What a policy adds to a prompt. */
import type { ToolChanges } from '../transcript/types.js';
import type { Language } from './language.js';

/** Texts for a prompt, or the same in several languages. */
export type Prompts = Prompt | Readonly<Partial<Record<Language, Prompt>>>;

export interface Prompt {
  /** Rules for the system prompt. */
  readonly system?: string;
  readonly few_shot?: readonly ExampleMessage[];
  readonly tools?: ToolChanges;
}

export interface ExampleMessage {
  readonly role: 'user' | 'assistant';
  readonly text?: string;
  /** A call of the assistant, and its result. */
  readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>>; readonly result: string };
}

/** The prompt in a language; if the policy lacks it, in English or in the first language that it has. */
export function promptIn(prompts: Prompts, language: Language): Prompt {
  if (!('en' in prompts || 'zh' in prompts || 'ja' in prompts)) return prompts as Prompt;
  return prompts[language] ?? prompts.en ?? Object.values(prompts)[0]!;
}
