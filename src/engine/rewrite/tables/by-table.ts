/** Applies steps to the table of a record: so most records need no object for any message. */
import type { MakeLogTable, MakeTable, RowsAfter, Tabled } from '../../../source/piece.js';
import { fitsSurely, type Room } from '../../../tokens/context.js';
import { GOES, LOSES, type RowPlan, SYSTEM } from '../../../transcript/table.js';
import { countsTokens, type Step } from '../../../transforms/pipeline.js';
import { type Counts, NO_COUNTS } from '../../../transforms/transform.js';
import { openLog } from './logs.js';
import { type PlannedStep, planners } from './planners.js';
import { openTable } from './tabled.js';

/** Counts tokens as a transcript's model does. */
export type CountsOf = (transcript: { readonly model?: string | undefined }) => Counts;

/** `rows` is undefined where nothing changes. */
export interface TableRewrite {
  readonly rows: RowsAfter | undefined;
}

/** Undefined where a step needs the messages. */
export function rewriteTable(tabled: Tabled, steps: readonly Step[], countsOf: CountsOf): TableRewrite | undefined {
  const counts = countsTokens(steps) ? countsOf({ model: modelOf(tabled) }) : NO_COUNTS;
  const plan = planOf(tabled, steps, counts);
  if (plan === undefined || plan === 'same') return plan && { rows: undefined };
  const drops = plan.fates.some((fate) => fate === GOES || fate === LOSES);
  const { modelAnswers, userEnds } = drops ? tabled.traits() : {};
  if (modelAnswers === true) return undefined; // what `alternating` adds is no row
  const rows = tabled.changed(plan);
  return rows !== undefined && userEnds !== undefined && rows.fates.at(-1) === GOES ? undefined : { rows };
}

/** A function of its own: tables are loaded with the first record that has one. */
export const tabledAt: MakeTable = (...given) => openTable(...given);
export const tableOfLog: MakeLogTable = (format) => openLog(format);

/** The steps that have a planner: naming them loads none. */
const PLANNED: ReadonlySet<string> = new Set<PlannedStep>(['clear', 'dedupe', 'filter', 'patch', 'truncate']);

/** Whether a table may tell what these steps make of messages. */
export function haveTables(steps: readonly Step[]): boolean {
  return steps.every(({ transform }) => PLANNED.has(transform.id));
}

/** Only the last step may change anything: those after it would need another table. */
function planOf({ table }: Tabled, steps: readonly Step[], counts: Counts): RowPlan | undefined {
  let plan: RowPlan = 'same';
  for (const { transform, values } of steps) {
    const next: RowPlan | undefined =
      plan === 'same' ? planners[transform.id as PlannedStep](table, values as never, counts) : undefined;
    if (next === undefined) return undefined;
    plan = next;
  }
  return plan;
}

/** Whether a record fits into the context window, also with the notes of what is cut. */
export function tableFits(tabled: Tabled, roomOf: (model: string | undefined) => Room): boolean {
  const { table } = tabled;
  const [room, system] = [roomOf(modelOf(tabled)), table.textOf(SYSTEM) + table.beside];
  return fitsSurely(room, system, 2 * table.size) || (fitsSurely(room, system, 0) && tabled.log?.wasSent() === true);
}

/** As `Transcript.model`: a table has no messages that name one. */
function modelOf({ describe }: Tabled): string | undefined {
  const { model, reply } = describe();
  return model ?? reply?.model;
}
