import { describe, expect, it } from 'vitest';
import { JoinGraph } from '../../../src/victims/baseline/join-graph.js';
import type { Database } from '../../../src/schema/schema.js';

const key = (table: number, column: number) => ({ table, column });
const table = (name: string, ...columns: string[]) => ({
  name,
  originalName: name,
  columns: columns.map((column) => ({ name: column, originalName: column, type: 'number' as const })),
});

/** a ← b → c, d with c’s key by name, e alone. */
const database: Database = {
  id: 'chain',
  tables: [table('a', 'x'), table('b', 'ax', 'cy'), table('c', 'y'), table('d', 'y', 'v'), table('e', 'w')],
  primaryKeys: [key(0, 0), key(2, 0)],
  foreignKeys: [
    { from: key(1, 0), to: key(0, 0) },
    { from: key(1, 1), to: key(2, 0) },
  ],
};
const graph = new JoinGraph(database);

describe('JoinGraph', () => {
  it('joins by the shortest way, tables between included', () => {
    expect(graph.plan([0, 2])).toEqual({
      first: 0,
      steps: [
        { table: 1, left: key(0, 0), right: key(1, 0) },
        { table: 2, left: key(1, 1), right: key(2, 0) },
      ],
    });
  });

  it('joins by equal names of keys where there is no foreign key', () => {
    expect(graph.plan([2, 3])?.steps).toEqual([{ table: 3, left: key(2, 0), right: key(3, 0) }]);
  });

  it('says where there is no way, and needs none for one table', () => {
    expect(graph.plan([0, 4])).toBeNull();
    expect(graph.plan([])).toBeNull();
    expect(graph.plan([4, 4])).toEqual({ first: 4, steps: [] });
  });

  it('knows linked columns', () => {
    expect(graph.isLinked(key(0, 0), key(1, 0))).toBe(true);
    expect(graph.isLinked(key(0, 0), key(1, 1))).toBe(false);
  });
});
