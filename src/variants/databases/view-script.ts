import type Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { itemAt } from '../../present.js';
import { foldName, quoteIdentifier, renderString } from '../../sql/dialect.js';
import { VERSION } from '../../version.js';
import { checkCounts, type ColumnAddition, type DatabaseChange, declaredTypeOf } from './database-change.js';
import type { SqlValue } from '../../sql/execution/query-outcome.js';
import { ORIGINAL_SCHEMA, readViewedTable, type RowKey, type ViewedTable } from '../../rows/keyed-table.js';

/** Rows of one INSERT: keeps single lines and SQLite's parser stack small. */
const ROWS_PER_INSERT = 500;

const headerSchema = z.strictObject({
  /** Id of the perturbed database. */
  variant: z.string(),
  /** Id of the original database. */
  database: z.string(),
  /** sha256 of the original database file. */
  sha256: z.string(),
});

/** The facts in a view script's second line. */
export type ViewScriptHeader = z.infer<typeof headerSchema>;

const TITLE = `-- perturbql ${VERSION}: a perturbed database as TEMP views over the original`;
const USE = `-- Play it on a read-only connection whose ${ORIGINAL_SCHEMA} database is that file: sqlite3 -readonly FILE ".read THIS"`;

function renderHeader({ variant, database, sha256 }: ViewScriptHeader): string {
  return `${TITLE}\n-- ${JSON.stringify({ variant, database, sha256 })}\n${USE}\n`;
}

/** The header of a view script. @throws InputFormatError when the text is no view script. */
export function readViewScriptHeader(script: string): ViewScriptHeader {
  try {
    const [title, header] = script.split('\n', 2);
    if (title?.startsWith('-- perturbql ') !== true) throw new Error('the first line is not the one perturbql writes');
    return headerSchema.parse(JSON.parse(header?.slice('-- '.length) ?? ''));
  } catch (cause) {
    throw new InputFormatError('the file is not a view script', { cause, fix: 'Write it again: --materialize views.' });
  }
}

/** A changed table: what it is, and where its added values lie. */
interface ChangedTable {
  readonly table: ViewedTable;
  readonly renames: ReadonlyMap<string, string>;
  readonly additions: readonly ColumnAddition[];
  /** The key that distinguishes the rows; of no use if nothing is added. */
  readonly key: RowKey;
  /** SQL name of the TEMP TABLE with the added values. */
  readonly store: string;
}

const NO_KEY: RowKey = { columns: [], isRowid: true };

function readChanges(sqlite: Sqlite.Database, { renames, additions }: DatabaseChange): ChangedTable[] {
  const names = [...new Set([...renames, ...additions].map(({ table }) => foldName(table)))];
  return names.map((name, number) => {
    const table = readViewedTable(sqlite, name);
    const own = renames.filter((rename) => foldName(rename.table) === name);
    const changed = {
      table,
      renames: new Map(own.map(({ from, to }) => [foldName(from), to])),
      additions: additions.filter((addition) => foldName(addition.table) === name),
      key: table.key ?? NO_KEY,
      store: quoteIdentifier(`${freePrefix(sqlite)}${number + 1}`),
    };
    checkColumns(changed);
    return changed;
  });
}

/** The beginning of names that no table of the original has. */
function freePrefix(sqlite: Sqlite.Database): string {
  const names = sqlite.prepare(`SELECT name FROM ${ORIGINAL_SCHEMA}.sqlite_schema`).pluck().all() as string[];
  let prefix = 'perturbql_added_';
  while (names.some((name) => foldName(name).startsWith(prefix))) prefix += '_';
  return prefix;
}

