import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { parseCsv, sniffCsvDialect } from '../../src/formats/csv-text.js';
import { loadSpiderTables } from '../../src/formats/spider-tables.js';
import { identifierKey } from '../../src/schema/name-identity.js';
import type { ColumnType, Database } from '../../src/schema/schema.js';

/** A database with identifiers, and people's readings of some of its columns. */
export interface PeopleRead {
  readonly set: string;
  readonly database: Database;
  /** By table and column. */
  readonly gold: ReadonlyMap<string, string>;
}

interface NamedColumn {
  readonly identifier: string;
  readonly gold: string | null;
  readonly type: ColumnType;
}

function databaseOf(
  set: string,
  id: string,
  tables: readonly (readonly [string, readonly NamedColumn[]])[],
): PeopleRead {
  const gold = new Map<string, string>();
  tables.forEach(([, columns], t) =>
    columns.forEach((column, c) => {
      if (column.gold !== null) gold.set(`${t}.${c}`, column.gold);
    }),
  );
  const database = {
    id,
    tables: tables.map(([originalName, columns]) => ({
      name: originalName,
      originalName,
      columns: columns.map(({ identifier, type }) => ({ name: identifier, originalName: identifier, type })),
    })),
    primaryKeys: [],
    foreignKeys: [],
  };
  return { set, database, gold };
}

const crosswalkRow = z.object({
  native_identifier: z.string(),
  table_or_column: z.string(),
  N1_identifier: z.string(),
  N2_identifier: z.string(),
  N3_identifier: z.string(),
});
const tablesFile = z.array(
  z.object({
    db_id: z.string(),
    table_names_original: z.array(z.string()),
    column_names_original: z.array(z.tuple([z.number(), z.string()])),
    column_types: z.array(z.string()),
  }),
);

function recordsOf(text: string, file: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = parseCsv(text, file, sniffCsvDialect(text, file));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])));
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  text: 'text',
  number: 'number',
  time: 'time',
  boolean: 'boolean',
};

/**
 * Crosswalks of SNAILS at a level of naturalness: each database with its identifiers at that level (those that the
 * crosswalk lacks as they are), and the N1 form of each that differs, once.
 */
export function snailsReadings(
  folder: string,
  level: 'N2' | 'N3',
  isSame: (a: string, b: string) => boolean,
): readonly PeopleRead[] {
  const schemas = tablesFile.parse(JSON.parse(readFileSync(join(folder, 'snails_tables_Native.even.json'), 'utf8')));
  const crosswalks = join(folder, 'crosswalks');
  return readdirSync(crosswalks)
    .sort()
    .flatMap((file) => {
      const name = basename(file).split('-')[0]!;
      const text = readFileSync(join(crosswalks, file), 'utf8').replace(/^\uFEFF/, '');
      const rows = z.array(crosswalkRow).parse(recordsOf(text, file));
      const form = (row: z.infer<typeof crosswalkRow>): string =>
        level === 'N2' ? row.N2_identifier : row.N3_identifier;
      const byNative = new Map(rows.map((row) => [identifierKey(row.native_identifier), row]));
      const set = `SNAILS ${level}${name === 'SBODemoUS' ? ', business system' : ''}`;
      const seen = new Set<string>();
      const columnOf = (native: string, type: string): NamedColumn => {
        const row = byNative.get(identifierKey(native));
        const identifier = row === undefined ? native : form(row);
        const isScored =
          row?.table_or_column === 'column' && !isSame(identifier, row.N1_identifier) && !seen.has(native);
        if (isScored) seen.add(native);
        return { identifier, gold: isScored ? row.N1_identifier : null, type: TYPES[type] ?? 'others' };
      };
      const own = schemas.filter(({ db_id }) => db_id.split('-')[0] === name);
      const tables = own.flatMap((schema) =>
        schema.table_names_original.map((table, t) => {
          const columns = schema.column_names_original.flatMap(([of, column], i) =>
            of === t ? [columnOf(column, schema.column_types[i] ?? '')] : [],
          );
          const row = byNative.get(identifierKey(table));
          return [row === undefined ? table : form(row), columns] as const;
        }),
      );
      // Columns of databases whose schema is kept apart stand in one table.
      const rest = rows.filter((row) => row.table_or_column === 'column' && !seen.has(row.native_identifier));
      const columns = rest.map(({ native_identifier }) => columnOf(native_identifier, ''));
      const names = rows.filter((row) => row.table_or_column === 'table').map((row) => [form(row), []] as const);
      const all = own.length > 0 ? [...tables, [name, columns] as const] : [[name, columns] as const, ...names];
      return [databaseOf(set, name, all)];
    });
}

const promptsFile = z.array(
  z.object({
    table_id: z.string(),
    table_prompt: z.string(),
    technical_name: z.array(z.string()),
    gt_label: z.array(z.string()),
    difficulty: z.array(z.number()),
  }),
);

/** NameGuess: each prompt is a table of its own. */
export function nameGuessReadings(file: string): readonly PeopleRead[] {
  return promptsFile.parse(JSON.parse(readFileSync(file, 'utf8'))).map((prompt, i) => {
    const columns = prompt.technical_name.map((identifier, c) => ({
      identifier,
      gold: prompt.gt_label[c]!,
      type: 'others' as const,
    }));
    return databaseOf('NameGuess Chicago', `${prompt.table_id}-${i}`, [['table', columns]]);
  });
}

/** Databases whose authors gave natural names next to identifiers. */
export function givenReadings(set: string, file: string): readonly PeopleRead[] {
  return [...loadSpiderTables(file).values()].map(({ id, tables }) =>
    databaseOf(
      set,
      id,
      tables.map(({ originalName: table, columns }) => [
        table,
        columns.map(({ originalName: identifier, name, type }) => ({ identifier, gold: name, type })),
      ]),
    ),
  );
}
