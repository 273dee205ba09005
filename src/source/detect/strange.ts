/** Whether a format would take messages of which it knows no part: their shells are alike, and all in them differs. */
import type { JsonNode } from '../../json/node.js';
import { type MessagePath, messagesAt } from '../message-paths.js';
import { opaqueIn } from '../unread/opaque.js';
import { isUnknown } from '../unread/unknown.js';
import { decisiveSites, sampleSites, tryRead, WHOLE_RESPONSES } from './confidence.js';
import type { Detection } from './detection.js';

/** Only so many messages are read. */
const MOST = 40;

/** `isNext`: a surer format was strange; this one has to know a part at least, not only the shells. */
export function isStrange(detection: Detection, sample: readonly JsonNode[], isNext: boolean): boolean {
  const { format, container } = detection;
  if (container === 'envelope' || container === 'bundle') return false;
  if (container !== 'rows' && container.path === WHOLE_RESPONSES) return false;
  let [known, strange, empty] = [0, 0, 0];
  for (const raw of valuesOf(container, sample)) {
    const message = raw.isObject && format.score(raw) > 0 ? tryRead(raw, format) : undefined;
    if (message === undefined) continue;
    if (message.parts.length === 0) empty++;
    else if (opaqueIn([message]).length > 0 && isUnknown(message, format.id)) strange++;
    else known++;
  }
  return strange > known || (isNext && known === 0 && empty > 0);
}

function valuesOf(container: 'rows' | MessagePath, sample: readonly JsonNode[]): readonly JsonNode[] {
  if (container === 'rows') return sample.slice(0, MOST);
  const sites = decisiveSites((sampleSites(sample, container) ?? []).flat()).slice(0, MOST);
  return sites.flatMap((site) => messagesAt(site).messages.slice(0, MOST)).slice(0, MOST);
}
