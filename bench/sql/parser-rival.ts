import nodeSqlParser from 'node-sql-parser';
import { columnKey, type Database } from '../../src/schema/schema.js';

type Node = Record<string, unknown>;

/** A table of a FROM clause: the name before its columns' dots, and its index in the schema (null for a subquery). */
interface RivalSource {
  readonly label: string;
  readonly table: number | null;
}

const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Renames columns as a program would that takes node-sql-parser: parse, change the names in the tree by the tables of
 * the FROM clauses in sight, print.
 */
export class ParserRival {
  readonly #parser = new nodeSqlParser.Parser();
  readonly #database: Database;
  readonly #renames: ReadonlyMap<string, string>;

  constructor(database: Database, renames: ReadonlyMap<string, string>) {
    this.#database = database;
    this.#renames = renames;
  }

  /** @throws Error of the parser where it can't read the query */
  rename(sql: string): string {
    const ast = this.#parser.astify(sql, { database: 'sqlite' });
    for (const query of Array.isArray(ast) ? ast : [ast]) this.#query(query as unknown as Node, []);
    return this.#parser.sqlify(ast, { database: 'sqlite' });
  }

  #query(query: Node, outer: readonly (readonly RivalSource[])[]): void {
    const from = Array.isArray(query['from']) ? (query['from'] as Node[]) : [];
    const sources = from.map((item): RivalSource => {
      const label = lower(item['as'] ?? item['table']);
      const table = this.#database.tables.findIndex(({ originalName }) => lower(originalName) === lower(item['table']));
      return { label, table: table < 0 ? null : table };
    });
    const scopes = [sources, ...outer];
    for (const [key, value] of Object.entries(query)) this.#visit(value, key === '_next' ? outer : scopes);
  }

  #visit(value: unknown, scopes: readonly (readonly RivalSource[])[]): void {
    if (Array.isArray(value)) for (const item of value) this.#visit(item, scopes);
    if (!isNode(value)) return;
    if (value['type'] === 'select') return this.#query(value, scopes);
    if (value['type'] === 'column_ref') this.#column(value, scopes);
    for (const child of Object.values(value)) this.#visit(child, scopes);
  }

  #column(node: Node, scopes: readonly (readonly RivalSource[])[]): void {
    const label = lower(node['table']);
    for (const source of scopes.flat()) {
      if (source.table === null || (label !== '' && source.label !== label)) continue;
      const columns = this.#database.tables[source.table]?.columns ?? [];
      const column = columns.findIndex(({ originalName }) => lower(originalName) === lower(node['column']));
      if (column < 0) continue;
      node['column'] = this.#renames.get(columnKey({ table: source.table, column })) ?? node['column'];
      return;
    }
  }
}
