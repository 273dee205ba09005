import { typeOfBytes } from '../../formats/shared/image-types.js';
import { commaList } from '../../lists.js';
import { errorRule, type RuleContext } from '../rule.js';
import { rewireProblems } from '../shared/edits.js';
import { dataIn } from '../shared/held-data.js';

/**
 * Types that are refused, or no types at all: what others the models take differs.
 * https://ai.google.dev/gemini-api/docs/file-input-methods, charmbracelet/crush#995,
 * brianpetro/obsidian-smart-connections#1238, 2026-11
 */
const REFUSED =
  /^[^/]*$|^image\/(?:svg\+xml|gif|bmp|tiff?|jpg|x-icon|avif)$|^application\/(?:octet-stream|zip|gzip|msword|vnd\..+)$/;

export default errorRule({
  id: 'gemini/mime-type',
  summary: 'a file of a type that Gemini does not take',
  providers: ['gemini'],
  asRequest: true,
  error:
    'Unsupported MIME type: application/octet-stream | Unable to submit request because it has a mimeType parameter ' +
    'with value application/octet-stream, which is not supported.',
  cause: 'The type was not known and a default took its place, or it is the ending of the file.',
  reported: commaList(`
    charmbracelet/crush#995, brianpetro/obsidian-smart-connections#1238, QuantumNous/new-api#1139, steipete/oracle#332
  `),
  *check(context) {
    for (const { message, part, callId, holder, typeKey } of dataIn(context)) {
      const type = holder.get(typeKey);
      if (type === undefined || REFUSED.test(type.string ?? ''))
        yield { message, part, callId, node: type ?? holder, text: `the media type is \`${type?.string ?? ''}\`` };
    }
  },
  fix: {
    safety: 'safe',
    summary: 'Set the type that the bytes have.',
    reaches: (context, { node }) => actualTypes(context).get(node!.at) !== undefined,
    apply(context, problems) {
      const types = actualTypes(context);
      return rewireProblems(context, problems, (node) => types.get(node.at)!);
    },
  },
});

type Types = ReadonlyMap<number, string | undefined>;

/** Each of very many problems asks for them. */
const known = new WeakMap<RuleContext, Types>();

/** The type of the bytes, by the place of the type; none where they are an animation or of no known type. */
function actualTypes(context: RuleContext): Types {
  const before = known.get(context);
  if (before !== undefined) return before;
  const entries = [...dataIn(context)].map(({ holder, node, typeKey }) => {
    const actual = typeOfBytes(node.text);
    return [holder.get(typeKey)?.at ?? -1, REFUSED.test(actual ?? '') ? undefined : actual] as const;
  });
  const types = new Map(entries);
  known.set(context, types);
  return types;
}
