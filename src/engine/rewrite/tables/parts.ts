/** Tables of formats whose messages are lists of parts, each of which is told by its keys: Gemini. */
import { ARRAY, ENTRY, NULL, OBJECT, STRING, TRUE } from '../../../json/scan.js';
import { type JsonSource, Keys } from '../../../json/strings.js';
import { type MessageTable, ROW_ROLES } from '../../../transcript/table.js';
import { addCallOf, addedResults, addId, addRow, addText, endRow, type IsGone, type Tabler } from './add.js';
import { eachItem, findIn, isText, itemCuts, kindAt } from './tape.js';

export interface PartsLayout {
  /** By the value of `role`. Messages with other roles, or without one, do not fit. */
  readonly roles: Readonly<Record<string, (typeof ROW_ROLES)[number]>>;
  /** The key of the list of parts. */
  readonly parts: string;
  /** The message fits only without these, or with null. */
  readonly absent: readonly string[];
  /** Keys of calls and results, in the order in which they count. A part with none of them is a text, or content. */
  readonly call: readonly [string, string];
  readonly result: readonly [string, string];
  /** In a call: what it is called with. */
  readonly input: string;
  /** In a result: what was answered. If it has one of the texts alone, that is the text; else its JSON is. */
  readonly answer: string;
  readonly texts: readonly string[];
  /** The one of the texts that is an error. */
  readonly error: string;
}

/** A call and its result may have no id: then they pair by their names, in order. */
export function createPartsTabler(layout: PartsLayout): Tabler {
  const roleNames = new Keys(Object.keys(layout.roles));
  const roleCodes = Object.values(layout.roles).map((role) => ROW_ROLES.indexOf(role));
  const memberKeys = new Keys(['role', layout.parts, ...layout.absent]);
  const partKeys = new Keys([...layout.call, ...layout.result, 'text', 'thought']);
  const innerKeys = new Keys(['id', 'name', layout.input, layout.answer, layout.parts]);
  const textKeys = new Keys(layout.texts);
  const error = layout.texts.indexOf(layout.error);

  const addMessage = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const found = findIn(source, at, memberKeys);
    const { 0: roleAt, 1: parts } = found as unknown as [number, number];
    for (let i = 2; i < found.length; i++) if (isPresent(source, found[i]!)) return false;
    const role = isText(source, roleAt) ? (roleCodes[roleNames.indexOf(source, roleAt)] ?? -1) : -1;
    if (role < 0) return false;
    const row = addRow(source, at, role, table);
    const answers = table.results.length;
    if (isPresent(source, parts) && !(kindAt(source, parts) === ARRAY && eachItem(source, parts, addPart, table)))
      return false;
    endRow(row, table);
    return addedResults(row, answers, table);
  };

  const addPart = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const found = findIn(source, at, partKeys);
    const { 0: first, 1: second, 2: result, 3: other, 4: text, 5: thought } = found as unknown as PartPlaces;
    const call = isPresent(source, first) ? first : second;
    if (isPresent(source, call)) return addCall(source, call, table);
    const answer = isPresent(source, result) ? result : other;
    if (isPresent(source, answer)) return addResult(source, answer, table);
    if (isPresent(source, text)) {
      const isThought = thought >= 0 && kindAt(source, thought) === TRUE;
      return isThought ? isText(source, text) : addText(source, text, table);
    }
    table.messages.of.says[table.messages.length - 1] = 1;
    table.hasMore = true;
    return true;
  };

  const addCall = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const { 0: id, 1: name, 2: input } = findIn(source, at, innerKeys) as unknown as InnerPlaces;
    const isNameless = !isText(source, name);
    if (isNameless || (isPresent(source, id) && !isText(source, id))) return false;
    const given = isPresent(source, input) ? input : -1;
    if (hasId(source, id)) return addCallOf(source, id, name, given, table);
    if (!addCallOf(source, name, name, given, table)) return false;
    table.calls.of.isName[table.calls.length - 1] = 1;
    return true;
  };

  const addResult = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const found = findIn(source, at, innerKeys);
    const { 0: id, 1: name, 3: answer, 4: more } = found as unknown as InnerPlaces;
    if (isPresent(source, more) || [id, name].some((one) => isPresent(source, one) && !isText(source, one)))
      return false;
    const isNamed = !hasId(source, id);
    if (answer < 0 || !addId(source, isNamed ? name : id, table.results, table.messages.length - 1)) return false;
    const result = table.results.length - 1;
    const { of } = table.results;
    of.isName[result] = Number(isNamed);
    of.failed[result] = 0;
    setAnswer(source, answer, result, table);
    return true;
  };

  const setAnswer = (source: JsonSource, answer: number, result: number, { results: { of } }: MessageTable): void => {
    const { tape } = source;
    const kind = kindAt(source, answer);
    of.text[result] = 0;
    of.at[result] = -1;
    const first = answer + ENTRY; // its first key, if it has one
    if (kind === NULL || (kind === OBJECT && first === tape[answer + 3]!)) return;
    const isOne = kind === OBJECT && tape[first + ENTRY + 3]! === tape[answer + 3]!;
    const key = isOne && isText(source, first + ENTRY) ? textKeys.indexOf(source, first) : -1;
    const text = key >= 0 ? first + ENTRY : answer;
    of.failed[result] = Number(key === error && key >= 0);
    of.text[result] = tape[text + 2]! - tape[text + 1]! - (kindAt(source, text) === STRING ? 2 : 0);
    if (of.text[result]! > 0) of.at[result] = text;
  };

  const isGonePart = (source: JsonSource, at: number, isGone: IsGone): boolean => {
    const { 0: first, 1: second, 2: result, 3: other } = findIn(source, at, partKeys) as unknown as PartPlaces;
    if (isPresent(source, first) || isPresent(source, second)) return isGone({ type: 'call' });
    return (isPresent(source, result) || isPresent(source, other)) && isGone({ type: 'result' });
  };

  return {
    traits: { flagsErrors: true },
    add: addMessage,
    cuts(source, at, isGone) {
      const list = findIn(source, at, memberKeys)[1]!;
      const isTwice = keysAt(source, at, memberKeys, 1) > 1;
      return isTwice ? undefined : itemCuts(source, list, (part) => isGonePart(source, part, isGone));
    },
  };
}

type PartPlaces = readonly [
  first: number,
  second: number,
  result: number,
  other: number,
  text: number,
  thought: number,
];
type InnerPlaces = readonly [id: number, name: number, input: number, answer: number, more: number];

function isPresent(source: JsonSource, at: number): boolean {
  return at >= 0 && kindAt(source, at) !== NULL;
}

function hasId(source: JsonSource, id: number): boolean {
  return isText(source, id) && source.tape[id + 2]! - source.tape[id + 1]! > 2;
}

/** How often an object has a key. */
function keysAt(source: JsonSource, at: number, keys: Keys, key: number): number {
  const { tape } = source;
  let count = 0;
  for (let i = at + ENTRY; i < tape[at + 3]!; i = tape[i + ENTRY + 3]!) if (keys.indexOf(source, i) === key) count++;
  return count;
}
