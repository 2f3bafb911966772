import type Sqlite from 'better-sqlite3';
import { SqlRewriteError } from '../../errors.js';
import { whereReadable } from '../sql-fault.js';
import type { Database } from '../../schema/schema.js';
import { readTableText } from '../definitions/table-text.js';
import { queryAsRelation, readViewText } from '../definitions/create-text.js';
import {
  collationsMissingIn,
  withKnownCollations,
  withoutCalls,
  withSingleQuoted,
} from '../definitions/repaired-text.js';
import { foldName, quoteIdentifier } from '../dialect.js';
import { applyEdits } from '../edits.js';
import { singleQuoteLiterals } from '../executable-sql.js';
import { isSqliteError, openConnection, whileOpen } from './open-connection.js';
import { editSchema } from './schema-edit.js';
import { columnsOf, listTables } from './table-pragmas.js';

interface Definition {
  readonly rowid: number;
  readonly type: 'table' | 'index' | 'view';
  readonly name: string;
  readonly sql: string;
}

/** Messages about text that is refused because this build takes double quotes for names alone (SQLITE_DQS=0). */
const QUOTED_TEXT = /^no such column: "(.*)" - should this be a string literal in single-quotes\?$/su;
const FUNCTION = /^(?:no such function: (.*)|wrong number of arguments to function (.*)\(\))$/su;

function definitionsOf(sqlite: Sqlite.Database): readonly Definition[] {
  const select = `SELECT rowid, type, name, sql FROM main.sqlite_schema
    WHERE type IN ('table', 'index', 'view') AND sql IS NOT NULL ORDER BY rowid`;
  return sqlite.prepare(select).all() as Definition[];
}

const isVirtual = (sql: string): boolean => /^CREATE\s+VIRTUAL\s/iu.test(sql);

/** A table that is made by its definition: none of SQLite's own, and no virtual one. */
function isPlain({ name, type, sql }: Definition): boolean {
  return type === 'table' && !/^sqlite_/iu.test(name) && !isVirtual(sql);
}

/** Returns SQLite's error at a step, or null if it accepts it. */
function faultOf(step: () => unknown): string | null {
  try {
    step();
    return null;
  } catch (error) {
    if (isSqliteError(error)) return error.message;
    throw error;
  }
}

/** Why a view can't be read; null where it can. */
function viewFault(sqlite: Sqlite.Database, view: string): string | null {
  return faultOf(() => sqlite.prepare(`SELECT * FROM main.${quoteIdentifier(view)}`));
}

/** Repairs one fault of a definition; the text as it is where it can't be repaired. */
function repaired(sql: string, fault: string): string {
  const [quoted, called] = [QUOTED_TEXT.exec(fault), FUNCTION.exec(fault)];
  if (quoted !== null) return withSingleQuoted(sql, quoted[1] ?? '');
  if (called === null) return sql;
  return whereReadable(() => withoutCalls(sql, called[1] ?? called[2] ?? ''), sql);
}

interface RepairedText {
  readonly sql: string;
  /** The fault that can't be repaired; null if none is left. */
  readonly fault: string | null;
  /** SQLite's messages about functions that it does not know, whose calls are gone. */
  readonly calls: readonly string[];
}

/** Repairs the definition of a table or an index until an empty database takes it. */
function repairText(scratch: Sqlite.Database, sql: string, known: ReadonlySet<string>): RepairedText {
  const calls: string[] = [];
  for (let text = withKnownCollations(sql, known); ;) {
    const fault = faultOf(() => scratch.exec(text));
    const next = fault === null ? text : repaired(text, fault);
    if (fault === null || next === text) return { sql: text, fault, calls };
    if (FUNCTION.test(fault)) calls.push(fault);
    text = next;
  }
}

function withScratch<T>(work: (scratch: Sqlite.Database) => T): T {
  return whileOpen(openConnection(':memory:'), work);
}

let collations: ReadonlySet<string> | null = null;

