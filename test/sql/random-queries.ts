import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import { columnAt, columnKey, type ColumnRef, type Database } from '../../src/schema/schema.js';
import { foldName, quoteIdentifier } from '../../src/sql/dialect.js';

/** Names that could be taken for something else: keywords, row ids, spaces, quotes, dots, emoji, digits, aliases. */
const ADVERSARIAL: readonly string[] = [
  ...['select', 'order', 'Group', 'end', 'TRUE', 'rowid', 'oid', 'natural', 'left', 'values', 'exists', 'null', 'cast'],
  ...['a b', ' ', 'x"y', "o'clock", 'a.b', '[x]', '`', '--', '/*', '😀', 'é', '1a', 'a-b', '*', '?', ':p', '%'],
  ...['p', 'q', 'd', 'w', 'n', 'k', 'c1', 'count', 'max', 'Ann', 'x', 'y', 'id', 'name', 'ID', 'd:1'],
];

export interface RandomTown {
  readonly database: Database;
  /** Values by table, row and column. */
  readonly rows: readonly (readonly (readonly (string | number | null)[])[])[];
}

const TABLE_NAMES = ['person', 'city', 'Odd Table', 'order'];
/** Some of them are names of columns, too. */
const ALIASES = ['p', 'q', 'd', 'w', 'k', 'x', 'y', 'c1', 'e', 'f', 'g', 'h'];
const PLAIN = ['id', 'name', 'x', 'y', 'boss', 'n'];

const columnNames = fc.uniqueArray(
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PLAIN) }, fc.constantFrom(...ADVERSARIAL)),
  { minLength: 2, maxLength: 4, selector: foldName },
);
const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('x', 'n', 'Ann', null));

/** A schema of one to four tables with up to four rows each; columns of different tables often share names. */
export const randomTown: fc.Arbitrary<RandomTown> = fc
  .array(columnNames, { minLength: 1, maxLength: 4 })
  .chain((tables) => {
    const database: Database = {
      id: 'random',
      tables: tables.map((columns, t) => {
        const name = TABLE_NAMES[t] ?? '';
        return { name, originalName: name, columns: columns.map((c) => ({ name: c, originalName: c, type: 'text' })) };
      }),
      primaryKeys: [],
      foreignKeys: [],
    };
    const rows = tables.map((columns) =>
      fc.array(fc.tuple(...columns.map(() => value)), { minLength: 1, maxLength: 4 }),
    );
    return fc.tuple(...rows).map((all) => ({ database, rows: all }));
  });

