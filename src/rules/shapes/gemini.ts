/**
 * Contents by the types of `@google/genai` 3.1.0 (Content) and the documentation. The API accepts each name in
 * camelCase
 * and in snake_case. https://ai.google.dev/api/caching#Content
 */
import type { Shape, Shapes } from './shape.js';

/** An object with only these members, each in both spellings. */
function closed(fields: Shapes, atMostOne?: readonly string[]): Shape {
  const both = Object.entries(fields).flatMap(([key, shape]) => [[key, shape] as const, [snake(key), shape] as const]);
  return {
    fields: Object.fromEntries(both),
    closed: true,
    ...(atMostOne && { atMostOne: [...new Set(atMostOne.flatMap((key) => [key, snake(key)]))] }),
  };
}

function snake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const blob = closed({ 'data?': 'string', 'mimeType?': 'string', 'displayName?': 'string' });
const file = closed({ 'fileUri?': 'string', 'mimeType?': 'string', 'displayName?': 'string' });
const media: Shapes = { 'inlineData?': blob, 'fileData?': file, 'mediaProcessing?': 'string' };

const call = closed({
  name: 'string',
  'args?': 'object|null',
  'id?': 'string|null',
  'partialArgs?': 'array',
  'willContinue?': 'boolean|null',
});
const response = closed({
  'name?': 'string',
  response: 'object',
  'id?': 'string|null',
  'parts?': { list: closed(media) },
  'scheduling?': ['SCHEDULING_UNSPECIFIED', 'SILENT', 'WHEN_IDLE', 'INTERRUPT'],
  'willContinue?': 'boolean|null',
});

const DATA: Shapes = {
  'text?': 'string|null',
  'functionCall?': { either: [call, 'null'] },
  'functionResponse?': { either: [response, 'null'] },
  'inlineData?': { either: [blob, 'null'] },
  'fileData?': { either: [file, 'null'] },
  'executableCode?': {
    either: [
      closed({ 'code?': 'string', 'language?': ['LANGUAGE_UNSPECIFIED', 'PYTHON'], 'id?': 'string|null' }),
      'null',
    ],
  },
  'codeExecutionResult?': {
    either: [
      closed({
        'outcome?': ['OUTCOME_UNSPECIFIED', 'OUTCOME_OK', 'OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED'],
        'output?': 'string|null',
        'id?': 'string|null',
      }),
      'null',
    ],
  },
  'toolCall?': { either: [closed({ 'args?': 'object', 'id?': 'string|null', 'toolType?': 'string' }), 'null'] },
  'toolResponse?': { either: [closed({ 'response?': 'object', 'id?': 'string|null', 'toolType?': 'string' }), 'null'] },
};

const part = closed(
  {
    ...DATA,
    'thought?': 'boolean|null',
    'thoughtSignature?': 'string|null',
    'videoMetadata?': 'object|null',
    'mediaProcessing?': 'string|null',
    'mediaResolution?': 'object|null',
    'partMetadata?': 'object|null',
    'speechMetadata?': 'object|null',
    'audioTranscription?': 'object|null',
  },
  Object.keys(DATA).map((key) => key.slice(0, -1)),
);

/** A content. The default role is `user`; older models accept `function` too. A part may stand alone. */
export const GEMINI_CONTENT: Shape = {
  fields: { 'role?': ['user', 'model', 'function'], parts: { either: [{ list: part }, part] } },
  closed: true,
};