function checkColumns({ table, renames, additions }: ChangedTable): void {
  if (additions.length > 0 && table.key === null) {
    throw new InputFormatError('the row ids of the table can’t be named: its columns take all their names', {
      where: { id: table.name },
      fix: 'Use --materialize copy for this database.',
    });
  }
  const known = new Set(table.columns.map(({ name }) => foldName(name)));
  const named = [...renames.keys(), ...additions.flatMap(({ before }) => (before === null ? [] : [foldName(before)]))];
  const unknown = named.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new InputFormatError(`the table has no column ${unknown}`, {
    where: { id: table.name },
    fix: 'Check that --databases holds the databases of this tables file.',
  });
}

const keyNames = (key: RowKey): string[] => key.columns.map((_, k) => `k${k + 1}`);

function renderStore({ table, key, additions, store }: ChangedTable): string {
  const names = keyNames(key);
  const keys = key.columns.map(({ declared }, k) => `${itemAt(names, k)} ${declared}`);
  const values = additions.map((addition, a) => `v${a + 1} ${declaredTypeOf(addition, table.strict)}`.trim());
  const end = [key.isRowid ? '' : 'WITHOUT ROWID', table.strict ? 'STRICT' : ''].filter((word) => word !== '');
  const columns = [...keys, ...values, `PRIMARY KEY (${names.join(', ')})`].join(', ');
  return `CREATE TEMP TABLE ${store} (${columns})${end.length > 0 ? ` ${end.join(', ')}` : ''};\n`;
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += ROWS_PER_INSERT) yield items.slice(start, start + ROWS_PER_INSERT);
}

function renderInserts(into: string, rows: readonly (readonly SqlValue[])[], encoding: TextEncoding): string {
  const render = (row: readonly SqlValue[]): string =>
    `(${row.map((value) => renderLiteral(value, encoding)).join(',')})`;
  return [...batches(rows)].map((batch) => `INSERT INTO ${into} VALUES\n${batch.map(render).join(',\n')};\n`).join('');
}

function renderByRowid(sqlite: Sqlite.Database, changed: ChangedTable, encoding: TextEncoding): string {
  const { table, additions, store } = changed;
  const { sql: key } = itemAt(changed.key.columns, 0);
  const from = `${ORIGINAL_SCHEMA}.${quoteIdentifier(table.name)}`;
  const select = sqlite.prepare(`SELECT ${key} FROM ${from} ORDER BY ${key}`);
  const rowids = select.pluck().safeIntegers().all() as bigint[];
  checkCounts(table.name, additions, rowids.length);
  const rows = rowids.map((rowid, row) => [rowid, ...additions.map(({ values }) => values[row] ?? null)]);
  return renderInserts(`temp.${store}`, rows, encoding);
}

/**
 * Keys are taken from the original when the script is played, by their order: no key has to be written as a literal.
 */
function renderByKey(sqlite: Sqlite.Database, changed: ChangedTable, encoding: TextEncoding): string {
  const { table, key, additions, store } = changed;
  const from = `${ORIGINAL_SCHEMA}.${quoteIdentifier(table.name)}`;
  const count = sqlite.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number;
  checkCounts(table.name, additions, count);
  const order = `${store.slice(0, -1)}_order"`;
  const rows = Array.from({ length: count }, (_, row) => [
    BigInt(row + 1),
    ...additions.map(({ values }) => values[row] ?? null),
  ]);
  const values = additions.map((_, a) => `v${a + 1}`);
  const keys = key.columns.map(({ sql }, k) => `${sql} AS k${k + 1}`).join(', ');
  const position = `row_number() OVER (ORDER BY ${key.columns.map((column) => column.order).join(', ')})`;
  const columns = [...keyNames(key), ...values].join(', ');
  return [
    `CREATE TEMP TABLE ${order} (${['position INTEGER PRIMARY KEY', ...values].join(', ')});\n`,
    renderInserts(`temp.${order}`, rows, encoding),
    `INSERT INTO temp.${store} (${columns}) SELECT ${columns} FROM (SELECT ${keys}, ${position} AS position FROM ${from})`,
    ` JOIN temp.${order} USING (position);\nDROP TABLE temp.${order};\n`,
  ].join('');
}

