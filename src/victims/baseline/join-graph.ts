import { type JoinPlan, planJoins } from '../../compositional/clauses/join-plan.js';
import { memoizeObject } from '../../schema/memoize.js';
import { identifierKey } from '../../schema/name-identity.js';
import { columnAt, columnKey, type ColumnRef, type Database, type ForeignKey } from '../../schema/schema.js';

/** Keys that a schema does not tell of: equal names of a primary key and a column elsewhere. */
function namedKeys(database: Database): readonly ForeignKey[] {
  return database.primaryKeys.flatMap((to) => {
    const name = identifierKey(columnAt(database, to).originalName);
    return database.tables.flatMap(({ columns }, table) => {
      const column = columns.findIndex(({ originalName }) => identifierKey(originalName) === name);
      return table === to.table || column === -1 ? [] : [{ from: { table, column }, to }];
    });
  });
}

function joinsTables({ from, to }: ForeignKey, left: number, right: number): boolean {
  return (from.table === left && to.table === right) || (from.table === right && to.table === left);
}

/** Ways between the tables of a schema: along foreign keys, and where those do not lead along equal names of keys. */
export class JoinGraph {
  readonly #keys: readonly ForeignKey[];
  readonly #plans = new Map<string, JoinPlan | null>();

  constructor(database: Database) {
    const { foreignKeys } = database;
    const named = namedKeys(database).filter(
      ({ from, to }) => !foreignKeys.some((key) => joinsTables(key, from.table, to.table)),
    );
    this.#keys = [...foreignKeys, ...named].filter(({ from, to }) => from.table !== to.table);
  }

  /** Checks whether a foreign key, or an equal name of a key, makes these columns one. */
  isLinked(left: ColumnRef, right: ColumnRef): boolean {
    const asked = [left, right].map(columnKey).sort().join();
    return this.#keys.some(({ from, to }) => [from, to].map(columnKey).sort().join() === asked);
  }

  /** Joins all of the tables by shortest ways, tables in between included; null where there is no way. */
  plan(tables: readonly number[]): JoinPlan | null {
    const wanted = [...new Set(tables)];
    const key = wanted.join();
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      const uses = wanted.map((table) => ({ table, copy: 0 }));
      this.#plans.set(key, (plan = planJoins(uses, [], this.#keys)));
    }
    return plan;
  }
}

/** The join graph of a database; made once for each. */
export const joinGraph = memoizeObject((database: Database) => new JoinGraph(database));
