import { readStructure, type StructureRead } from './query-structure.js';
import { isSubquery } from './spider-parts.js';
import { itemAt } from '../../present.js';
import type { Database, Table } from '../../schema/schema.js';
import type {
  SpiderColumnUnit,
  SpiderConditions,
  SpiderSources,
  SpiderSql,
  SpiderTableUnit,
  SpiderValue,
  SpiderValueUnit,
} from '../../sql/spider-sql.js';
import { foldName } from '../../sql/dialect.js';

/** Gives each distinct name its number, from 1: 0 is `*`. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) this.#numbers.set(name, (number = this.#numbers.size + 1));
    return number;
  }
}

const nameOf = ({ originalName }: { readonly originalName: string }): string => foldName(originalName);

/** The names that a table's columns count as: its own, or of one that stands in another's place, the other's. */
function columnNames(table: Table, seed: Table | undefined): readonly string[] {
  const own = table.columns.map(nameOf);
  const before = seed?.columns.map(nameOf) ?? [];
  if (before.length !== own.length) return own;
  return own.map((name, c) => (before.includes(name) || own.includes(itemAt(before, c)) ? name : itemAt(before, c)));
}

/**
 * Reads queries on a seed's schema and on a mutated one so that they can be compared: tables and columns are numbered by
 * name, wherever they are. A column that only is under another name in a table of as many columns is the same.
 */
export class CommonQueries {
  readonly #seed: Database;
  readonly #tables = new Numbers();
  readonly #columns = new Numbers();

  constructor(seed: Database) {
    this.#seed = seed;
  }

  /** A query's structure in common numbers, or why it has none. */
  read(sql: string, schema: Database): StructureRead {
    const read = readStructure(sql, schema);
    if ('fault' in read) return read;
    const { structure } = read;
    const renumbering = new Renumbering(this.#tableNumbers(schema), this.#columnNumbers(schema), structure.sources);
    return { structure: { ...structure, sql: renumbering.query(structure.sql), sources: renumbering.sources } };
  }

  #tableNumbers(schema: Database): readonly number[] {
    return schema.tables.map((table) => this.#tables.of(nameOf(table)));
  }

  #columnNumbers(schema: Database): readonly number[] {
    const numbers = schema.tables.flatMap((table) => {
      const seed = this.#seed.tables.find((one) => nameOf(one) === nameOf(table));
      return columnNames(table, seed).map((name) => this.#columns.of(JSON.stringify([nameOf(table), name])));
    });
    return [0, ...numbers];
  }
}

/** Writes a structure in other numbers of tables and columns; each part belongs to the source that it did. */
class Renumbering {
  /** Of the parts that were written so far. */
  readonly sources = new Map<SpiderColumnUnit | SpiderTableUnit, number>();
  readonly #tables: readonly number[];
  readonly #columns: readonly number[];
  readonly #before: SpiderSources;

  constructor(tables: readonly number[], columns: readonly number[], before: SpiderSources) {
    this.#tables = tables;
    this.#columns = columns;
    this.#before = before;
  }

  query(sql: SpiderSql): SpiderSql {
    const half = (other: SpiderSql | null): SpiderSql | null => (other === null ? null : this.query(other));
    const [direction, units = []] = sql.orderBy;
    return {
      from: {
        table_units: sql.from.table_units.map((unit) => this.#source(unit)),
        conds: this.#conditions(sql.from.conds),
      },
      select: [sql.select[0], sql.select[1].map(([aggregate, unit]) => [aggregate, this.#unit(unit)])],
      where: this.#conditions(sql.where),
      groupBy: sql.groupBy.map((unit) => this.#column(unit)),
      having: this.#conditions(sql.having),
      orderBy: direction === undefined ? [] : [direction, units.map((unit) => this.#unit(unit))],
      limit: sql.limit,
      intersect: half(sql.intersect),
      union: half(sql.union),
      except: half(sql.except),
    };
  }

  #source(unit: SpiderTableUnit): SpiderTableUnit {
    if (unit[0] === 'sql') return this.#sourced(['sql', this.query(unit[1])], unit);
    return this.#sourced(['table_unit', this.#tables[unit[1]] ?? unit[1]], unit);
  }

  #column(unit: SpiderColumnUnit): SpiderColumnUnit {
    const [aggregate, column, distinct] = unit;
    return this.#sourced([aggregate, this.#columns[column] ?? column, distinct], unit);
  }

  #sourced<T extends SpiderColumnUnit | SpiderTableUnit>(part: T, before: T): T {
    const source = this.#before.get(before);
    if (source !== undefined) this.sources.set(part, source);
    return part;
  }

  #unit([operator, left, right]: SpiderValueUnit): SpiderValueUnit {
    return [operator, this.#column(left), right === null ? null : this.#column(right)];
  }

  #conditions(list: SpiderConditions): SpiderConditions {
    return list.map((part) => {
      if (typeof part === 'string') return part;
      const [negated, operator, unit, first, second] = part;
      return [negated, operator, this.#unit(unit), this.#value(first), this.#value(second)];
    });
  }

  #value(value: SpiderValue | null): SpiderValue | null {
    if (isSubquery(value)) return this.query(value);
    return typeof value === 'object' && value !== null ? this.#column(value) : value;
  }
}
