import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JoinPlan } from '../../../src/compositional/clauses/join-plan.js';
import { joinGraph } from '../../../src/victims/baseline/join-graph.js';
import { readSketch } from '../../../src/victims/baseline/sketch-reader.js';
import { type Filling, type Sketch, writeSketch } from '../../../src/victims/baseline/sketch.js';
import type { ColumnRef, Database } from '../../../src/schema/schema.js';
import { SQLITE } from '../../../src/sql/dialect.js';
import { toSpiderSql } from '../../../src/sql/spider-sql.js';
import { BIKES, loadGardenExamples } from './baseline-fixture.js';

const examples = loadGardenExamples();

/** A sketch filled with given columns and its own values; null where its tables can't be joined. */
function fillWith(sketch: Sketch, columns: readonly ColumnRef[], database: Database): Filling | null {
  const plans = sketch.cores.map(({ extras }, core) => {
    const own = sketch.columns.flatMap(({ cores }, slot) => (cores.includes(core) ? [columns[slot]!.table] : []));
    return joinGraph(database).plan([...own, ...extras]);
  });
  if (plans.includes(null)) return null;
  const values = sketch.values.map(({ kind, text }) => ({ text, isText: kind === 'text' }));
  return { columns, values, plans: plans as JoinPlan[] };
}

/** A query's structure without its FROM, which may name its tables in another order. */
function structure(sql: string, database: Database): unknown {
  const json = JSON.stringify(toSpiderSql(sql, database), (key, value: unknown) =>
    key === 'from' ? undefined : value,
  );
  return JSON.parse(json);
}

const tablesOf = (sketch: Sketch): number[][] => sketch.cores.map(({ tables }) => tables.toSorted((a, b) => a - b));

describe('sketches', () => {
  it.each(examples.map(({ id, query, database }) => ({ id, query, database })))(
    'filled with their own slots give the query back: $id',
    ({ query, database }) => {
      const sketch = readSketch(query, database, SQLITE)!;
      const filling = fillWith(
        sketch,
        sketch.columns.map(({ ref }) => ref),
        database,
      )!;
      const sql = writeSketch(sketch, filling, database, SQLITE);
      expect(structure(sql, database)).toEqual(structure(query, database));
      expect(tablesOf(readSketch(sql, database, SQLITE)!)).toEqual(tablesOf(sketch));
    },
  );

  it('filled with any columns hold just those', () => {
    const property = fc.property(fc.nat(examples.length - 1), fc.infiniteStream(fc.nat(1000)), (at, stream) => {
      const { query, database } = examples[at]!;
      const sketch = readSketch(query, database, SQLITE)!;
      const all = database.tables.flatMap(({ columns }, table) => columns.map((_, column) => ({ table, column })));
      const columns = sketch.columns.map(() => all.splice((stream.next().value ?? 0) % all.length, 1)[0]!);
      const filling = fillWith(
        {
          ...sketch,
          cores: sketch.cores.map((core) => ({ ...core, extras: core.extras.slice(0, columns.length === 0 ? 1 : 0) })),
        },
        columns,
        database,
      );
      fc.pre(filling !== null && filling.plans.length === sketch.cores.length);
      const again = readSketch(writeSketch(sketch, filling, database, SQLITE), database, SQLITE);
      expect(again?.columns.map(({ ref }) => ref)).toEqual(columns);
      expect(again?.values).toEqual(sketch.values);
    });
    fc.assert(property, { numRuns: 150 });
  });

  it('tell roles, compared columns and wildcards', () => {
    const sketch = readSketch(
      "SELECT max(age), home_town FROM rider WHERE name LIKE '%a%' GROUP BY home_town HAVING count(*) > 2 LIMIT 3",
      BIKES,
      SQLITE,
    )!;
    expect(sketch.columns.map(({ roles }) => roles)).toEqual([['aggregate'], ['select', 'group'], ['where-equal']]);
    expect(sketch.values).toEqual([
      { kind: 'text', text: 'a', before: '%', after: '%', column: 2 },
      { kind: 'number', text: '2', before: '', after: '', column: null },
      { kind: 'limit', text: '3', before: '', after: '', column: null },
    ]);
  });

  it('know the tables that only a join brings in', () => {
    const sql =
      'SELECT T1.name, count(*) FROM rider AS T1 JOIN bike AS T2 ON T1.rider_id = T2.rider_id GROUP BY T1.rider_id';
    expect(readSketch(sql, BIKES, SQLITE)!.cores).toEqual([{ tables: [0, 1], extras: [1] }]);
  });

  it.each([
    'SELECT nothing FROM rider',
    'SELECT',
    'SELECT a.name FROM rider AS a JOIN rider AS b ON a.age = b.age',
    'SELECT name FROM rider LEFT JOIN bike ON rider.rider_id = bike.rider_id',
    'SELECT n FROM (SELECT name AS n FROM rider)',
    'SELECT name FROM rider WHERE EXISTS (SELECT 1 FROM bike WHERE bike.rider_id = rider.rider_id)',
    'WITH r AS (SELECT 1) SELECT * FROM r',
  ])('are none: %s', (sql) => {
    expect(readSketch(sql, BIKES, SQLITE)).toBeNull();
  });
});
