import type { SpiderExample } from '../formats/spider-examples.js';
import { createRng, shuffled } from '../run/seeded-rng.js';
import { columnKey, type ColumnRef, type Database } from '../schema/schema.js';
import type { RewrittenSql } from '../sql/edits.js';
import { renameColumns, rewriteForAdded } from '../sql/rename-columns.js';
import type { CandidatePool, PerturbationKind } from './candidate-pool.js';
import {
  type DrawnPerturbation,
  drawPerturbation,
  type ColumnChange,
  type EquivalenceCheck,
} from './draw-perturbation.js';
import type { LinkedKeys } from './linked-keys.js';
import type { Mention } from './plan-tables.js';
import { addToSchema, type Insertion, placeAdditions, renameInSchema } from './perturbed-schema.js';

export interface PerturbRequest {
  readonly database: Database;
  readonly example: SpiderExample;
  readonly mention: Mention;
  readonly kind: PerturbationKind;
  readonly pool: CandidatePool;
  readonly linkedKeys: LinkedKeys;
  readonly areEquivalent: EquivalenceCheck;
  readonly seed: number;
}

/** One example against one perturbed table set; the schema's id is given when it is written. */
export interface PerturbedExample {
  readonly kind: PerturbationKind;
  readonly changes: readonly ColumnChange[];
  /** Perturbed schema under the original's id. */
  readonly schema: Database;
  readonly sql: RewrittenSql;
  readonly redraws: number;
  readonly without: readonly ColumnRef[];
  /** True where no mentioned column has a candidate and another column was taken. */
  readonly unmentioned: boolean;
}

/**
 * One RPL or ADD variant of an example: each column that its gold query mentions is perturbed by a candidate drawn at
 * random (ADVETA §5.2, §5.3). Where none of them has a candidate, one other column of the query's tables, or else of the
 * database, is, so that the training set stays three times as large; null where there is none either.
 * @throws SqlRewriteError when the gold query can't be rewritten with the same meaning.
 */
export async function perturbExample(request: PerturbRequest): Promise<PerturbedExample | null> {
  const { database, example, kind, seed } = request;
  const rng = createRng(seed, `${example.id}:${kind}`);
  let drawn = await drawPerturbation({ ...request, columns: request.mention.columns }, rng);
  const unmentioned = drawn.changes.length === 0;
  if (unmentioned) drawn = await drawUnmentioned(request, drawn, rng);
  if (drawn.changes.length === 0) return null;
  const { changes, redraws, without } = drawn;
  const common = { kind, changes, redraws, without, unmentioned };
  if (kind === 'RPL') {
    const renames = new Map(changes.map((change) => [columnKey(change.ref), change.originalName]));
    const sql = renameColumns(example.query, database, renames);
    return { ...common, schema: renameInSchema(database, database.id, changes), sql };
  }
  const insertions = placeAdditions(database, changes, rng);
  const sql = rewriteForAdded(example.query, database, addedNames(insertions));
  return { ...common, schema: addToSchema(database, database.id, insertions), sql };
}

async function drawUnmentioned(
  request: PerturbRequest,
  first: DrawnPerturbation,
  rng: ReturnType<typeof createRng>,
): Promise<DrawnPerturbation> {
  const { database, pool, kind, mention } = request;
  const openIn = (tables: readonly number[]): readonly ColumnRef[] =>
    tables
      .flatMap((t) => database.tables[t]!.columns.map((_, c): ColumnRef => ({ table: t, column: c })))
      .filter((ref) => pool.of(database, ref, kind).length > 0);
  const own = openIn(mention.tables);
  let { redraws } = first;
  const elsewhere = openIn([...database.tables.keys()].filter((t) => !mention.tables.includes(t)));
  for (const ref of [...shuffled(own, rng), ...shuffled(elsewhere, rng)]) {
    const drawn = await drawPerturbation({ ...request, columns: [ref] }, rng);
    redraws += drawn.redraws;
    if (drawn.changes.length > 0) return { ...drawn, redraws, without: first.without };
  }
  return { ...first, redraws };
}

function addedNames(insertions: readonly Insertion[]): ReadonlyMap<number, readonly string[]> {
  const names = new Map<number, string[]>();
  for (const { change } of insertions)
    names.set(change.ref.table, [...(names.get(change.ref.table) ?? []), change.originalName]);
  return names;
}