/** The town in memory, columns named as in a schema that may have more of them at the end. */
export function openRandom({ rows }: RandomTown, schema: Database): SqliteDatabase.Database {
  const sqlite = new SqliteDatabase(':memory:');
  schema.tables.forEach(({ originalName, columns }, t) => {
    const names = columns.map((column) => quoteIdentifier(column.originalName)).join(', ');
    sqlite.exec(`CREATE TABLE ${quoteIdentifier(originalName)} (${names})`);
    const insert = sqlite.prepare(
      `INSERT INTO ${quoteIdentifier(originalName)} VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows[t] ?? []) insert.run([...row, ...columns.slice(row.length).map(() => 'added')]);
  });
  return sqlite;
}

/** A table or subquery of a FROM clause: its text, what its columns are called, and the name before their dot. */
interface Source {
  readonly text: string;
  readonly label: string;
  readonly columns: readonly string[];
}

/** Draws parts of a query; one per generated query. */
class QueryWriter {
  readonly #next: (count: number) => number;
  readonly #database: Database;
  #aliases = 0;

  constructor(database: Database, next: (count: number) => number) {
    this.#database = database;
    this.#next = next;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#next(items.length)] as T;
  }

  #chance(percent: number): boolean {
    return this.#next(100) < percent;
  }

  #write(name: string): string {
    return /^[a-z]+$/.test(name) && PLAIN.includes(name) && this.#chance(70) ? name : quoteIdentifier(name);
  }

  #source(depth: number): Source {
    const table = this.#pick(this.#database.tables);
    const columns = table.columns.map((column) => column.originalName);
    const alias = ALIASES[this.#aliases++ % ALIASES.length] ?? 'p';
    if (depth > 0 && this.#chance(25)) return this.#derived(alias, depth - 1);
    const bare = this.#aliases === 1 && this.#chance(40);
    if (bare) return { text: quoteIdentifier(table.originalName), label: quoteIdentifier(table.originalName), columns };
    return { text: `${quoteIdentifier(table.originalName)} AS ${alias}`, label: alias, columns };
  }

  #derived(alias: string, depth: number): Source {
    const inner = this.#source(depth);
    const chosen = inner.columns.filter(() => this.#chance(60));
    if (chosen.length === 0 || this.#chance(30)) {
      return { text: `(SELECT * FROM ${inner.text}) ${alias}`, label: alias, columns: inner.columns };
    }
    const names = chosen.map((name) => (this.#chance(30) ? { name, alias: 'c1' } : { name, alias: null }));
    const list = names.map(
      ({ name, alias: as }, i) => `${inner.label}.${quoteIdentifier(name)}${as ? ` AS ${as}${i}` : ''}`,
    );
    const columns = names.map(({ name, alias: as }, i) => (as === null ? name : `${as}${i}`));
    return { text: `(SELECT ${list.join(', ')} FROM ${inner.text}) AS ${alias}`, label: alias, columns };
  }

  #join(left: readonly Source[], right: Source): string {
    const shared = right.columns.filter((name) => left.some(({ columns }) => columns.includes(name)));
    const on = `ON ${this.#column(left)} = ${this.#column([right])}`;
    const type = this.#pick(['JOIN', 'LEFT JOIN', 'CROSS JOIN', 'JOIN', 'RIGHT JOIN', 'FULL JOIN']);
    if (this.#chance(20))
      return ` NATURAL ${this.#pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'])} ${right.text}`;
    if (shared.length > 0 && this.#chance(40))
      return ` ${type} ${right.text} USING (${quoteIdentifier(this.#pick(shared))})`;
    return this.#chance(25) ? `, ${right.text}` : ` ${type} ${right.text} ${on}`;
  }

  #column(sources: readonly Source[]): string {
    const source = this.#pick(sources);
    const name = this.#write(this.#pick(source.columns));
    return this.#chance(60) ? `${source.label}.${name}` : name;
  }

  #condition(sources: readonly Source[], depth: number): string {
    const column = this.#column(sources);
    const choice = this.#next(depth > 0 ? 6 : 3);
    if (choice === 0) return `${column} = ${this.#pick(["'x'", '"Ann"', '1', "'n'"])}`;
    if (choice === 1) return `${column} IS NOT NULL AND ${this.#column(sources)} <> "no such name"`;
    if (choice === 2) return `${column} BETWEEN 0 AND 2 OR ${column} LIKE 'a%'`;
    const inner = this.#source(0);
    const correlated = this.#chance(50) ? ` WHERE ${this.#column([inner])} = ${this.#column(sources)}` : '';
    if (choice === 3) return `EXISTS (SELECT * FROM ${inner.text}${correlated})`;
    return `${column} IN (SELECT ${this.#column([inner])} FROM ${inner.text}${correlated})`;
  }

  #results(sources: readonly Source[]): string {
    const items = Array.from({ length: 1 + this.#next(3) }, () => {
      if (this.#chance(15)) return this.#chance(50) ? '*' : `${this.#pick(sources).label}.*`;
      const column = this.#column(sources);
      if (this.#chance(20)) return `${column} AS ${this.#pick(['n', 'k', 'x', '"a b"'])}`;
      return this.#chance(15) ? `coalesce(${column}, 0)` : column;
    });
    return items.join(', ');
  }

  core(depth: number): string {
    const first = this.#source(depth);
    const sources = [first];
    let from = first.text;
    for (let more = this.#next(3); more > 0; more--) {
      const right = this.#source(depth);
      from += this.#join(sources, right);
      sources.push(right);
    }
    const where = this.#chance(50) ? ` WHERE ${this.#condition(sources, depth)}` : '';
    if (this.#chance(25)) return this.#grouped(sources, from, where);
    const order = this.#chance(40) ? ` ORDER BY ${this.#pick(['n', '1', '-n', this.#column(sources)])}` : '';
    return `SELECT ${this.#chance(20) ? 'DISTINCT ' : ''}${this.#results(sources)} FROM ${from}${where}${order}`;
  }

  #grouped(sources: readonly Source[], from: string, where: string): string {
    const column = this.#column(sources);
    const having = this.#chance(50) ? ` HAVING ${this.#pick(['n > 0', `max(${this.#column(sources)}) > 0`])}` : '';
    return `SELECT ${column}, count(*) AS n FROM ${from}${where} GROUP BY ${column}${having} ORDER BY n, 1`;
  }

  query(): string {
    const choice = this.#next(10);
    if (choice === 0) return `${this.core(1).replace(/ ORDER BY .*$/, '')} UNION ${this.core(0)}`;
    if (choice === 1) return `WITH d AS (${this.core(1)}) SELECT * FROM d`;
    if (choice === 2) return `SELECT count(*), max(d.n) FROM (${this.core(1)}) d`;
    return this.core(2);
  }
}

/** A query over a schema; not every one is right SQL, most are. */
export function randomQuery(database: Database): fc.Arbitrary<string> {
  return fc.array(fc.nat(), { minLength: 120, maxLength: 120 }).map((numbers) => {
    let at = 0;
    return new QueryWriter(database, (count) => (numbers[at++ % numbers.length] ?? 0) % count).query();
  });
}

/** Every column of a schema. */
export function columnsOf(database: Database): ColumnRef[] {
  return database.tables.flatMap(({ columns }, table) => columns.map((_, column) => ({ table, column })));
}

export interface RandomChange {
  readonly renames: ReadonlyMap<string, string>;
  readonly added: ReadonlyMap<number, readonly string[]>;
}

/** New names for some columns and up to two more columns per table; mostly all different, sometimes shared by tables. */
export function randomChange(database: Database): fc.Arbitrary<RandomChange> {
  const refs = columnsOf(database);
  const present = refs.map((ref) => foldName(columnAt(database, ref).originalName));
  const pool = [
    ...ADVERSARIAL.filter((name) => !present.includes(foldName(name)) && name !== 'ID'),
    'no such name',
    'fresh',
  ];
  const distinct = fc.shuffledSubarray(pool, { minLength: pool.length });
  const shared = fc.array(fc.constantFrom(...ADVERSARIAL), { minLength: pool.length, maxLength: pool.length });
  const chosen = fc.oneof({ weight: 3, arbitrary: distinct }, shared);
  const flags = fc.array(fc.boolean(), { minLength: refs.length, maxLength: refs.length });
  return fc.tuple(chosen, flags, fc.nat(2)).map(([names, renamed, more]) => {
    const free = [...names];
    const entries = refs.filter((_, i) => renamed[i]).map((ref) => [columnKey(ref), free.pop() ?? ''] as const);
    const added = database.tables.map((_, t) => [t, free.splice(-more, more)] as const);
    return { renames: new Map(entries), added: new Map(added) };
  });
}
