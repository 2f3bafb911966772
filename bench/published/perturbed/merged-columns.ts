import type { PublishedMapping } from '../../../src/formats/dataset.js';
import { itemAt } from '../../../src/present.js';
import type { Database, Table } from '../../../src/schema/schema.js';
import { foldName } from '../../../src/sql/dialect.js';
import type { ColumnFate } from './align-columns.js';

/** Fates of the columns of several tables that became one. */
class MergedColumns {
  readonly #database: Database;
  readonly #parts: readonly number[];
  readonly #names: readonly string[];
  readonly #now: readonly string[];
  readonly #taken = new Set<number>();
  readonly #fates: (ColumnFate | null)[][];

  constructor(database: Database, parts: readonly number[], now: Table) {
    this.#database = database;
    this.#parts = parts;
    this.#names = now.columns.map(({ originalName }) => originalName);
    this.#now = this.#names.map(foldName);
    this.#fates = parts.map((t) => itemAt(database.tables, t).columns.map(() => null));
  }

  run({ merged }: PublishedMapping): readonly (readonly ColumnFate[])[] {
    for (const [now, table, column] of merged) this.#place(table, column, now);
    this.#each((table, column) => [`${column}_${table}`, `${table}_${column}`, `${table}${column}`]);
    this.#sole();
    this.#nearest();
    this.#each((_, column) => [`${column}_ref`, ...this.#endings(column)]);
    this.#shareKeys();
    return this.#fates.map((own) => own.map((fate) => fate ?? { kind: 'gone' }));
  }

  #table(p: number): Table {
    return itemAt(this.#database.tables, itemAt(this.#parts, p));
  }

  #place(table: string, column: string, now: string): void {
    const p = this.#parts.findIndex((_, i) => foldName(this.#table(i).originalName) === foldName(table));
    if (p < 0) return;
    const c = this.#table(p).columns.findIndex(({ originalName }) => foldName(originalName) === foldName(column));
    this.#keep(p, c, this.#now.indexOf(foldName(now)));
  }

  #keep(p: number, c: number, at: number): void {
    if (at < 0 || c < 0 || this.#taken.has(at) || this.#fates[p]?.[c] !== null) return;
    itemAt(this.#fates, p)[c] = { kind: 'kept', name: itemAt(this.#names, at) };
    this.#taken.add(at);
  }

  /** Gives each column without a place the first of some names that is free. */
  #each(namesFor: (table: string, column: string) => readonly string[]): void {
    this.#parts.forEach((_, p) => {
      const { originalName, columns } = this.#table(p);
      columns.forEach((column, c) => {
        const names = namesFor(foldName(originalName), foldName(column.originalName));
        const at = names.map((name) => this.#now.indexOf(name)).find((place) => place >= 0 && !this.#taken.has(place));
        if (at !== undefined) this.#keep(p, c, at);
      });
    });
  }

  #claims(name: string): readonly (readonly [p: number, c: number])[] {
    return this.#parts.flatMap((_, p) => {
      const c = this.#table(p).columns.findIndex(({ originalName }) => foldName(originalName) === name);
      return c >= 0 && this.#fates[p]?.[c] === null ? [[p, c] as const] : [];
    });
  }

  /** Names that only one table still asks for. */
  #sole(): void {
    this.#now.forEach((name, at) => {
      const claims = this.#claims(name);
      if (claims.length === 1) for (const [p, c] of claims) this.#keep(p, c, at);
    });
  }

  /** Names that several tables ask for go to the one whose columns are next to them. */
  #nearest(): void {
    this.#now.forEach((name, at) => {
      const claims = this.#claims(name);
      if (claims.length < 2 || this.#taken.has(at)) return;
      const distances = claims.map(([p, c]) => {
        const places = (this.#fates[p] ?? []).flatMap((fate, other) =>
          fate?.kind === 'kept' ? [Math.abs(this.#names.indexOf(fate.name) - at) + Math.abs(other - c) / 100] : [],
        );
        return Math.min(Infinity, ...places);
      });
      const [p, c] = itemAt(claims, distances.indexOf(Math.min(...distances)));
      this.#keep(p, c, at);
    });
  }

  #endings(column: string): readonly string[] {
    return this.#now.filter((name) => name.endsWith(`_${column}`) || name.startsWith(`${column}_`));
  }

  /** Two columns that a foreign key links are one where the merged table has one of them. */
  #shareKeys(): void {
    for (const { from, to } of this.#database.foreignKeys) {
      const [a, b] = [this.#parts.indexOf(from.table), this.#parts.indexOf(to.table)];
      if (a < 0 || b < 0 || a === b) continue;
      const [own, other] = [this.#fates[a]?.[from.column] ?? null, this.#fates[b]?.[to.column] ?? null];
      if (own === null && other !== null) itemAt(this.#fates, a)[from.column] = other;
      if (other === null && own !== null) itemAt(this.#fates, b)[to.column] = own;
    }
  }
}

/** What became of the columns of several tables that are one table now, in the order of the tables. */
export function mergedFates(
  database: Database,
  parts: readonly number[],
  now: Table,
  said: PublishedMapping,
): readonly (readonly ColumnFate[])[] {
  return new MergedColumns(database, parts, now).run(said);
}
