/**
 * Lists of Pydantic AI's messages. A request holds the system prompt, the user's prompt and results at once, so each of
 * its parts is a message here; a response is one. The instructions that the model gets, those of the last request that
 * has any, are a message before all others: requests repeat them, and earlier ones are not sent again.
 */
import { ArrayEdit, amend, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import type { Nested } from '../../json/nested.js';
import { JsonNode, parse } from '../../json/node.js';
import { addAll } from '../../lists.js';

/** A value that is read as a message, in the request or response that holds it. */
export class Unit extends JsonNode {
  constructor(
    node: JsonNode,
    readonly owner: JsonNode,
    /** The instructions that it stands for; undefined of a part or a response. */
    readonly instructions?: JsonNode,
  ) {
    super(node.source, node.at);
  }
}

const EMPTY = parse('[]');

/** A list whose elements stand in several values. */
export class UnitList extends JsonNode {
  readonly units: readonly Unit[];

  constructor(
    readonly owners: readonly JsonNode[],
    /** The array that they are the elements of, if they stand in one value. */
    readonly list?: Nested,
  ) {
    super(EMPTY.source, EMPTY.at);
    this.units = unitsOf(owners);
  }

  override get length(): number {
    return this.units.length;
  }

  override items(most = Number.POSITIVE_INFINITY): JsonNode[] {
    return this.units.slice(0, most);
  }

  override hasItems(items: readonly unknown[]): boolean {
    return items.length === this.units.length && this.units.every((unit, index) => unit.is(items[index]));
  }
}

/** Whether a value is a request or a response. */
export function isOwner(node: JsonNode): boolean {
  const kind = node.get('kind')?.string;
  return (kind === 'request' || kind === 'response') && node.get('parts')?.isArray === true;
}

export function isResponse(node: JsonNode): boolean {
  return node.get('kind')?.string === 'response';
}

function unitsOf(all: readonly JsonNode[]): readonly Unit[] {
  const owners = all.filter(isOwner).map(asText);
  const last = owners.findLast((owner) => instructionsIn(owner) !== undefined);
  const units = last === undefined ? [] : [new Unit(last, last, instructionsIn(last))];
  for (const owner of owners)
    if (isResponse(owner)) units.push(new Unit(owner, owner));
    else for (const part of owner.get('parts')!.items()) units.push(new Unit(part, owner));
  return units;
}

/** A JavaScript value as its JSON: a unit is a place in a text. */
function asText(owner: JsonNode): JsonNode {
  return owner.source.isPlain ? parse(owner.json) : owner;
}

export function instructionsIn(owner: JsonNode): JsonNode | undefined {
  const instructions = isResponse(owner) ? undefined : owner.get('instructions');
  return instructions?.isString ? instructions : undefined;
}

// --- after an edit

/** What stands in the place of each value of a list: itself, nothing, or several. */
export function ownersAfter(list: UnitList, after: Json): readonly (readonly Json[])[] {
  if (!(after instanceof ArrayEdit)) return list.owners.map((owner) => [owner]);
  const indexOf = new Map(list.owners.map((owner, index) => [owner, index]));
  const isHead = (json: Json) => unitIn(json)?.instructions !== undefined;
  const turns = turnsOf(
    after.items.filter((json) => !isHead(json)),
    indexOf,
  );
  const written = list.owners.map((owner): Json[] => (isPassedOver(owner) ? [owner] : []));
  let slot = list.owners.length - 1;
  for (const { json, owner } of turns.toReversed()) {
    slot = Math.min(slot, indexOf.get(owner!) ?? slot);
    written[slot]!.unshift(json);
  }
  return withInstructions(list, written, after.items.find(isHead));
}

/** A value without messages: a request without parts, or something else. */
function isPassedOver(owner: JsonNode): boolean {
  return !isOwner(owner) || (!isResponse(owner) && owner.get('parts')!.length === 0);
}

function unitIn(json: Json): Unit | undefined {
  const node = json instanceof ObjectEdit ? json.base : json;
  return node instanceof Unit ? node : undefined;
}

/** A request or response about to be written. */
interface Turn {
  json: Json;
  owner: JsonNode | undefined;
  /** Of a request. */
  readonly parts: Json[] | undefined;
}

/** Parts that stand together are one request: those that were added join the request beside them. */
function turnsOf(items: readonly Json[], indexOf: ReadonlyMap<JsonNode | undefined, number>): readonly Turn[] {
  const lastOf = new Map(items.map((json, index) => [unitIn(json)?.owner, index]));
  const turns: Turn[] = [];
  for (const [index, json] of items.entries()) {
    const owner = unitIn(json)?.owner;
    const open = turns.at(-1);
    if (owner === undefined ? (json as JsonFields)['kind'] === 'response' : isResponse(owner)) {
      turns.push({ json, owner, parts: undefined });
      continue;
    }
    const parts = owner === undefined ? ((json as JsonFields)['parts'] as readonly Json[]) : [json];
    const isNext = owner !== undefined && open?.owner !== undefined && indexOf.get(owner)! > indexOf.get(open.owner)!;
    const joins = open?.parts !== undefined && !(isNext && lastOf.get(open.owner)! < index);
    if (!joins) turns.push({ json, owner, parts: [...parts] });
    else {
      addAll(open.parts!, parts);
      open.owner ??= owner;
    }
  }
  for (const turn of turns) if (turn.parts !== undefined) turn.json = request(turn.owner, turn.parts);
  return turns;
}

function request(owner: JsonNode | undefined, parts: readonly Json[]): Json {
  return owner === undefined
    ? { parts, kind: 'request' }
    : patch(owner, { parts: patchItems(owner.get('parts')!, parts) });
}

// --- instructions

/** All requests with the same instructions change with them; the last request that is left has them in any case. */
function withInstructions(
  list: UnitList,
  written: readonly (readonly Json[])[],
  head: Json | undefined,
): readonly (readonly Json[])[] {
  const [{ owner, instructions: before } = { owner: list, instructions: undefined }] = list.units;
  if (before === undefined) return written;
  const now = head instanceof ObjectEdit ? (head.fields.get('instructions') ?? before) : before;
  const change = (json: Json): Json => {
    const node = json instanceof ObjectEdit ? json.base : json;
    const own = node instanceof JsonNode ? instructionsIn(node) : undefined;
    if (own === undefined) return json;
    if (head === undefined) return amend(node as JsonNode, json, { instructions: undefined });
    return own.text === before.text && now !== before ? amend(node as JsonNode, json, { instructions: now }) : json;
  };
  const changed = written.map((values) => values.map(change));
  return head === undefined ? changed : withLast(list, changed, { owner, before, now });
}

interface Instructions {
  readonly owner: JsonNode;
  readonly before: JsonNode;
  readonly now: Json;
}

/** Where the requests with the instructions went: the last one that is left gets them, or one without parts stays. */
function withLast(
  { owners }: UnitList,
  written: readonly (readonly Json[])[],
  { owner, before, now }: Instructions,
): readonly (readonly Json[])[] {
  const requests = written.flatMap((values, index) =>
    values.flatMap((json, at) => (isRequest(json) ? [{ json, index, at }] : [])),
  );
  const nodeOf = (json: Json) => (json instanceof ObjectEdit ? json.base : json);
  const instructed = requests.findLast(({ json }) => {
    const node = nodeOf(json);
    return node instanceof JsonNode && instructionsIn(node) !== undefined;
  });
  if (instructed !== undefined && instructionsIn(nodeOf(instructed.json) as JsonNode)!.text === before.text)
    return written;
  const last = requests.at(-1);
  if (last === undefined) {
    const place = owners.indexOf(owner);
    const emptied = patch(owner, { parts: [], instructions: now });
    return written.map((values, index) => (index === place ? [emptied, ...values] : values));
  }
  const node = nodeOf(last.json);
  const json =
    node instanceof JsonNode
      ? amend(node, last.json, { instructions: now })
      : { ...(last.json as JsonFields), instructions: now };
  return written.map((values, index) =>
    index === last.index ? values.map((value, at) => (at === last.at ? json : value)) : values,
  );
}

function isRequest(json: Json): boolean {
  const node = json instanceof ObjectEdit ? json.base : json;
  return node instanceof JsonNode ? isOwner(node) && !isResponse(node) : (json as JsonFields)['kind'] === 'request';
}
