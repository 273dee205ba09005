/** A record with its messages at a path: a line of a dataset, or a request with settings beside its messages. */
import { TranscriptError } from '../../errors.js';
import type { Description, Format, MessageChange } from '../../formats/format.js';
import type { JsonNode } from '../../json/node.js';
import { print, printReplaced, type Replacement, type Sink } from '../../json/print.js';
import { type Addition, type NodeChange, replaceWithin } from '../../json/replace.js';
import type { RowEvent } from '../../json/rows.js';
import { styleOf } from '../../json/style.js';
import { flattened } from '../../lists.js';
import { originOf } from '../../transcript/compare.js';
import { joinTexts } from '../../transcript/text.js';
import type { ContentPart, Message, Traits, Transcript } from '../../transcript/types.js';
import { described } from '../described.js';
import type { Detection } from '../detect/detection.js';
import {
  endsOnReply,
  isReply,
  type MessagePath,
  parseMessagePath,
  type Site,
  siteNode,
  sitesAt,
} from '../message-paths.js';
import {
  type MakeTable,
  type Opened,
  type PassageKind,
  type Piece,
  passageOf,
  type RecordEvent,
  warningOf,
} from '../piece.js';
import { positionsOnce } from '../position.js';
import { onLine, printChecked } from '../print-checked.js';
import { type Threads, threadsOf } from '../threads.js';
import { bodyChanges, toolEdits, transcriptOf } from '../transcript.js';
import { openEnvelope } from './envelope.js';
import { type OpenedSites, readSite, replaceSites, type SiteMessages } from './sites.js';

interface OpenedList extends OpenedSites {
  readonly threads: Threads;
}

export interface RecordOptions {
  /** A last line that is cut off passes through with a warning; otherwise it is an error. */
  readonly keepsCut: boolean;
  /** Makes the messages of a record rows of a table. */
  readonly tables: MakeTable | undefined;
}

export function* openRecords(
  events: Iterable<RowEvent>,
  detection: Detection,
  options: RecordOptions,
): Generator<Piece, void, void> {
  for (const event of events) {
    if ('gap' in event) yield { type: 'passage', is: 'gap', span: event.gap };
    if (event.type === 'record') {
      const opened = openRecord(event, detection, options);
      yield opened === undefined ? passageOf(event) : guardSearched(opened, detection);
    } else if (event.type === 'cut' && !options.keepsCut) {
      throw event.error;
    } else {
      const part = event.type === 'passed' && event.part !== undefined ? { part: event.part } : {};
      yield { type: 'passage', is: kindOf(event), span: event.span, ...part };
      if (event.type === 'bad' || event.type === 'cut') yield warningOf({ ...event, type: 'bad' });
    }
  }
}

function kindOf(event: Exclude<RowEvent, { type: 'record' }>): PassageKind {
  if (event.type !== 'open') return event.type;
  return event.array ? 'list' : 'lines';
}

/** A list that was found by searching could not be found again if it were empty, so its last message must stay. */
function guardSearched(opened: Opened, detection: Detection): Opened {
  const { container, isFound } = detection;
  if (!isFound) return opened;
  const { transcripts, save, line } = opened;
  const { label } = container as MessagePath;
  const hasMessages = (transcript: Transcript) => transcript.messages.length > 0;
  return {
    ...opened,
    transcripts,
    guarded: (other) => guardSearched(other, detection),
    save(sink, after) {
      if (transcripts.some(hasMessages) && !after.some(hasMessages))
        throw new TranscriptError(
          'format',
          `nothing would be left of the messages at \`${label}\`, ` +
            `and the next run might take others for them; name the list with --messages ${label}`,
          { line, column: 1, path: label },
        );
      save(sink, after);
    },
  };
}

/** A dataset may mix its shapes: a record without the detected path may have its messages at another one. */
function openRecord(
  event: RecordEvent,
  { format, container, isFound }: Detection,
  options: RecordOptions,
): Opened | undefined {
  if (container === 'rows' || container === 'bundle') return undefined;
  if (container === 'envelope') return openEnvelope(event, format);
  const { root } = event;
  const detected = sitesAt(root, container);
  const tables = isFound === true ? undefined : options.tables;
  if (detected !== undefined) return openAt(event, format, { path: container, lists: detected, tables });
  for (const path of format.messagePaths) {
    const other = parseMessagePath(path);
    const found = sitesAt(root, other);
    if (found !== undefined) return openAt(event, format, { path: other, lists: found, tables });
  }
  return openEnvelope(event, format);
}

interface Found {
  readonly path: MessagePath;
  readonly lists: readonly (readonly Site[])[];
  readonly tables: MakeTable | undefined;
}

function openAt(event: RecordEvent, format: Format, { path, lists, tables }: Found): Opened {
  const { root } = event;
  const describe = (sites: readonly Site[]): Description => {
    const found = described(format, root, sites[0]?.list);
    const traits = traitsAt(root, found.traits ?? format.traits, path);
    return found.traits === undefined ? found : { ...found, traits };
  };
  const openList = (sites: readonly Site[]): OpenedList => {
    const bySite = sites.map((site) => readSite(site, format, event));
    const messages = flattened(bySite.map((site) => site.messages));
    const description = describe(sites);
    const traits = description.traits ?? traitsAt(root, format.traits, path);
    const context = { format, traits, description, record: root, messagePath: path, hasBody: true };
    const transcript = transcriptOf(messages, context);
    return { bySite, transcript, threads: threadsOf(transcript, format) };
  };
  const tabled = tables?.(event, format, lists, () => describe(lists[0]!));
  const opened = new OpenedRecord(event, format, tabled, () => lists.map(openList));
  if (tabled === undefined) opened.read(); // errors come when it is opened; what fits into a table has none
  return opened;
}

