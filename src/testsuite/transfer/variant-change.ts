import { InputFormatError } from '../../errors.js';
import type { OutputSchema } from '../../formats/output-set.js';
import { recordedPositions } from '../../variants/augment/provenance.js';
import { renamedColumns } from '../../variants/databases/plan-change.js';
import type { SourceValues } from '../../variants/databases/source-values.js';
import { itemAt } from '../../present.js';
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
function fits({ schema, original }: RunVariant, positions: OutputSchema['columns']): boolean {
  if (positions.length !== original.tables.length) return false;
  return original.tables.every(({ columns }, t) => {
    const kept = itemAt(positions, t).filter((position) => position !== null);
    if (kept.length !== columns.length || kept.some((position, i) => position !== i)) return false;
    // No new name is one that the table has already: a column with one of them has to be that one.
    const names = columns.map(({ originalName }) => originalName);
    return itemAt(schema.tables, t).columns.every(({ originalName }, c) => {
      const position = itemAt(itemAt(positions, t), c);
      return position === null || names[position] === originalName || !names.includes(originalName);
    });
  });
}

function additionsOf(
  { schema, original, changes }: RunVariant,
  positions: OutputSchema['columns'],
  sources: SourceValues,
): readonly TransferredAddition[] {
  return schema.tables.flatMap(({ originalName: table, columns }, t) =>
    columns.flatMap(({ name: words, originalName: name, type }, c) => {
      if (itemAt(positions, t)[c] !== null) return [];
      const change = changes.find((one) => one.table === table && one.identifier === name);
      const next = itemAt(positions, t)
        .slice(c)
        .find((position) => position !== null);
      const before = next === undefined ? null : itemAt(itemAt(original.tables, t).columns, next).originalName;
      const target = change?.column ?? itemAt(itemAt(original.tables, t).columns, 0).originalName;
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
  const columns = positionsOf(variant);
  const renames = schema.tables.flatMap((table, t) =>
    table.columns.flatMap(({ originalName: name }, c) => {
      const column = itemAt(itemAt(columns, t), c);
      if (column === null) return [];
      const before = itemAt(itemAt(original.tables, t).columns, column).originalName;
      return name === before ? [] : [[columnKey({ table: t, column }), name] as const];
    }),
  );
  const added = schema.tables.map(
    (table, t) =>
      [t, table.columns.filter((_, c) => itemAt(columns, t)[c] === null).map((one) => one.originalName)] as const,
  );
  const change = { renames: new Map(renames), added: new Map(added), keepStars: keepStars && kind !== 'RPL' };
  return (sql) => rewriteVariant(sql, original, change, SQLITE).sql;
}
