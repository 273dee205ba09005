import { mapMessages, mapParts } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import type { Part } from '../transcript/types.js';
import {
  NOISE,
  type Noise,
  NUMBERS_LINES,
  withoutBase64,
  withoutEscapes,
  withoutGutters,
  withoutHeader,
  withoutProgress,
} from './noise.js';
import { mapTexts } from './results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';

export default defineTransform({
  id: 'strip-noise',
  summary: 'take out of tool results what says nothing',
  description:
    'Removes from tool results the escape sequences of terminals (ansi), what progress bars overwrote (progress), ' +
    'the numbers before the lines of a file (gutters; the first number stays if it is not 1) and what Codex puts ' +
    'around the output of a command that worked (headers), and replaces long base64 with its length (base64). ' +
    'Each result changes once, when it arrives, so the prompt cache keeps working.',
  options: {
    only: {
      type: 'choice',
      choices: NOISE,
      many: true,
      value: 'kind',
      summary: 'only this kind of noise; repeatable (by default all)',
    },
    ...toolOptions,
  },
  examples: [['ctx-trim strip-noise --diff session.jsonl', 'preview what goes']],
  perMessage: true,
  onlyTraffic: () => true,
  isMonotone: () => true,
  continues: () => true,
  apply(transcript, { only, ...options }) {
    const kinds = new Set<Noise>(only.length === 0 ? NOISE : only);
    const matches = toolMatcher(options);
    const toolOf = new Map<Part, string>();
    for (const { part, call } of pair(transcript.messages).results) if (call) toolOf.set(part, call.part.tool);
    return mapMessages(transcript, (message) =>
      mapParts(message, (part) => {
        if (part.type !== 'result') return part;
        const tool = part.tool ?? toolOf.get(part);
        return matches(tool) ? mapTexts(part, (text) => quiet(text, kinds, NUMBERS_LINES.has(tool))) : part;
      }),
    );
  },
});

/** Until nothing goes any more: one kind may hide another. */
function quiet(text: string, kinds: ReadonlySet<Noise>, isTight: boolean): string {
  let left = text;
  if (kinds.has('headers')) left = withoutHeader(left);
  if (kinds.has('ansi')) left = withoutEscapes(left);
  if (kinds.has('progress')) left = withoutProgress(left);
  if (kinds.has('gutters')) left = withoutGutters(left, isTight);
  if (kinds.has('base64')) left = withoutBase64(left);
  return left.length < text.length ? quiet(left, kinds, isTight) : text;
}
