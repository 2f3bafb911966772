import { elementAt } from '../../present.js';
import { columnKey } from '../../schema/schema.js';
import { renderString, type SqlDialect } from '../../sql/dialect.js';
import type { RowReader } from '../database/row-reader.js';
import type { ValueMapping } from '../relation.js';
import { describeColumn } from '../schema/describe-change.js';
import { type DraftColumn, draftOf, replaceTable, type SchemaDraft } from '../schema/schema-draft.js';
import { type GoldlessCase, originOf, type SchemaRelation } from '../schema/schema-relation.js';
import { type Spelling, spellingsOf } from './category-spellings.js';
import { evolutionRelation, type SchemaEvolution } from './evolution-relation.js';
import { type ReadColumn, readColumns } from './recoding.js';
import { followValues, resultsWith } from './value-follower.js';

/** Most values of a column that is a category. */
const MOST_VALUES = 60;
/** Rows that a value of a category has on the average, at the least. */
const FEWEST_ROWS = 2;

function respelled(draft: SchemaDraft, { ref }: ReadColumn, spelling: Spelling): SchemaDraft {
  const table = elementAt(draft.tables, ref.table);
  const old = elementAt(table.columns, ref.column);
  const branches = Array.from(spelling, ([before, now]) => `WHEN ${renderString(before)} THEN ${renderString(now)}`);
  const column: DraftColumn = { ...old, sql: `CASE ${old.sql} ${branches.join(' ')} END`, declaredType: 'TEXT' };
  return replaceTable(draft, ref.table, { ...table, columns: table.columns.with(ref.column, column) });
}

function evolutionOf(one: GoldlessCase, read: ReadColumn, name: string, spelling: Spelling): SchemaEvolution {
  const { ref } = read;
  const column = describeColumn(one.database, ref);
  const [[before, now] = ['', '']] = spelling;
  return {
    key: `${columnKey(ref)}:${name}`,
    detail: `values of ${column} in ${name}: ${before} is ${now}`,
    change: (draft) => respelled(draft, read, spelling),
    follow: (gold) => followValues(gold, ref, spelling),
    mapping: (gold): readonly ValueMapping[] => [
      { column, now: [column], restored: null, values: [...spelling], results: resultsWith(gold, ref) },
    ],
  };
}

/** Rows that have a value in a column. */
function rowsWith(rows: RowReader, one: GoldlessCase, { ref }: ReadColumn): number {
  const { columns, from } = elementAt(draftOf(one.database, one.mutated).tables, ref.table);
  const query = `SELECT count(${elementAt(columns, ref.column).sql}) FROM ${from}`;
  return Number(rows.rowsOf(originOf(one), query)?.[0]?.[0] ?? 0);
}

/** Other spellings of a column's values; none of a column that is no category of texts. */
function evolutionsOf(rows: RowReader, one: GoldlessCase, read: ReadColumn): readonly SchemaEvolution[] {
  const texts = read.values.filter((value) => typeof value === 'string');
  if (read.isNumeric || texts.length < read.values.length || texts.length > MOST_VALUES) return [];
  if (rowsWith(rows, one, read) < FEWEST_ROWS * texts.length) return [];
  return spellingsOf(texts).map(([name, spelling]) => evolutionOf(one, read, name, spelling));
}

/**
 * Content Equivalence: the values of a category are spelled otherwise, in short or long forms, in capitals or small
 * letters; constants of golds go with them, and the question stays. Where a gold returns the column, its rows have the
 * new values.
 */
export function contentEquivalence(rows: RowReader, dialect: SqlDialect): SchemaRelation {
  return evolutionRelation({
    id: 'CEq',
    version: 1,
    dialect,
    changes: (one) => {
      const columns = readColumns(rows, one);
      if (columns === null) return { reason: 'no-rows-to-read' };
      return columns.flatMap((read) => evolutionsOf(rows, one, read));
    },
  });
}
