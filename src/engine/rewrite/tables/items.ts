/** Tables of lists in which messages, reasoning, calls and their outputs are items of their own: OpenAI Responses. */
import { ARRAY, NULL, OBJECT } from '../../../json/scan.js';
import { type JsonSource, Keys } from '../../../json/strings.js';
import { ASSISTANT, type MessageTable, ROW_ROLES, TOOL } from '../../../transcript/table.js';
import { addCallOf, addId, addRow, addText, endRow, type Tabler, takeText } from './add.js';
import { eachItem, findIn, isText, kindAt } from './tape.js';

export interface ItemsLayout {
  /** By `role`, of messages. */
  readonly roles: Readonly<Record<string, (typeof ROW_ROLES)[number]>>;
  /** By `type`; without one it is a message. Items of other types do not fit. */
  readonly items: Readonly<Record<string, 'message' | 'thought' | 'call' | 'result'>>;
  /** The key of the id of a call, in the call and in its result. */
  readonly id: string;
  /** The keys of what a call is called with. The first that is there counts. */
  readonly inputs: readonly [string, string];
  /** The keys of a message's content and of a result's. */
  readonly content: string;
  readonly output: string;
  /** The keys of lists with the texts of reasoning. */
  readonly thoughts: readonly [string, string];
  /** Types of blocks with a text in `text`. Others are content. */
  readonly texts: readonly string[];
}

export function createItemsTabler(layout: ItemsLayout): Tabler {
  const roleNames = new Keys(Object.keys(layout.roles));
  const roleCodes = Object.values(layout.roles).map((role) => ROW_ROLES.indexOf(role));
  const types = new Keys(Object.keys(layout.items));
  const kinds = Object.values(layout.items);
  const { id, inputs, content, output, thoughts } = layout;
  const itemKeys = new Keys(['type', 'role', content, id, 'name', ...inputs, output]);
  const thoughtKeys = new Keys([...thoughts]);
  const blockKeys = new Keys(['type', 'text']);
  const texts = new Keys(layout.texts);

  const addItem = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const found = findIn(source, at, itemKeys);
    const {
      0: type,
      1: role,
      2: said,
      3: callId,
      4: name,
      5: first,
      6: second,
      7: answer,
    } = found as unknown as Places;
    const isTyped = type >= 0 && kindAt(source, type) !== NULL;
    if (isTyped && !isText(source, type)) return false;
    switch (isTyped ? kinds[types.indexOf(source, type)] : 'message') {
      case 'message':
        return addMessage(source, at, role, said, table);
      case 'thought':
        return addThought(source, at, table);
      case 'call': {
        const input = first >= 0 ? first : second;
        if (input < 0 || kindAt(source, input) === NULL) return false;
        const row = addPiece(source, at, ASSISTANT, table);
        return addCallOf(source, callId, name, input, table) && ended(row, table);
      }
      case 'result':
        return addResult(source, at, callId, answer, table);
      default:
        return false;
    }
  };

  /** A piece of the model's message goes on with the one before it, but for a text, which begins a message. */
  const addPiece = (source: JsonSource, at: number, role: number, table: MessageTable): number => {
    const row = addRow(source, at, role, table);
    const { of } = table.messages;
    of.goesOn[row] = Number(role === ASSISTANT && row > 0 && of.role[row - 1] === ASSISTANT);
    return row;
  };

  const addMessage = (
    source: JsonSource,
    at: number,
    ...[role, said, table]: [number, number, MessageTable]
  ): boolean => {
    const code = isText(source, role) ? (roleCodes[roleNames.indexOf(source, role)] ?? -1) : -1;
    if (code < 0) return false;
    const row = addPiece(source, at, code, table);
    return addContent(source, said, table) && ended(row, table);
  };

  const addThought = (source: JsonSource, at: number, table: MessageTable): boolean => {
    const { 0: one, 1: other } = findIn(source, at, thoughtKeys) as unknown as [number, number];
    const row = addPiece(source, at, ASSISTANT, table);
    table.messages.of.thinks[row] = 1;
    const fits = (list: number) => isAbsent(source, list) || isListOf(source, list, isThought);
    return fits(one) && fits(other) && ended(row, table);
  };

  const isThought = (source: JsonSource, at: number): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const { 0: type, 1: text } = findIn(source, at, blockKeys) as unknown as [number, number];
    return type >= 0 && isText(source, text);
  };

  const addResult = (
    source: JsonSource,
    at: number,
    ...[callId, answer, table]: [number, number, MessageTable]
  ): boolean => {
    const row = addPiece(source, at, TOOL, table);
    if (!addId(source, callId, table.results, row) || !addContent(source, answer, table)) return false;
    const result = table.results.length - 1;
    table.results.of.failed[result] = 0;
    takeText(result, row, table);
    table.messages.of.says[row] = table.messages.of.text[row] = 0;
    return ended(row, table);
  };

  const addContent = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (isAbsent(source, at)) return true;
    if (!addText(source, at, table)) return isListOf(source, at, addBlock, table);
    table.messages.of.goesOn[table.messages.length - 1] = 0;
    return true;
  };

  const addBlock = (source: JsonSource, at: number, table: MessageTable): boolean => {
    if (kindAt(source, at) !== OBJECT) return false;
    const { 0: type, 1: text } = findIn(source, at, blockKeys) as unknown as [number, number];
    if (!isText(source, type)) return false;
    const { of, length } = table.messages;
    if (texts.indexOf(source, type) >= 0) {
      of.goesOn[length - 1] = 0;
      return addText(source, text, table);
    }
    of.says[length - 1] = 1;
    table.hasMore = true;
    return true;
  };

  return {
    traits: { flagsErrors: false, inPieces: true },
    add: addItem,
    cuts: () => undefined, // an item holds no more than one call or result
  };
}

type Places = readonly [
  type: number,
  role: number,
  said: number,
  callId: number,
  name: number,
  ...[first: number, second: number, answer: number],
];

function ended(row: number, table: MessageTable): true {
  endRow(row, table);
  return true;
}

function isAbsent(source: JsonSource, at: number): boolean {
  return at < 0 || kindAt(source, at) === NULL;
}

function isListOf<T>(
  source: JsonSource,
  at: number,
  take: (source: JsonSource, at: number, into: T) => boolean,
  ...[into]: T[]
) {
  return kindAt(source, at) === ARRAY && eachItem(source, at, take, into as T);
}