/** A scalar subquery keeps the order and number of rows, and is not run by queries that don't name the column. */
function renderAddedColumn({ key, store }: ChangedTable, index: number, name: string): string {
  const match = key.columns.map(({ sql }, k) => `added.k${k + 1} = original.${sql}`).join(' AND ');
  return `(SELECT added.v${index + 1} FROM temp.${store} AS added WHERE ${match}) AS ${quoteIdentifier(name)}`;
}

function renderView(changed: ChangedTable): string {
  const { table, renames, additions } = changed;
  const added = (before: string | null): string[] =>
    additions.flatMap((addition, index) => {
      const place = addition.before === null ? null : foldName(addition.before);
      return place === before ? [renderAddedColumn(changed, index, addition.name)] : [];
    });
  const columns = table.columns.flatMap(({ name }) => {
    const renamed = renames.get(foldName(name)) ?? name;
    return [...added(foldName(name)), `original.${quoteIdentifier(name)} AS ${quoteIdentifier(renamed)}`];
  });
  const list = [...columns, ...added(null)].join(',\n  ');
  const name = quoteIdentifier(table.name);
  return `CREATE TEMP VIEW ${name} AS SELECT\n  ${list}\nFROM ${ORIGINAL_SCHEMA}.${name} AS original;\n`;
}

function renderTable(sqlite: Sqlite.Database, changed: ChangedTable, encoding: TextEncoding): string {
  if (changed.additions.length === 0) return renderView(changed);
  const values = changed.key.isRowid ? renderByRowid : renderByKey;
  return renderStore(changed) + values(sqlite, changed, encoding) + renderView(changed);
}

/**
 * A perturbed database as a SQL script that a `QueryTask` plays as its `setup`: a TEMP VIEW in front of each changed
 * table, with its columns renamed and added in place, and a TEMP TABLE with the added values by row id (by primary key
 * WITHOUT ROWID). Unchanged tables and stored views need nothing: SQLite finds them behind the TEMP objects, and a
 * stored view goes on reading the original's tables, under its own column names. A column keeps type, affinity and
 * collation through the view. Limits: a view has no row id, so that a query naming `rowid` of a changed table fails,
 * and indexes serve only where SQLite flattens the view (it does for plain joins). The same change gives the same
 * bytes.
 * @throws InputFormatError when a table or column is not in the database, a table is SQLite's own, or a column comes
 * with another number of values than the table has rows
 */
export function renderViewScript(source: Sqlite.Database, change: DatabaseChange, header: ViewScriptHeader): string {
  const encoding = source.pragma('encoding', { simple: true }) as TextEncoding;
  const changes = readChanges(source, change);
  const tables = changes.map((changed) => renderTable(source, changed, encoding));
  return `${renderHeader(header)}BEGIN;\n${tables.join('')}COMMIT;\n`;
}

/** `PRAGMA encoding` of a database: the bytes that CAST makes a text of. */
type TextEncoding = 'UTF-8' | 'UTF-16le' | 'UTF-16be';

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return 'NULL';
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return /[.e]/u.test(text) ? text : `${text}.0`;
}

function bytesOf(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'UTF-8') return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'UTF-16be' ? bytes.swap16() : bytes;
}

function renderBlob(bytes: Uint8Array): string {
  return `x'${Buffer.from(bytes).toString('hex')}'`;
}

/**
 * A value as a SQL literal that SQLite reads back as exactly that value and storage class. A text with NUL, which would
 * end the statement, goes by its bytes; NaN is NULL, as SQLite stores it.
 */
export function renderLiteral(value: SqlValue, encoding: TextEncoding): string {
  if (value === null) return 'NULL';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return renderNumber(value);
  if (typeof value !== 'string') return renderBlob(value);
  return value.includes('\0') ? `CAST(${renderBlob(bytesOf(value, encoding))} AS TEXT)` : renderString(value);
}
