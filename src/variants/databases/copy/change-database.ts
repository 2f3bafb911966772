import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../../errors.js';
import type { CarriedCell } from '../../../rows/cells/carry-cells.js';
import { foldName } from '../../../sql/dialect.js';
import { namesUnknownCollation, replaceCollations } from '../../../sql/execution/repaired-schema.js';
import { editSchema } from '../../../sql/execution/schema-edit.js';
import type { DatabaseChange } from '../database-change.js';
import { refillTables } from './refill-table.js';
import { resolveChange } from './resolved-change.js';
import { rewriteSchema } from './rewrite-schema.js';
import { readCatalog, type SchemaCatalog, type SchemaEntry } from './schema-catalog.js';
import { SchemaCheck } from './schema-check.js';

/** A text that is not valid UTF-8 would lose bytes on its way through here. */
function checkText(sqlite: Sqlite.Database, { rowid, type, name, sql }: SchemaEntry): void {
  const same = sqlite.prepare('SELECT sql = ? FROM main.sqlite_schema WHERE rowid = ?').pluck();
  if (same.get(sql, rowid) === 1) return;
  throw new InputFormatError(`the definition of ${type} ${name} is not valid UTF-8`, {
    where: { id: name },
    fix: 'Leave its columns out of the perturbation, or define it again in a copy of the database.',
  });
}

/**
 * Checks whether a table WITHOUT ROWID that gets columns, or an index of it, is in the order of a collation which
 * SQLite does not know: its rows can be neither read nor written in that order.
 */
function isInUnknownOrder({ additions }: DatabaseChange, { tables, entries }: SchemaCatalog): boolean {
  const names = new Set(additions.map(({ table }) => foldName(table)));
  const keyed = tables.flatMap(({ name, withoutRowid }) => (withoutRowid ? [foldName(name)] : []));
  const changed = new Set(keyed.filter((name) => names.has(name)));
  return entries.some(({ tableName, sql }) => changed.has(foldName(tableName)) && namesUnknownCollation(sql ?? ''));
}

/**
 * Renames and adds columns in an open database; for a copy that is thrown away when this fails. With `leavesHuge`,
 * cells of more than 1 MiB in tables that get columns are NULL afterwards, and given back to be carried from the
 * original. Where a table that gets columns is ordered by a collation which SQLite does not know, BINARY takes its
 * place.
 * @throws InputFormatError, SqlRewriteError as `materializeCopy`
 */
export function changeDatabase(
  sqlite: Sqlite.Database,
  change: DatabaseChange,
  { leavesHuge = false } = {},
): readonly CarriedCell[] {
  let catalog = readCatalog(sqlite, sqlite.name);
  if (isInUnknownOrder(change, catalog)) {
    replaceCollations(sqlite);
    catalog = readCatalog(sqlite, sqlite.name);
  }
  const resolved = resolveChange(catalog, change);
  const check = new SchemaCheck(sqlite, catalog, resolved);
  const texts = rewriteSchema(catalog, resolved, (entry) => check.isBroken(entry));
  for (const entry of texts.keys()) checkText(sqlite, entry);
  sqlite.exec('BEGIN');
  const huge = refillTables(sqlite, catalog, resolved.additions, leavesHuge);
  editSchema(sqlite, () => {
    const update = sqlite.prepare('UPDATE main.sqlite_schema SET sql = ? WHERE rowid = ?');
    for (const [{ rowid }, text] of texts) update.run(text, rowid);
  });
  check.verify();
  sqlite.exec('COMMIT');
  return huge;
}
