import type { OtherNames } from '../../../../src/variants/relations/schema/other-names.js';
import { columnInsertion, type PossibleColumns } from '../../../../src/variants/relations/schema/column-insertion.js';
import { RowReader } from '../../../../src/variants/databases/row-reader.js';
import type { Mutation, Relation } from '../../../../src/variants/relations/relation.js';
import { columnRemoval } from '../../../../src/variants/relations/evolution/removal.js';
import { columnRenaming } from '../../../../src/variants/relations/schema/column-renaming.js';
import { columnShuffle } from '../../../../src/variants/relations/schema/column-shuffle.js';
import { flattening } from '../../../../src/variants/relations/schema/flattening.js';
import { normalization } from '../../../../src/variants/relations/schema/normalization.js';
import { opaqueKey } from '../../../../src/variants/relations/schema/opaque-key.js';
import { tableShuffle } from '../../../../src/variants/relations/schema/table-shuffle.js';
import { columnAt, type ColumnType, type Database } from '../../../../src/schema/schema.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import { EXAMPLES } from '../cases.js';

/** Names that need no dictionary: "home town" is also called "home town now". */
const OTHER_NAMES: OtherNames = {
  fingerprint: 'test',
  of: (database, ref) => Promise.resolve([`${columnAt(database, ref).name} now`]),
};

/** Columns that need no model: every table can have a shade and visits. */
const POSSIBLE_COLUMNS: PossibleColumns = {
  fingerprint: 'test',
  of: () =>
    Promise.resolve([
      { name: 'shade', type: 'text' },
      { name: 'visits', type: 'number' },
    ]),
};

/** The eight schema relations in the paper's order. */
export function schemaRelations(links = new RowReader(EXAMPLES)): readonly Relation[] {
  return [
    normalization(SQLITE),
    flattening(links, SQLITE),
    opaqueKey(SQLITE),
    tableShuffle(SQLITE),
    columnShuffle(SQLITE),
    columnRemoval(SQLITE),
    columnRenaming(OTHER_NAMES, SQLITE),
    columnInsertion(POSSIBLE_COLUMNS, SQLITE),
  ];
}

/** A schema from identifiers, "id name town_id>town.id"; the first column of a table is its key. */
export function schemaOf(id: string, tables: Readonly<Record<string, string>>, type: ColumnType = 'text'): Database {
  const names = Object.keys(tables);
  const parsed = Object.values(tables).map((list) => list.split(' ').map((column) => column.split('>')));
  const identifiers = parsed.map((columns) => columns.map(([name]) => name!));
  return {
    id,
    tables: names.map((name, t) => ({
      name: name.toLowerCase().replaceAll('_', ' '),
      originalName: name,
      columns: identifiers[t]!.map((column) => {
        return { name: column.toLowerCase().replaceAll('_', ' '), originalName: column, type };
      }),
    })),
    primaryKeys: names.map((_, table) => ({ table, column: 0 })),
    foreignKeys: parsed.flatMap((columns, table) =>
      columns.flatMap(([, target], column) => {
        if (target === undefined) return [];
        const [parent = '', name = ''] = target.split('.');
        const to = names.indexOf(parent);
        return [{ from: { table, column }, to: { table: to, column: identifiers[to]!.indexOf(name) } }];
      }),
    ),
  };
}

/** The mutations of a result; a relation that gives none fails the test. */
export function mutationsIn(result: readonly Mutation[] | { readonly reason: string }): readonly Mutation[] {
  if ('reason' in result) throw new Error(`nothing: ${result.reason}`);
  return result;
}
