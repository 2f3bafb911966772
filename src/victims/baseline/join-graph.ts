import { memoizeObject } from '../../schema/memoize.js';
import { identifierKey } from '../../schema/name-identity.js';
import { columnAt, type ColumnRef, type Database } from '../../schema/schema.js';

/** One step of a join: the table that comes in, and the columns that are equal. */
interface JoinStep {
  readonly table: number;
  /** Of a table that is there already. */
  readonly left: ColumnRef;
  /** Of the table that comes in. */
  readonly right: ColumnRef;
}

/** Tables in the order of a FROM clause: the first, then the joins. */
export interface JoinPlan {
  readonly first: number;
  readonly steps: readonly JoinStep[];
}

interface Edge {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
}

function foreignEdges({ foreignKeys }: Database): Edge[] {
  return foreignKeys.flatMap(({ from, to }) => [
    { from, to },
    { from: to, to: from },
  ]);
}

/** Keys that a schema does not tell of: equal names of a primary key and a column elsewhere. */
function namedEdges(database: Database): Edge[] {
  return database.primaryKeys.flatMap((key) => {
    const name = identifierKey(columnAt(database, key).originalName);
    return database.tables.flatMap(({ columns }, table) => {
      const column = columns.findIndex(({ originalName }) => identifierKey(originalName) === name);
      if (table === key.table || column === -1) return [];
      const other = { table, column };
      return [
        { from: key, to: other },
        { from: other, to: key },
      ];
    });
  });
}

/** Ways between the tables of a schema: along foreign keys, and where those do not lead along equal names of keys. */
export class JoinGraph {
  readonly #edges: readonly (readonly Edge[])[];
  readonly #plans = new Map<string, JoinPlan | null>();

  constructor(database: Database) {
    const foreign = foreignEdges(database);
    const edges = [
      ...foreign,
      ...namedEdges(database).filter(({ from, to }) => !hasEdge(foreign, from.table, to.table)),
    ];
    this.#edges = database.tables.map((_, table) =>
      edges.filter(({ from, to }) => from.table === table && to.table !== table),
    );
  }

  /** Checks whether a foreign key, or an equal name of a key, makes these columns one. */
  isLinked(left: ColumnRef, right: ColumnRef): boolean {
    return (this.#edges[left.table] ?? []).some(
      ({ from, to }) => from.column === left.column && to.table === right.table && to.column === right.column,
    );
  }

  /** Joins all of the tables by shortest ways, tables in between included; null where there is no way. */
  plan(tables: readonly number[]): JoinPlan | null {
    const wanted = [...new Set(tables)];
    const key = wanted.join();
    let plan = this.#plans.get(key);
    if (plan === undefined) this.#plans.set(key, (plan = this.#compute(wanted)));
    return plan;
  }

  #compute([first, ...others]: readonly number[]): JoinPlan | null {
    if (first === undefined) return null;
    const steps: JoinStep[] = [];
    const missing = new Set(others);
    const joined = new Set([first]);
    while (missing.size > 0) {
      const way = this.#shortestWay(joined, missing);
      if (way === null) return null;
      for (const { from, to } of way) {
        steps.push({ table: to.table, left: from, right: to });
        joined.add(to.table);
        missing.delete(to.table);
      }
    }
    return { first, steps };
  }

  /** Breadth first from the joined tables to the nearest of the missing ones. */
  #shortestWay(joined: ReadonlySet<number>, missing: ReadonlySet<number>): readonly Edge[] | null {
    let ends: { readonly table: number; readonly way: readonly Edge[] }[] = [...joined].map((table) => ({
      table,
      way: [],
    }));
    const seen = new Set(joined);
    while (ends.length > 0) {
      const next: typeof ends = [];
      for (const { table, way } of ends) {
        for (const edge of this.#edges[table] ?? []) {
          if (seen.has(edge.to.table)) continue;
          seen.add(edge.to.table);
          next.push({ table: edge.to.table, way: [...way, edge] });
        }
      }
      const found = next.find(({ table }) => missing.has(table));
      if (found !== undefined) return found.way;
      ends = next;
    }
    return null;
  }
}

function hasEdge(edges: readonly Edge[], from: number, to: number): boolean {
  return edges.some((edge) => edge.from.table === from && edge.to.table === to);
}

/** The join graph of a database; made once for each. */
export const joinGraph = memoizeObject((database: Database) => new JoinGraph(database));
