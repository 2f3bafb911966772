import type { OutputSchema } from '../../../formats/output-set.js';
import { createRng, shuffled } from '../../../seeded-rng.js';
import { itemAt } from '../../../present.js';
import { isPerturbable } from '../../../schema/column-family.js';
import type { ColumnRef, Database } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { QuotedSql } from '../../../sql/edits.js';
import { rewriteVariant } from '../../../sql/rename-columns.js';
import type { Rng } from '../../../stage.js';
import { type AddPosition, type ColumnChoice, perturbationsOf, type VariantSlot } from '../../augment/variant-plan.js';
import type { CandidatePool, PerturbationKind } from './candidate-pool.js';
import type { SampleChoice } from './candidate-difficulty.js';
import {
  type ColumnWithout,
  type DrawnPerturbation,
  drawPerturbation,
  type EquivalenceCheck,
} from './draw-perturbation.js';
import type { AbbreviateChoice, LinkedKeys } from './new-column-names.js';
import type { Mention } from '../../candidates/plan-tables.js';
import { addedNames, renamesOf } from '../../databases/plan-change.js';
import { changedSchema, placeAdditions } from './perturbed-schema.js';

/** How perturbed schemas and queries are made, beyond what is drawn. */
export interface PerturbOptions {
  readonly linkedKeys: LinkedKeys;
  /** True if new names are abbreviated where their table's are. */
  readonly abbreviate: AbbreviateChoice;
  /** Where an added column goes. */
  readonly addPosition: AddPosition;
  /** Leaves `SELECT *` as it is under ADD, though its result then has more columns. */
  readonly keepStar: boolean;
}

/** The parts that decide on a schema; `kind` and `number` say which variant it is to be. */
export interface SchemaRequest extends Omit<PerturbOptions, 'keepStar'>, VariantSlot {
  readonly database: Database;
  /** The columns and tables that gold queries mention. */
  readonly mention: Mention;
  readonly columns: ColumnChoice;
  readonly pool: CandidatePool;
  readonly sample: SampleChoice;
  readonly areEquivalent: EquivalenceCheck;
}

/** A perturbed table set; the schema's id is given when it is written. */
export interface DrawnSchema extends DrawnPerturbation {
  /** Where each added column goes, in the table as it then stands. */
  readonly positions: readonly number[];
  /** Perturbed schema under the original's id. */
  readonly schema: Database;
  readonly columns: OutputSchema['columns'];
  /** True where no mentioned column has a candidate and another column was taken. */
  readonly unmentioned: boolean;
}

/** Perturbed schemas of a database and kind that its examples share, where whole tables are perturbed. */
const WHOLE_SCHEMAS = 8;

/**
 * Draws a perturbed schema: every column that the gold queries mention is perturbed by a candidate drawn at random
 * (ADVETA §5.2, §5.3). Where none of them has a candidate, one other column of the queries' tables, or else of the
 * database, is, so that a training set stays three times as large; null where there is none either. Where whole tables
 * are asked for, every column is renamed, or half of those with candidates get another next to them.
 */
export async function drawSchema(request: SchemaRequest, rng: Rng): Promise<DrawnSchema | null> {
  const { database, kind } = request;
  let drawn: DrawnPerturbation = { changes: [], redraws: 0, without: [] };
  for (const one of perturbationsOf(kind)) drawn = await drawFurther(request, one, drawn, rng);
  const unmentioned = drawn.changes.length === 0;
  if (unmentioned) drawn = await drawUnmentioned(request, drawn, rng);
  const { changes } = drawn;
  if (changes.length === 0) return null;
  const added = changes.filter(({ kind }) => kind === 'ADD');
  const insertions = placeAdditions(database, added, request.addPosition === 'last' ? null : rng);
  const positions = insertions.map(({ position }) => position);
  const schema = changedSchema(database, database.id, changes, insertions);
  return { ...drawn, ...schema, unmentioned, positions };
}

