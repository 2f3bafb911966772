import { InputFormatError } from '../../errors.js';
import type { OutputSchema } from '../../formats/output-set.js';
import { renamedColumns } from '../../perturb/database/plan-change.js';
import type { SourceValues } from '../../perturb/database/values/source-values.js';
import { elementAt } from '../../present.js';
import { columnKey, type Database } from '../../schema/schema.js';
import { SQLITE } from '../../sql/dialect.js';
import { rewriteVariant } from '../../sql/rename-columns.js';
import { RUN_FIX, type RunVariant } from './transfer-run.js';
import type { TransferredAddition, SuiteChange } from './suite-change.js';

/** Per table and column of a variant its position in the original; null = added. */
function positionsOf({ schema, original, kind }: RunVariant): OutputSchema['columns'] {
  return schema.tables.map(({ columns }, t) => {
    if (kind === 'RPL') return columns.map((_, c) => c);
    const names = original.tables[t]?.columns.map(({ originalName }) => originalName) ?? [];
    return columns.map(({ originalName }) => {
      const position = names.indexOf(originalName);
      return position === -1 ? null : position;
    });
  });
}

/** Whether the positions are those of all the original's columns, in their order: what was not perturbed still stands. */
function fits(original: Database, positions: OutputSchema['columns']): boolean {
  if (positions.length !== original.tables.length) return false;
  return original.tables.every(({ columns }, t) => {
    const kept = elementAt(positions, t).filter((position) => position !== null);
    return kept.length === columns.length && kept.every((position, i) => position === i);
  });
}

function additionsOf(
  { schema, original, changes }: RunVariant,
  positions: OutputSchema['columns'],
  sources: SourceValues,
): readonly TransferredAddition[] {
  return schema.tables.flatMap(({ originalName: table, columns }, t) =>
    columns.flatMap(({ name: words, originalName: name, type }, c) => {
      if (elementAt(positions, t)[c] !== null) return [];
      const change = changes.find((one) => one.table === table && one.identifier === name);
      const next = elementAt(positions, t)
        .slice(c)
        .find((position) => position !== null);
      const before = next === undefined ? null : elementAt(elementAt(original.tables, t).columns, next).originalName;
      const target = change?.column ?? elementAt(elementAt(original.tables, t).columns, 0).originalName;
      return [{ table, name, words, type, before, target, sourceValues: [...sources.of(change?.origin ?? null)] }];
    }),
  );
}

/**
 * What a suite's databases need to become a variant's.
 * @throws InputFormatError where the variant is more than its original with columns renamed or added
 */
export function planSuiteChange(variant: RunVariant, sources: SourceValues, seed: number): SuiteChange {
  const { schema, original } = variant;
  const columns = positionsOf(variant);
  if (!fits(original, columns)) {
    throw new InputFormatError(`the schema is not ${original.id} with columns renamed or added`, {
      where: { id: schema.id },
      fix: RUN_FIX,
    });
  }
  return {
    renames: renamedColumns(original, { schema, origin: original.id, columns }).map((rename) => ({ ...rename })),
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
  const renames = original.tables.flatMap((table, t) =>
    table.columns.flatMap(({ originalName }, c) => {
      const name = elementAt(elementAt(schema.tables, t).columns, c).originalName;
      return name === originalName ? [] : [[columnKey({ table: t, column: c }), name] as const];
    }),
  );
  const added = schema.tables.map(
    (table, t) =>
      [t, table.columns.filter((_, c) => elementAt(columns, t)[c] === null).map((one) => one.originalName)] as const,
  );
  const change = kind === 'RPL' ? { renames: new Map(renames) } : { added: new Map(added), keepStars };
  return (sql) => rewriteVariant(sql, original, change, SQLITE).sql;
}
