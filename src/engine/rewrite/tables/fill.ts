/**
 * Where role, calls, ids, results and content of a format's messages stand, as data: from it a table is filled, so that
 * a step that can work on rows makes no object for a message. What does not fit has no table, and is read by the
 * format. test/transforms/by-table.test.ts holds both ways together.
 */
import { ARRAY, ENTRY, NULL, OBJECT, STRING, TRUE } from '../../../json/scan.js';
import { type JsonSource, Keys } from '../../../json/strings.js';
import { ASSISTANT, type MessageTable, ROW_ROLES, TOOL } from '../../../transcript/table.js';
import { addCallOf, addedResults, addId, addRow, addText, endRow, type IsGone, type Tabler, takeText } from './add.js';
import { eachItem, findIn, isFull, isText, itemCuts, kindAt } from './tape.js';

/**
 * What stands in a member. `content`: null, a text or a list of blocks. `calls`: null or a list of calls. `answers`:
 * the id of the call that a message of role `tool` answers. `words`: content of the assistant, if it is a text.
 * `string`: it fits only as a string. `absent`: the message fits only without it, or with null.
 */
type Place = 'content' | 'calls' | 'answers' | 'words' | 'string' | 'absent';

export interface MessageLayout {
  /** By the value of `role`. Messages with other roles do not fit. */
  readonly roles: Readonly<Record<string, (typeof ROW_ROLES)[number]>>;
  readonly members: Readonly<Record<string, Place>>;
  /** A call in `calls`: an `id`, and under this key an object with a `name` and what it is called with. */
  readonly called?: string;
  /** The keys of what a call is called with. The first that is there counts. */
  readonly inputs: readonly string[];
  /** The key of a block that says whether a result is an error. */
  readonly flag?: string;
  /** Blocks by the value of `type`. Others are content. */
  readonly blocks: Readonly<Record<string, Block>>;
}

/** `key` holds its text, or the id of the call that it is or answers. Thoughts are no content. */
interface Block {
  readonly is: 'text' | 'call' | 'result' | 'thought';
  readonly key: string;
}

