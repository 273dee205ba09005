/** The types of the steps and contents of Gemini's Interactions API. */
import type { Role } from '../../transcript/types.js';
import { table } from '../shared/table.js';

export const ROLES = table<Role>({ user_input: 'user', model_output: 'assistant' });
export const MEDIA = table<'image' | 'audio' | 'file'>({
  image: 'image',
  audio: 'audio',
  video: 'file',
  document: 'file',
});
/** Steps of tools that Google ran. */
export const SERVED = /^(?!function_)[a-z_]+_(?:call|result)$/;