/** Draws for the columns of one kind of change, next to what was drawn for the same schema. */
async function drawFurther(
  request: SchemaRequest,
  kind: PerturbationKind,
  { changes, redraws, without }: DrawnPerturbation,
  rng: Rng,
): Promise<DrawnPerturbation> {
  const whole = isWhole(request);
  const columns = whole ? wholeTables(request, kind, rng) : request.mention.columns;
  const drawn = await drawPerturbation({ ...request, kind, columns, before: changes }, rng);
  return {
    changes: [...changes, ...drawn.changes],
    redraws: redraws + drawn.redraws,
    without: [...without, ...(whole && kind === 'ADD' ? withoutAdditions(request) : []), ...drawn.without],
  };
}

/** Checks whether whole tables are perturbed, whatever the gold queries mention. */
export function isWhole({ columns, number }: Pick<SchemaRequest, 'columns' | 'number'>): boolean {
  return columns === 'all' || (columns === 'both' && number % 2 === 1);
}

/** Which of the whole schemas of its database a group of examples gets. */
export function wholeSchemaNumber(seed: number, group: string): number {
  return createRng(seed, group).int(WHOLE_SCHEMAS);
}

/** All columns for RPL; for ADD a drawn half of those with candidates, so that tables do not double. */
function wholeTables(request: SchemaRequest, kind: PerturbationKind, rng: Rng): readonly ColumnRef[] {
  const { database } = request;
  const tables = [...database.tables.keys()];
  if (kind === 'RPL') return perturbableIn(database, tables);
  const open = shuffled(openIn(request, kind, tables), rng);
  return open.slice(0, Math.ceil(open.length / 2));
}

/** Columns of whole tables that nothing could be added for. */
function withoutAdditions({ database, pool }: SchemaRequest): readonly ColumnWithout[] {
  return perturbableIn(database, [...database.tables.keys()])
    .filter((ref) => pool.of(database, ref, 'ADD').length === 0)
    .map((ref) => ({ kind: 'ADD', ref }));
}

export function perturbableIn(database: Database, tables: readonly number[]): readonly ColumnRef[] {
  return tables.flatMap((table) =>
    itemAt(database.tables, table).columns.flatMap((own, column) => (isPerturbable(own) ? [{ table, column }] : [])),
  );
}

function openIn(
  { database, pool }: SchemaRequest,
  kind: PerturbationKind,
  tables: readonly number[],
): readonly ColumnRef[] {
  return perturbableIn(database, tables).filter((ref) => pool.of(database, ref, kind).length > 0);
}

/** How a query is rewritten for a drawn schema. @returns a function that throws PerturbqlError where that is refused */
export function rewriteFor(
  { database, dialect, keepStar }: { database: Database; dialect: SqlDialect } & Pick<PerturbOptions, 'keepStar'>,
  drawn: DrawnSchema,
): (query: string) => QuotedSql {
  const added = addedNames(database, drawn);
  const change = { renames: renamesOf(database, drawn), added, keepStars: keepStar && added.size > 0 };
  return (query) => rewriteVariant(query, database, change, dialect);
}

async function drawUnmentioned(request: SchemaRequest, first: DrawnPerturbation, rng: Rng): Promise<DrawnPerturbation> {
  const { database, mention } = request;
  const isOwn = (t: number): boolean => mention.tables.includes(t);
  const tables = [...database.tables.keys()];
  let { redraws } = first;
  // One column, wherever it has names for a kind; a mixed variant has its first kind that any has.
  for (const kind of perturbationsOf(request.kind)) {
    const own = openIn(request, kind, mention.tables);
    const elsewhere = openIn(
      request,
      kind,
      tables.filter((t) => !isOwn(t)),
    );
    for (const ref of [...shuffled(own, rng), ...shuffled(elsewhere, rng)]) {
      const drawn = await drawPerturbation({ ...request, kind, columns: [ref] }, rng);
      redraws += drawn.redraws;
      if (drawn.changes.length > 0) return { ...drawn, redraws, without: first.without };
    }
  }
  return { ...first, redraws };
}