export function createTabler({ roles, members, called = '', inputs, flag = '', blocks }: MessageLayout): Tabler {
  const roleNames = new Keys(Object.keys(roles));
  const roleCodes = Object.values(roles).map((role) => ROW_ROLES.indexOf(role));
  const memberKeys = new Keys(['role', ...Object.keys(members)]);
  const places = Object.values(members);
  const callKeys = new Keys(['id', called]);
  const calledKeys = new Keys(['name', ...inputs]);
  const ofBlocks = Object.values(blocks).map(({ key }) => key);
  const blockKeys = new Keys([...new Set(['type', 'name', 'content', flag, inputs[0]!, ...ofBlocks])]);
  const blockTypes = new Keys(Object.keys(blocks));
  const blockKinds = Object.values(blocks).map(({ is, key }) => ({ is, key: blockKeys.names.indexOf(key) }));

  const addMessage = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const found = findIn(source, at, memberKeys);
    const roleAt = found[0]!;
    const role = isText(source, roleAt) ? (roleCodes[roleNames.indexOf(source, roleAt)] ?? -1) : -1;
    if (role < 0) return false;
    const row = addRow(source, at, role, table);
    const { of } = table.messages;
    const answers = table.results.length;
    for (let i = 0; i < places.length; i++)
      if (found[i + 1]! >= 0 && !takeMember(source, found[i + 1]!, places[i]!, table)) return false;
    endRow(row, table);
    if (role !== TOOL) return addedResults(row, answers, table);
    if (table.results.length !== answers + 1) return false;
    takeText(answers, row, table); // the content is that of the result
    of.says[row] = of.text[row] = 0;
    return true;
  };

  const takeMember = (source: JsonSource, at: number, place: Place, table: MessageTable): boolean => {
    const kind = kindAt(source, at);
    const row = table.messages.length - 1;
    const role = table.messages.of.role[row];
    switch (place) {
      case 'content':
        return kind === NULL || addText(source, at, table) || addBlocks(source, at, table);
      case 'calls':
        if (kind === NULL) return true;
        return role === ASSISTANT && kind === ARRAY && isFull(source, at) && eachItem(source, at, addCall, table);
      case 'answers':
        return role !== TOOL || addId(source, at, table.results, row);
      case 'words':
        if (role === ASSISTANT && kind === STRING) addText(source, at, table);
        return true;
      case 'string':
        return kind === STRING;
      case 'absent':
        return kind === NULL;
    }
  };

  const addCall = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const { 0: id, 1: target } = findIn(source, at, callKeys) as unknown as [number, number];
    if (target < 0 || kindAt(source, target) !== OBJECT) return false;
    const { 0: name, 1: first, 2: second } = findIn(source, target, calledKeys) as unknown as Called;
    const input = first >= 0 ? first : (second ?? -1);
    return addCallOf(source, id, name, input >= 0 && kindAt(source, input) !== NULL ? input : -1, table);
  };

  const addBlock = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (addText(source, at, table)) return true;
    if (kindAt(source, at) !== OBJECT) return false;
    const found = findIn(source, at, blockKeys);
    const { 0: type, 1: name, 2: content, 3: failed, 4: input } = found as unknown as BlockPlaces;
    if (!isText(source, type)) return false;
    const block = blockKinds[blockTypes.indexOf(source, type)];
    const row = table.messages.length - 1;
    switch (block?.is) {
      case 'text':
        return addText(source, found[block.key]!, table);
      case 'call':
        return addCallOf(source, found[block.key]!, name, input, table);
      case 'result':
        if (!addId(source, found[block.key]!, table.results, row)) return false;
        table.results.of.failed[table.results.length - 1] = Number(failed >= 0 && kindAt(source, failed) === TRUE);
        return addResultContent(source, content, table);
      case 'thought':
        return true;
      default:
        table.messages.of.says[row] = 1;
        table.hasMore = true;
        return true;
    }
  };

  /** The texts of a result's content count as its own. */
  const addResultContent = (source: JsonSource, at: number, table: MessageTable): boolean => {
    const { of, length } = table.messages;
    const [says, text, textAt] = [of.says[length - 1]!, of.text[length - 1]!, of.textAt[length - 1]!];
    const [calls, results] = [table.calls.length, table.results.length];
    of.text[length - 1] = 0;
    of.textAt[length - 1] = -1;
    const fits = at < 0 || kindAt(source, at) === NULL || addText(source, at, table) || addBlocks(source, at, table);
    if (calls !== table.calls.length || results !== table.results.length) return false; // what it holds is content
    takeText(results - 1, length - 1, table);
    [of.says[length - 1], of.text[length - 1], of.textAt[length - 1]] = [says, text, textAt];
    return fits;
  };

  const addBlocks = (source: JsonSource, at: number, table: MessageTable): boolean =>
    kindAt(source, at) === ARRAY && eachItem(source, at, addBlock, table);

  const isGoneBlock = (source: JsonSource, at: number, isGone: IsGone): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const type = blockTypes.indexOf(source, findIn(source, at, blockKeys)[0]!);
    const is = blockKinds[type]?.is;
    return (is === 'call' || is === 'result') && isGone({ type: is });
  };

  const placeAt = (source: JsonSource, key: number): Place | undefined => places[memberKeys.indexOf(source, key) - 1];

  return {
    traits: { flagsErrors: flag !== '' },
    add: addMessage,
    cuts(source, at, isGone) {
      const { tape } = source;
      const seen = new Set<Place>();
      let cuts: readonly number[] = [];
      let needsText = false;
      let hasText = false;
      for (let key = at + ENTRY, before = -1; key < tape[at + 3]!; key = tape[key + ENTRY + 3]!) {
        const place = placeAt(source, key);
        const value = key + ENTRY;
        if (place === 'content' || place === 'calls') {
          if (seen.has(place)) return undefined;
          seen.add(place);
          const isCall = place === 'calls';
          if (place === 'content') hasText = isText(source, value);
          if (kindAt(source, value) === ARRAY) {
            const left = itemCuts(source, value, (item) => (isCall ? isGone(CALL) : isGoneBlock(source, item, isGone)));
            if (left === undefined && (!isCall || before < 0)) return undefined;
            needsText ||= left === undefined;
            cuts = [...cuts, ...(left ?? [before, tape[value + 2]!])];
          }
        }
        before = tape[value + 2]!;
      }
      return needsText && !hasText ? undefined : cuts;
    },
  };
}

const CALL = { type: 'call' } as const;

type Called = readonly [name: number, first: number, second?: number];
type BlockPlaces = readonly [type: number, name: number, content: number, failed: number, input: number];
