import type Sqlite from 'better-sqlite3';
import { InputFormatError } from '../../../errors.js';
import { itemAt } from '../../../present.js';
import type { CarriedCell } from '../../../rows/cells/carry-cells.js';
import { foldName } from '../../../sql/dialect.js';
import { namesUnknownCollation, replaceCollations } from '../../../sql/execution/repaired-schema.js';
import { editSchema, withDefinitions } from '../../../sql/execution/schema-edit.js';
import type { DatabaseChange } from '../database-change.js';
import { TableRefill } from './refill-table.js';
import { resolveChange, type ResolvedChange } from './resolved-change.js';
import { rewriteSchema } from './rewrite-schema.js';
import { readCatalog, type SchemaCatalog, type SchemaEntry } from './schema-catalog.js';
import { SchemaCheck } from './schema-check.js';

/** Changes the schema and the rows of one open database; made for one use by {@link changeDatabase}. */
class DatabaseChanger {
  readonly #sqlite: Sqlite.Database;
  readonly #catalog: SchemaCatalog;
  readonly #change: ResolvedChange;
  readonly #leavesHuge: boolean;
  readonly #huge: CarriedCell[] = [];

  constructor(sqlite: Sqlite.Database, catalog: SchemaCatalog, change: ResolvedChange, leavesHuge: boolean) {
    this.#sqlite = sqlite;
    this.#catalog = catalog;
    this.#change = change;
    this.#leavesHuge = leavesHuge;
  }

  run(): readonly CarriedCell[] {
    const check = new SchemaCheck(this.#sqlite, this.#catalog, this.#change);
    const texts = rewriteSchema(this.#catalog, this.#change, (entry) => check.isBroken(entry));
    for (const entry of texts.keys()) this.#checkText(entry);
    this.#sqlite.exec('BEGIN');
    if (this.#change.additions.size > 0) this.#refillTables();
    editSchema(this.#sqlite, () => {
      const update = this.#sqlite.prepare('UPDATE main.sqlite_schema SET sql = ? WHERE rowid = ?');
      for (const [{ rowid }, text] of texts) update.run(text, rowid);
    });
    check.verify();
    this.#sqlite.exec('COMMIT');
    return this.#huge;
  }

  /** A text that is not valid UTF-8 would lose bytes on its way through here. */
  #checkText({ rowid, type, name, sql }: SchemaEntry): void {
    const same = this.#sqlite.prepare('SELECT sql = ? FROM main.sqlite_schema WHERE rowid = ?').pluck();
    if (same.get(sql, rowid) === 1) return;
    throw new InputFormatError(`the definition of ${type} ${name} is not valid UTF-8`, {
      where: { id: name },
      fix: 'Leave its columns out of the perturbation, or define it again in a copy of the database.',
    });
  }

  /** Writes the rows with the added values. */
  #refillTables(): void {
    const refills = [...this.#change.additions].map(([index, additions]) => {
      const table = itemAt(this.#catalog.tables, index);
      return { table, refill: new TableRefill(this.#sqlite, table, additions, index) };
    });
    for (const { refill } of refills) {
      const huge = this.#leavesHuge ? refill.hugeCells() : [];
      refill.stage(huge);
      this.#huge.push(...huge);
    }
    const definitions = new Map(refills.map(({ table: { name }, refill }) => [name, refill.rawDefinition()]));
    withDefinitions(this.#sqlite, definitions, () => {
      for (const { refill } of refills) refill.refill();
    });
  }
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
  return new DatabaseChanger(sqlite, catalog, resolveChange(catalog, change), leavesHuge).run();
}
