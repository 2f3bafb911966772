import type { LRUCache } from 'lru-cache';
import { PerturbqlError } from '../../../errors.js';
import type { DatasetExample } from '../../../formats/dataset.js';
import type { OutputSchema } from '../../../formats/output-set.js';
import { createRng, shuffled } from '../../../seeded-rng.js';
import { itemAt } from '../../../present.js';
import { isPerturbable } from '../../../schema/column-family.js';
import { columnAt, type ColumnRef, type Database } from '../../../schema/schema.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import type { QuotedSql } from '../../../sql/edits.js';
import { rewriteVariant } from '../../../sql/rename-columns.js';
import type { Rng } from '../../../stage.js';
import type { AddPosition, ColumnChoice } from './column-choice.js';
import type { CandidatePool, PerturbationKind } from './candidate-pool.js';
import type { SampleChoice } from './candidate-sampling.js';
import {
  type ColumnWithout,
  type DrawnPerturbation,
  drawPerturbation,
  type EquivalenceCheck,
} from './draw-perturbation.js';
import type { LinkedKeys } from './linked-keys.js';
import type { AbbreviateChoice } from './new-identifiers.js';
import type { Mention } from '../../candidates/plan-tables.js';
import { addedNames, renamesOf } from '../../databases/plan-change.js';
import { changedSchema, placeAdditions } from './perturbed-schema.js';
import { perturbationsOf, slotName, type VariantKind, type VariantSlot } from '../../augment/variant-plan.js';

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

/** `kind` and `number` say which variant of the examples it is to be. */
export interface PerturbRequest extends PerturbOptions, VariantSlot {
  readonly database: Database;
  readonly dialect: SqlDialect;
  /** One example, or the turns of one interaction: they share the perturbed schema. */
  readonly examples: readonly DatasetExample[];
  /** The columns and tables that their gold queries mention. */
  readonly mention: Mention;
  readonly columns: ColumnChoice;
  readonly pool: CandidatePool;
  readonly sample: SampleChoice;
  readonly areEquivalent: EquivalenceCheck;
  readonly seed: number;
  /** Keeps the schemas of whole tables, by place, for a run's other examples. */
  readonly wholeSchemas?: LRUCache<string, DrawnSchema>;
}

/** The parts of a request that decide on a schema. */
type SchemaRequest = Omit<PerturbRequest, 'dialect' | 'examples' | 'keepStar' | 'seed' | 'wholeSchemas'>;

/** A turn of an interaction whose gold can't be rewritten with the same meaning. */
interface RefusedTurn {
  readonly example: DatasetExample;
  readonly error: PerturbqlError;
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

/** A group of examples against one perturbed table set. */
export interface PerturbedGroup extends DrawnSchema {
  readonly kind: VariantKind;
  /** Those whose gold can be rewritten, in their order. */
  readonly examples: readonly DatasetExample[];
  /** Their gold queries on the schema. */
  readonly queries: readonly QuotedSql[];
  /** Turns whose gold can't be rewritten; they take no other with them. */
  readonly refused: readonly RefusedTurn[];
}

/** Perturbed schemas of a database and kind that its examples share, where whole tables are perturbed. */
const WHOLE_SCHEMAS = 8;

/**
 * Perturbs the tables of an example: every column that the gold query mentions is perturbed by a candidate drawn at
 * random (ADVETA §5.2, §5.3). Where none of them has a candidate, one other column of the query's tables, or else of
 * the database, is, so that the training set stays three times as large; null where there is none either.
 * Where whole tables are asked for, every column is renamed, or half of those with candidates get another next to them.
 * @throws SqlRewriteError when no gold query can be rewritten with the same meaning.
 */
export async function perturbGroup(request: PerturbRequest): Promise<PerturbedGroup | null> {
  const whole = isWhole(request);
  const place = `${whole ? wholeSchemaOf(request) : groupOf(request)}:${slotName(request)}`;
  const shared = whole ? request.wholeSchemas : undefined;
  const drawn = shared?.get(place) ?? (await drawSchema(request, createRng(request.seed, place)));
  if (drawn === null) return null;
  // What was taken in place of mentioned columns depends on the example.
  if (!drawn.unmentioned) shared?.set(place, drawn);
  return { kind: request.kind, ...drawn, ...rewriteTurns(request.examples, rewriteFor(request, drawn)) };
}

/** Draws the changes of a schema; null where no column of the database has a candidate. */
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
export function isWhole({ columns, number }: Pick<PerturbRequest, 'columns' | 'number'>): boolean {
  return columns === 'all' || (columns === 'both' && number % 2 === 1);
}

const groupOf = ({ examples }: PerturbRequest): string => itemAt(examples, 0).group;

/** One of the few whole schemas, so that a data set does not have one for each of its examples. */
function wholeSchemaOf(request: PerturbRequest): string {
  return `${request.database.id}:${wholeSchemaNumber(request.seed, groupOf(request))}`;
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
  return tables
    .flatMap((t) => itemAt(database.tables, t).columns.map((_, c): ColumnRef => ({ table: t, column: c })))
    .filter((ref) => isPerturbable(columnAt(database, ref)));
}

function openIn(
  { database, pool }: SchemaRequest,
  kind: PerturbationKind,
  tables: readonly number[],
): readonly ColumnRef[] {
  return perturbableIn(database, tables).filter((ref) => pool.of(database, ref, kind).length > 0);
}

type RewrittenTurns = Pick<PerturbedGroup, 'examples' | 'queries' | 'refused'>;

/** Rewrites each gold query by itself. @throws PerturbqlError as `rewrite`, where it refuses all of them */
function rewriteTurns(examples: readonly DatasetExample[], rewrite: (query: string) => QuotedSql): RewrittenTurns {
  const [kept, queries, refused]: [DatasetExample[], QuotedSql[], RefusedTurn[]] = [[], [], []];
  for (const example of examples) {
    try {
      queries.push(rewrite(example.query));
      kept.push(example);
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      refused.push({ example, error });
    }
  }
  const [first] = refused;
  if (first !== undefined && kept.length === 0) throw first.error;
  return { examples: kept, queries, refused };
}

/** How a query is rewritten for a drawn schema. @returns a function that throws PerturbqlError where that is refused */
export function rewriteFor(
  { database, dialect, keepStar }: Pick<PerturbRequest, 'database' | 'dialect' | 'keepStar'>,
  drawn: DrawnSchema,
): (query: string) => QuotedSql {
  const added = addedNames(drawn);
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