/** The collations that SQLite has by itself; a connection also lists those that its file names. */
function knownCollations(): ReadonlySet<string> {
  collations ??= withScratch((scratch) => {
    const listed = scratch.pragma('collation_list') as { name: string }[];
    return new Set(listed.map(({ name }) => foldName(name)));
  });
  return collations;
}

/** An object of a file's schema that is not read as it was meant, or not at all. */
export interface SchemaNote {
  readonly object: string;
  readonly reason: string;
}

/** New texts of definitions by their row; null for one that goes. */
type RepairedTexts = ReadonlyMap<number, string | null>;

/** The new texts of tables and their indexes. */
function repairTables(definitions: readonly Definition[], known: ReadonlySet<string>): RepairedTexts {
  return withScratch((scratch) => {
    const texts = new Map<number, string | null>();
    const repair = ({ rowid, sql }: Definition): string | null => {
      const repaired = repairText(scratch, sql, known);
      if (repaired.sql !== sql) texts.set(rowid, repaired.sql);
      return repaired.fault;
    };
    for (const table of definitions) if (isPlain(table)) repair(table);
    // An index is not needed to read rows, and what it enforces of them they keep to.
    for (const one of definitions) if (one.type === 'index' && repair(one) !== null) texts.set(one.rowid, null);
    return texts;
  });
}

