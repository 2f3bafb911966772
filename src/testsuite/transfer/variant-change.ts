import { InputFormatError } from '../../errors.js';
import { type OutputSchema, type TracedTable, traceTables } from '../../formats/output-set.js';
import { recordedPositions } from '../../variants/augment/provenance.js';
import { renamedColumns } from '../../variants/databases/plan-change.js';
import type { SourceValues } from '../../variants/databases/source-values.js';
import { itemAt, zip } from '../../present.js';
import { columnKey } from '../../schema/schema.js';
import { SQLITE } from '../../sql/dialect.js';
import { rewriteVariant } from '../../sql/rename-columns.js';
import { RUN_FIX, type RunVariant } from './transfer-run.js';
import type { TransferredAddition, SuiteChange } from './suite-change.js';

const positionsOf = ({ schema, original, kind, changes }: RunVariant): OutputSchema['columns'] =>
  recordedPositions(original, schema, kind, changes);

/**
 * Checks whether the positions are those of all the original's columns, in their order: what was not perturbed still
 * stands.
 */
function fits({ schema, original }: RunVariant, columns: OutputSchema['columns']): boolean {
  if ([schema.tables, columns].some(({ length }) => length !== original.tables.length)) return false;
  const areKept = zip(original.tables, columns).every(([before, positions]) => {
    const kept = positions.filter((position) => position !== null);
    return kept.length === before.columns.length && kept.every((position, i) => position === i);
  });
  // No new name is one that the table has already: a column with one of them has to be that one.
  const isFree = ({ original: before }: TracedTable, name: string): boolean =>
    before.columns.every(({ originalName }) => originalName !== name);
  return (
    areKept &&
    traceTables({ schema, columns }, original).every((table) =>
      table.columns.every(
        ({ column, from }) =>
          from === null || from.originalName === column.originalName || isFree(table, column.originalName),
      ),
    )
  );
}

function additionsOf(
  tables: readonly TracedTable[],
  { changes }: RunVariant,
  sources: SourceValues,
): readonly TransferredAddition[] {
  return tables.flatMap(({ table: { originalName: table }, original, columns }) =>
    columns.flatMap(({ column: { name: words, originalName: name, type }, from }, c) => {
      if (from !== null) return [];
      const change = changes.find((one) => one.table === table && one.identifier === name);
      const [next = null] = columns.slice(c).flatMap((later) => later.from ?? []);
      const before = next?.originalName ?? null;
      const target = change?.column ?? itemAt(original.columns, 0).originalName;
      return [{ table, name, words, type, before, target, sourceValues: [...sources.of(change?.origin ?? null)] }];
    }),
  );
}

/**
 * Returns the changes that turn a suite's databases into a variant's.
 * @throws InputFormatError where the variant is more than its original with columns renamed or added
 */
export function planSuiteChange(variant: RunVariant, sources: SourceValues, seed: number): SuiteChange {
  const { schema, original } = variant;
  const columns = positionsOf(variant);
  if (!fits(variant, columns)) {
    throw new InputFormatError(`the schema is not ${original.id} with columns renamed or added`, {
      where: { id: schema.id },
      fix: RUN_FIX,
    });
  }
  return {
    renames: renamedColumns(original, { schema, columns }).map((rename) => ({ ...rename })),
    additions: [...additionsOf(traceTables({ schema, columns }, original), variant, sources)],
    seed,
  };
}

/**
 * Rewrites queries on an original for a variant of it, as the run rewrote its gold.
 * @returns a function that throws SqlRewriteError where a query can't keep its meaning
 */
export function variantRewriter(variant: RunVariant, keepStars: boolean): (sql: string) => string {
  const { schema, original, kind } = variant;
  const tables = traceTables({ schema, columns: positionsOf(variant) }, original);
  const renames = tables.flatMap(({ columns }, table) =>
    columns.flatMap(({ column: { originalName: name }, from, position }) =>
      position === null || name === from?.originalName ? [] : [[columnKey({ table, column: position }), name] as const],
    ),
  );
  const added = tables.map(({ columns }, t) => {
    return [t, columns.flatMap(({ column, from }) => (from === null ? [column.originalName] : []))] as const;
  });
  const change = { renames: new Map(renames), added: new Map(added), keepStars: keepStars && kind !== 'RPL' };
  return (sql) => rewriteVariant(sql, original, change, SQLITE).sql;
}