/** A class: a getter in a literal would give each record a shape of its own, which V8 links to the one before. */
class OpenedRecord implements Opened {
  readonly type = 'opened';
  readonly line: number;
  readonly record: JsonNode;
  readonly roots: readonly JsonNode[];
  private lists: readonly OpenedList[] | undefined = undefined;
  private all: readonly Transcript[] | undefined = undefined;

  constructor(
    private readonly event: RecordEvent,
    private readonly format: Format,
    readonly tabled: Opened['tabled'],
    private readonly open: () => readonly OpenedList[],
  ) {
    this.line = event.line;
    this.record = event.root;
    this.roots = [event.root];
  }

  get transcripts(): readonly Transcript[] {
    return this.read();
  }

  read(): readonly Transcript[] {
    this.lists ??= this.open();
    this.all ??= this.lists.flatMap(({ threads }) => threads.transcripts);
    return this.all;
  }

  readonly positions = positionsOnce(() => [this.event]);

  readonly save = (sink: Sink, after: readonly Transcript[]): void => {
    const { record, line, transcripts, format } = this;
    if (after.every((transcript, index) => transcript === transcripts[index]))
      sink.slice(record.source.bytes, record.start, record.end);
    else onLine(line, () => printChecked(sink, (to) => saveRecord(to, record, changesOf(this.lists!, after), format)));
  };
}

function traitsAt(root: JsonNode, traits: Traits, messagePath: MessagePath): Traits {
  if (!endsOnReply(root, messagePath)) return traits;
  return { ...traits, endsOnReply: true, ...(isReply(messagePath) ? { isReply: true } : {}) };
}

// --- save

/** A list before and after. */
interface ListChange extends OpenedSites {
  readonly after: Transcript;
}

/** Puts the transcripts of several agents back into the list that they share. */
function changesOf(opened: readonly OpenedList[], after: readonly Transcript[]): ListChange[] {
  const next = after.values();
  return opened.map((list) => ({ ...list, after: list.threads.joined(next) }));
}

function saveRecord(sink: Sink, root: JsonNode, changes: readonly ListChange[], format: Format): void {
  const replacements = changes.flatMap((change) => replacementsOf(root, change, format));
  const unique = uniqueNodes(replacements); // transcripts of one record share its tools
  const additions = changes.flatMap(({ bySite, after }) => [
    ...addedSystem(root, bySite, after, format),
    ...bodyChanges(after),
  ]);
  if (additions.length === 0 && unique.every(isReplacement)) printReplaced(sink, root, unique);
  else print(sink, replaceWithin(root, unique, additions), () => styleOf(root));
}

function isReplacement(change: NodeChange): change is Replacement {
  return change.value !== undefined;
}

/** The first change of each node. */
function uniqueNodes(replacements: readonly NodeChange[]): readonly NodeChange[] {
  const seen = new Map<JsonNode['source'], Set<number>>();
  return replacements.filter(({ node: { source, at } }) => {
    const places = seen.get(source) ?? new Set();
    if (places.has(at)) return false;
    seen.set(source, places.add(at));
    return true;
  });
}

function replacementsOf(root: JsonNode, change: ListChange, format: Format): readonly NodeChange[] {
  const { bySite, transcript, after } = change;
  if (after === transcript) return [];
  const messages = isSystemBeside(after.messages[0], after) ? after.messages.slice(1) : after.messages;
  return [
    ...replaceSites(bySite, messages, format),
    ...duplicatesAfter(root, transcript, after, format),
    ...toolEdits(after).filter(({ node }) => node.source === root.source),
  ];
}

/** An added system prompt, as a member beside the messages. */
function addedSystem(
  root: JsonNode,
  [first]: readonly SiteMessages[],
  after: Transcript,
  { encode }: Format,
): Addition[] {
  const [message] = after.messages;
  if (first === undefined || !isSystemBeside(message, after)) return [];
  const { system } = encode!;
  const text = joinTexts(message!.parts.filter((part): part is ContentPart => part.type === 'text'));
  return [{ holder: holderOf(root, siteNode(first.site)), key: system!.key, value: system!.write(text) }];
}

/** The innermost object around a descendant of `node`. */
function holderOf(node: JsonNode, descendant: JsonNode): JsonNode {
  const children = node.isObject ? node.members().map(({ value }) => value) : node.items();
  const around = children.find((child) => child.encloses(descendant) && !child.is(descendant));
  const deeper = around === undefined ? undefined : holderOf(around, descendant);
  return deeper?.isObject ? deeper : node;
}

function isSystemBeside(message: Message | undefined, { takesSystem }: Transcript): boolean {
  return message?.role === 'system' && message.raw === undefined && takesSystem?.() === 'beside';
}

/** Values elsewhere in the record that repeat messages which changed or were dropped. */
function duplicatesAfter(
  root: JsonNode,
  before: Transcript,
  after: Transcript,
  format: Format,
): readonly Replacement[] {
  if (format.syncDuplicates === undefined) return [];
  const byOrigin = new Map(after.messages.map((message) => [originOf(message), message]));
  const changes = before.messages.map((message): MessageChange => {
    const now = byOrigin.get(message.raw);
    return { before: message, after: now, json: jsonAfter(message, now, format) };
  });
  return changes.some((change) => change.after !== change.before) ? format.syncDuplicates(root, changes) : [];
}

function jsonAfter(before: Message, after: Message | undefined, format: Format): MessageChange['json'] {
  if (after === undefined) return undefined;
  return after === before ? (before.raw as JsonNode) : format.write(after);
}
