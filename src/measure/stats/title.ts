/** What a session is called: as the agent or the user named it, else by its first prompt. */
import { type Clean, cleanedParts } from '../../transcript/cleaned.js';
import { isInjected } from '../../transcript/injected.js';
import { joinTexts } from '../../transcript/text.js';
import type { ContentPart, Message, Transcript } from '../../transcript/types.js';

/** The mark of a heading in markdown. */
const HEADING = /^ {0,3}#{1,6}\s+/gm;
/** Longer prompts are cut. */
const MOST = 100;
/** Of an injected text this many characters are looked at: a search for tags takes long where none of them ends. */
const MOST_TAGGED = 4000;
/** What an editor's state ends with, before the prompt itself. */
const EDITOR_STATE = /^# Context from my IDE setup:[\s\S]*?## My request for Codex:/;

/** `clean`: takes secrets out, before a text is cut. */
export function sessionTitle({ title, titleIn, messages, abandoned }: Transcript, clean?: Clean): string | undefined {
  const own = titleIn?.() || title;
  if (own) return oneLine(clean?.(own) ?? own);
  return promptIn(abandoned === undefined ? messages : [...abandoned.context, ...messages], clean);
}

function promptIn(messages: readonly Message[], clean: Clean | undefined): string | undefined {
  let injected: string | undefined;
  for (const { role, parts } of messages) {
    const said = clean === undefined || role !== 'user' ? parts : cleanedParts(parts, clean);
    const text = role === 'user' ? joinTexts(said as readonly ContentPart[]).trim() : '';
    if (text !== '' && !isInjected(text)) return oneLine(text.replace(EDITOR_STATE, ''));
    injected ??= text || undefined;
  }
  return injected && oneLine(injected.slice(0, MOST_TAGGED).replace(/<[^>]*>/g, ' '));
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * MOST)
    .replace(HEADING, '')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...line];
  if (letters.length > MOST)
    return `${letters
      .slice(0, MOST - 1)
      .join('')
      .trimEnd()}…`;
  return letters.join(''); // a text of its own: a part would keep the whole prompt in memory
}
