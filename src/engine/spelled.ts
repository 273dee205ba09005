/** Messages that a program hands over, as JSON. */
import { wrong } from '../options/arguments.js';
import { blamed } from './unwritable.js';

/** Plain messages as JSON, a text each. Throws TranscriptError where they are none. */
export function spelledMessages(messages: unknown): string[] {
  if (!Array.isArray(messages)) throw wrong('input', messages, 'a text or a list of messages');
  return Array.from(messages, spelledMessage); // also what is missing in a sparse list
}

function spelledMessage(message: unknown, index: number): string {
  const path = `input[${index}]`;
  if (typeof message !== 'object' || message === null) throw wrong(path, message, 'a message object');
  let text: string | undefined;
  try {
    text = JSON.stringify(message);
  } catch (error) {
    throw blamed(error, message, path);
  }
  if (text === undefined) throw wrong(path, undefined, 'a message object');
  return text;
}