/** The tables with columns that are generated by a function which SQLite does not know, and their repaired texts. */
function generatedElsewhere(
  definitions: readonly Definition[],
  known: ReadonlySet<string>,
): readonly { readonly table: Definition; readonly repaired: RepairedText }[] {
  const generated = definitions.filter((one) => isPlain(one) && /\bas\s*\(/iu.test(one.sql));
  if (generated.length === 0) return [];
  return withScratch((scratch) => {
    const all = generated.map((table) => ({ table, repaired: repairText(scratch, table.sql, known) }));
    return all.filter(({ repaired }) => repaired.calls.length > 0);
  });
}

/** Writes new texts into the schema, which SQLite reads again. */
function writeTexts(sqlite: Sqlite.Database, texts: RepairedTexts): void {
  if (texts.size === 0) return;
  editSchema(sqlite, () => {
    const update = sqlite.prepare('UPDATE main.sqlite_schema SET sql = ? WHERE rowid = ?');
    const remove = sqlite.prepare('DELETE FROM main.sqlite_schema WHERE rowid = ?');
    for (const [rowid, text] of texts) {
      if (text === null) remove.run(rowid);
      else update.run(text, rowid);
    }
  });
}

/** Tables, views and their columns as far as SQLite can tell them. */
function readableSchema(sqlite: Sqlite.Database): Database {
  const tables = listTables(sqlite).flatMap(({ name }) => {
    let columns: readonly { readonly name: string }[] = [];
    const fault = faultOf(() => (columns = columnsOf(sqlite, name)));
    const named = columns.map((column) => ({ name: column.name, originalName: column.name, type: 'others' as const }));
    return fault === null ? [{ name, originalName: name, columns: named }] : [];
  });
  return { id: '', tables, primaryKeys: [], foreignKeys: [] };
}

/** A view with its double-quoted texts in single quotes: told by what its query can name, else by what SQLite says. */
function repairedView(sqlite: Sqlite.Database, { sql }: Definition, fault: string): string {
  try {
    const { edits } = singleQuoteLiterals(queryAsRelation(readViewText(sql), sql), readableSchema(sqlite));
    if (edits.length > 0) return applyEdits(sql, edits);
  } catch (error) {
    if (!(error instanceof SqlRewriteError)) throw error;
  }
  return repaired(sql, fault);
}

/** Repairs views, inner ones first, until no more can be. */
function repairViews(sqlite: Sqlite.Database): void {
  for (;;) {
    const texts = new Map<number, string>();
    for (const view of definitionsOf(sqlite)) {
      const fault = view.type === 'view' ? viewFault(sqlite, view.name) : null;
      if (fault === null || !QUOTED_TEXT.test(fault)) continue;
      const text = repairedView(sqlite, view, fault);
      if (text !== view.sql) texts.set(view.rowid, text);
    }
    if (texts.size === 0) return;
    writeTexts(sqlite, texts);
  }
}

/**
 * Checks whether a file's rows can't be read as its schema is: it has a view with a double-quoted text, a collation of
 * the application's own, or a column that is generated by a function of the application's.
 */
export function needsRepair(sqlite: Sqlite.Database): boolean {
  const definitions = definitionsOf(sqlite);
  const known = knownCollations();
  if (definitions.some(({ sql }) => collationsMissingIn(sql, known).length > 0)) return true;
  const quoted = definitions.filter(({ type, sql }) => type === 'view' && sql.includes('"'));
  if (quoted.some(({ name }) => QUOTED_TEXT.test(viewFault(sqlite, name) ?? ''))) return true;
  return generatedElsewhere(definitions, known).length > 0;
}

/**
 * Makes the schema of an open database, which can be written to, one that this build of SQLite takes as it is, and its
 * rows readable: double-quoted texts get single quotes, a collation of the application's own becomes BINARY, and what
 * calls a function of the application's goes. A view that can't be repaired stays as it is.
 */
export function repairSchema(sqlite: Sqlite.Database): void {
  const isReordered = declareBinary(sqlite);
  // Before a column goes whose name in double quotes would be a text.
  repairViews(sqlite);
  writeTexts(sqlite, repairTables(definitionsOf(sqlite), knownCollations()));
  if (isReordered) sqlite.exec('REINDEX');
}

/** Declares BINARY for collations that SQLite does not know; true where keys or indexes are in the order of another. */
function declareBinary(sqlite: Sqlite.Database): boolean {
  const known = knownCollations();
  const sorted = definitionsOf(sqlite).filter(({ sql }) => collationsMissingIn(sql, known).length > 0);
  writeTexts(sqlite, new Map(sorted.map(({ rowid, sql }) => [rowid, withKnownCollations(sql, known)])));
  return sorted.some(({ type }) => type !== 'view');
}

/**
 * Puts an open database, which can be written to, in the order of BINARY wherever it is in that of a collation which
 * SQLite does not know. Nothing else of its schema changes.
 */
export function replaceCollations(sqlite: Sqlite.Database): void {
  if (declareBinary(sqlite)) sqlite.exec('REINDEX');
}

/** Checks whether a definition names a collation that SQLite does not know. */
export function namesUnknownCollation(sql: string): boolean {
  return collationsMissingIn(sql, knownCollations()).length > 0;
}

const columnNames = (sql: string): readonly string[] => readTableText(sql).columns.map(({ name }) => name.name);

/** Returns the parts of a file's tables that are not read as the file has them, told before it is repaired. */
export function repairNotes(sqlite: Sqlite.Database): readonly SchemaNote[] {
  const known = knownCollations();
  const definitions = definitionsOf(sqlite);
  const sorted = definitions.filter(isPlain).flatMap(({ name, sql }) => {
    const missing = collationsMissingIn(sql, known);
    return missing.map((one) => ({ object: name, reason: `no such collation: ${one}; it is read under BINARY` }));
  });
  const generated = generatedElsewhere(definitions, known).flatMap(({ table: { name, sql }, repaired }) => {
    const left = new Set(columnNames(repaired.sql));
    const gone = columnNames(sql).filter((column) => !left.has(column));
    return gone.map((column) => ({ object: `${name}.${column}`, reason: `left out: ${repaired.calls.join(', ')}` }));
  });
  return [...sorted, ...generated];
}

/** The views and virtual tables that can't be read, with what SQLite says. */
export function brokenViews(sqlite: Sqlite.Database): readonly SchemaNote[] {
  return definitionsOf(sqlite).flatMap(({ type, name, sql }): SchemaNote[] => {
    const fault = type === 'view' || isVirtual(sql) ? viewFault(sqlite, name) : null;
    return fault === null ? [] : [{ object: name, reason: `left out: ${fault}` }];
  });
}
