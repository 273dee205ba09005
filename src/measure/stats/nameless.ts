/** Responses with an empty id, which only their places tell apart. */
import type { Message, Recorded } from '../../transcript/types.js';
import { promptTokens } from '../../transcript/usage.js';
import { keyOf } from './request-keys.js';

type Records = readonly (Recorded | undefined)[];

/**
 * The records with each response once. Logs write a response in several lines, which an id would join: lines with the
 * same prompt, one after another, are one response, whose first line gets the fullest usage.
 */
export function withoutRepeats(records: Records, messages: readonly Message[]): Records {
  if (!records.some(isNameless)) return records;
  const once = [...records];
  let first: number | undefined;
  messages.forEach(({ role }, index) => {
    if (role === 'meta') return;
    const [known, record] = [first === undefined ? undefined : once[first], records[index]];
    if (!isNameless(record)) first = undefined;
    else if (known === undefined || promptTokens(known.usage!) !== promptTokens(record.usage)) first = index;
    else {
      once[first!] = known.usage!.output < record.usage.output ? { ...known, usage: record.usage } : known;
      once[index] = { sessionId: record.sessionId, branch: record.branch };
    }
  });
  return once;
}

function isNameless(record: Recorded | undefined): record is Recorded & Required<Pick<Recorded, 'usage'>> {
  return record?.responseId === '' && record.usage !== undefined && keyOf(record) === undefined;
}
