import { itemAt } from '../../../src/present.js';
import type { Database } from '../../../src/schema/schema.js';
import { foldName, quoteIdentifier } from '../../../src/sql/dialect.js';
import { openConnection } from '../../../src/sql/execution/open-connection.js';
import { columnForm } from './column-forms.js';
import { type DerivedGold, goneName } from './repair-gold.js';
import type { TableMerge } from './merge-gold.js';
import type { SchemaMapping } from './schema-mapping.js';

const quote = (name: string): string => quoteIdentifier(name);

/** A query of a table's rows, and what its columns are called. */
interface Content {
  readonly select: string;
  readonly columns: readonly string[];
}

/** The rows of an old table under the new names, each table for itself. */
function contentOf({ tables }: Database, t: number, mapping: SchemaMapping): Content {
  const { originalName, columns } = itemAt(tables, t);
  const names = columns.map((column) => column.originalName);
  const items = columns.flatMap((column, c): readonly (readonly [sql: string, name: string])[] => {
    const fate = mapping.columns[t]?.[c] ?? { kind: 'gone' };
    if (fate.kind !== 'recoded') {
      return [[quote(column.originalName), fate.kind === 'kept' ? fate.name : goneName(t, c)]];
    }
    const { old, now } = fate.recoding;
    if (old[0] !== c) return [];
    const olds = old.map((place) => itemAt(names, place));
    const values = columnForm(olds, now, names).now(olds.map(quote));
    return now.map((name, i) => [itemAt(values, i), name] as const);
  });
  const list = items.map(([sql, name]) => `${sql} AS ${quote(name)}`);
  return {
    select: `SELECT ${list.join(', ')} FROM old.${quote(originalName)}`,
    columns: items.map(([, name]) => name),
  };
}

function mergedContent(contents: readonly Content[], { database, plan, moved }: TableMerge): readonly Content[] {
  const { from, to } = plan.key;
  const [first, second] = [itemAt(contents, from.table), itemAt(contents, to.table)];
  const [link, key] = [from, to].map(({ table, column }) => {
    return quote(itemAt(itemAt(database.tables, table).columns, column).originalName);
  });
  const further = second.columns.filter((name) => quote(name) !== key);
  const own = first.columns.map((name) => `a.${quote(name)}`);
  const others = further.map((name) => `b.${quote(name)}`);
  const on = `a.${link ?? ''} = b.${key ?? ''}`;
  const [a, b] = [`(${first.select}) AS a`, `(${second.select}) AS b`];
  const linked = `SELECT ${[...own, ...others].join(', ')} FROM ${a} LEFT JOIN ${b} ON ${on}`;
  const empty = first.columns.map((name) => (quote(name) === link ? `b.${key ?? ''}` : 'NULL'));
  const lonely = `SELECT ${[...empty, ...others].join(', ')} FROM ${b} WHERE NOT EXISTS (SELECT 1 FROM ${a} WHERE ${on})`;
  const select = plan.hasLonely ? `${linked} UNION ALL ${lonely}` : linked;
  const merged: Content = { select, columns: [...first.columns, ...further] };
  const after: Content[] = [];
  contents.forEach((content, t) => {
    after[moved[t] ?? t] = t === from.table || t === to.table ? merged : content;
  });
  return after;
}

/** All rows of several tables in one, each with nothing in the columns of the others. */
function forEachConcurrent(contents: readonly Content[], names: readonly string[]): Content {
  const selects = contents.map(({ select, columns }) => {
    const own = new Map(columns.map((name) => [foldName(name), name]));
    const list = names.map((name) => {
      const column = own.get(foldName(name));
      return `${column === undefined ? 'NULL' : quote(column)} AS ${quote(name)}`;
    });
    return `SELECT ${list.join(', ')} FROM (${select})`;
  });
  return { select: selects.join(' UNION ALL '), columns: names };
}

/** The content of each table of the new schema, by its folded name. */
function contentsOf(before: Database, { database, mapping, merges }: DerivedGold): ReadonlyMap<string, Content> {
  const old = before.tables.map((_, t) => contentOf(before, t, mapping));
  const byName = new Map<string, Content>();
  database.tables.forEach(({ originalName, columns }, heir) => {
    const parts = old.filter((_, t) => mapping.tables[t] === heir);
    const names = columns.map((column) => column.originalName);
    const [only, ...others] = parts;
    if (only !== undefined)
      byName.set(foldName(originalName), others.length === 0 ? only : forEachConcurrent(parts, names));
  });
  const last = (merges ?? []).reduce(mergedContent, old);
  const [merged] = (merges ?? []).slice(-1);
  if (merged === undefined) return byName;
  const place = merged.moved[merged.plan.key.from.table] ?? 0;
  byName.set(foldName(merged.plan.merged.originalName), itemAt(last, place));
  return byName;
}

/**
 * Writes a SQLite file of a new schema that holds the rows of a file of the old one, brought along as the golds are.
 * @throws SqliteError where a value or name can't be brought along
 */
export function writeMigrated(file: string, oldFile: string, before: Database, derived: DerivedGold): void {
  const contents = contentsOf(before, derived);
  const sqlite = openConnection(file);
  try {
    sqlite.pragma('journal_mode = OFF');
    sqlite.pragma('synchronous = OFF');
    sqlite.prepare('ATTACH ? AS old').run(oldFile);
    for (const { originalName, columns } of derived.database.tables) {
      const content = contents.get(foldName(originalName));
      const own = new Map((content?.columns ?? []).map((name) => [foldName(name), name]));
      const list = columns.map(({ originalName: name }) => {
        const column = own.get(foldName(name));
        return `${column === undefined ? 'NULL' : quote(column)} AS ${quote(name)}`;
      });
      const from = content === undefined ? '(SELECT 1) WHERE 0' : `(${content.select})`;
      sqlite.exec(`CREATE TABLE ${quote(originalName)} AS SELECT ${list.join(', ')} FROM ${from}`);
    }
  } finally {
    sqlite.close();
  }
}
