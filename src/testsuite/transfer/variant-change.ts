import { InputFormatError } from '../../errors.js';
import type { OutputSchema } from '../../formats/output-set.js';
import { recordedPositions } from '../../variants/augment/provenance.js';
import { addedColumns, addedNames, renamedColumns, renamesOf } from '../../variants/databases/plan-change.js';
import type { SourceValues } from '../../variants/databases/source-values.js';
import { itemAt, zip } from '../../present.js';
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
function fits({ schema, original }: RunVariant, positions: OutputSchema['columns']): boolean {
  if (positions.length !== original.tables.length) return false;
  return zip(original.tables, zip(schema.tables, positions)).every(([{ columns }, [table, own]]) => {
    const kept = own.filter((position) => position !== null);
    if (kept.length !== columns.length || kept.some((position, i) => position !== i)) return false;
    // No new name is one that the table has already: a column with one of them has to be that one.
    const names = columns.map(({ originalName }) => originalName);
    return zip(table.columns, own).every(
      ([{ originalName }, position]) =>
        position === null || names[position] === originalName || !names.includes(originalName),
    );
  });
}

function additionsOf(
  { schema, original, changes }: RunVariant,
  columns: OutputSchema['columns'],
  sources: SourceValues,
): readonly TransferredAddition[] {
  return addedColumns(original, { schema, columns }).map(({ table, column, before }) => {
    const { name: words, originalName: name, type } = column;
    const change = changes.find((one) => one.table === table && one.identifier === name);
    const own = original.tables.find(({ originalName }) => originalName === table)?.columns ?? [];
    const target = change?.column ?? itemAt(own, 0).originalName;
    return { table, name, words, type, before, target, sourceValues: [...sources.of(change?.origin ?? null)] };
  });
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
    additions: [...additionsOf(variant, columns, sources)],
    seed,
  };
}

/**
 * Rewrites queries on an original for a variant of it, as the run rewrote its gold.
 * @returns a function that throws SqlRewriteError where a query can't keep its meaning
 */
export function variantRewriter(variant: RunVariant, keepStars: boolean): (sql: string) => string {
  const { schema, original, kind } = variant;
  const changed = { schema, columns: positionsOf(variant) };
  const [renames, added] = [renamesOf(original, changed), addedNames(original, changed)];
  const change = { renames, added, keepStars: keepStars && kind !== 'RPL' };
  return (sql) => rewriteVariant(sql, original, change, SQLITE).sql;
}
