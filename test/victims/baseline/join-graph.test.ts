import { describe, expect, it } from 'vitest';
import { JoinGraph } from '../../../src/victims/baseline/join-graph.js';
import type { Database } from '../../../src/schema/schema.js';

const key = (table: number, column: number) => ({ table, column });
const use = (index: number) => ({ table: index, copy: 0 });
const column = (index: number, place: number) => ({ kind: 'column', ...key(index, place), copy: 0 });
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
      uses: [0, 1, 2].map(use),
      edges: [
        { from: column(0, 0), to: column(1, 0) },
        { from: column(1, 1), to: column(2, 0) },
      ],
    });
  });

  it('joins by equal names of keys where there is no foreign key', () => {
    expect(graph.plan([2, 3])?.edges).toEqual([{ from: column(2, 0), to: column(3, 0) }]);
  });

  it('says where there is no way, and needs none for one table', () => {
    expect(graph.plan([0, 4])).toBeNull();
    expect(graph.plan([])).toBeNull();
    expect(graph.plan([4, 4])).toEqual({ uses: [use(4)], edges: [] });
  });

  it('knows linked columns', () => {
    expect(graph.isLinked(key(0, 0), key(1, 0))).toBe(true);
    expect(graph.isLinked(key(0, 0), key(1, 1))).toBe(false);
  });
});
