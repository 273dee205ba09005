/**
 * Images in the histories of earlier compactions: each compaction writes all images again, and Codex loads only the
 * last. https://github.com/openai/codex/issues/33735
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fault, type Line, lineWith } from '../resume.js';

/** So many bytes of them are worth a word. */
const HEAVY = 1_000_000;
/** Smaller texts are no images. */
const LEAST = 1_000;

export function heavyHistories(lines: readonly Line[]): Fault[] {
  const histories = lines.filter(({ node }) => node!.get('payload')!.get('replacement_history')?.isArray);
  const older = histories.slice(0, -1).filter(({ bytes }) => bytes.includes('data:'));
  const sizes = older.map(({ node }) => imagesIn(historyOf(node!)).reduce((sum, image) => sum + image.byteLength, 0));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total < HEAVY) return [];
  const mend = new Map(older.map((line) => [line, [lightened(line)]] as const));
  const megabytes = (total / 1e6).toFixed(1);
  const text = `${megabytes} MB are images in ${older.length} compactions before the last, which Codex does not load`;
  return [{ rule: 'media-repeated', line: older[0]!, text, mend }];
}

const historyOf = (node: JsonNode) => node.get('payload')!.get('replacement_history')!;

function imagesIn(history: JsonNode): JsonNode[] {
  return history.items().flatMap((item) => blocksIn(item).flatMap((block) => imageOf(block) ?? []));
}

/** Messages hold blocks in `content`, results in `output`. */
function blocksIn(item: JsonNode): JsonNode[] {
  return ['content', 'output'].flatMap((key) => item.get(key)?.items() ?? []);
}

function imageOf(block: JsonNode): JsonNode | undefined {
  const url = block.get('image_url');
  return url?.isString && url.byteLength >= LEAST && url.text.startsWith('data:') ? url : undefined;
}

function lightened(line: Line): Line {
  const payload = line.node!.get('payload')!;
  const light = (block: JsonNode): Json =>
    imageOf(block) === undefined ? block : { type: 'input_text', text: '[image: in the rollout above]' };
  const items = historyOf(line.node!)
    .items()
    .map((item): Json => {
      const lists = ['content', 'output'].flatMap((key) => {
        const list = item.get(key);
        return list?.isArray ? [[key, patchItems(list, list.items().map(light))] as const] : [];
      });
      return patch(item, Object.fromEntries(lists));
    });
  const history = patchItems(historyOf(line.node!), items);
  return lineWith(line, patch(line.node!, { payload: patch(payload, { replacement_history: history }) }));
}
