import { describe, expect, it } from 'vitest';
import type { Dataset } from '../../../src/formats/dataset.js';
import { planTables, type TablePlan } from '../../../src/variants/candidates/plan-tables.js';
import type { Column, Database } from '../../../src/schema/schema.js';
import { datasetOf as gardenDataset, example, GARDEN } from '../relations/names/garden-schema.js';

function datasetOf(queries: readonly string[], database: Database = GARDEN): Dataset {
  const examples = queries.map((query, i) => ({ ...example(query, `dev:${i}`), question: `question ${i}` }));
  return {
    ...gardenDataset(examples, [database, { ...database, id: 'unused' }]),
    sampleValues: ({ tables }) => tables.map(({ columns }) => columns.map(({ name }) => [`${name} value`])),
  };
}
const planned = ({ tasks }: TablePlan): (readonly [string, readonly number[]])[] =>
  tasks.map(({ id, columns }) => [id, columns]);

describe('planTables', () => {
  const join = 'SELECT T2.soil_type FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id';

  it('takes the columns that gold queries mention, table by table', () => {
    expect(planned(planTables(datasetOf(['SELECT home_country FROM gardener', join]), 'mentioned'))).toEqual([
      ['garden/gardener', [0, 1]],
      ['garden/plot', [1, 2]],
    ]);
  });

  it('takes all columns of the databases that are asked of', () => {
    expect(planned(planTables(datasetOf(['SELECT home_country FROM gardener']), 'all'))).toEqual([
      ['garden/gardener', [0, 1, 2]],
      ['garden/plot', [0, 1, 2]],
    ]);
  });

  it('gives a table the questions whose queries name it, and its values', () => {
    const { tasks } = planTables(datasetOf(['SELECT home_country FROM gardener', join]), 'mentioned');
    expect(tasks.map(({ target }) => target.questions)).toEqual([['question 0', 'question 1'], ['question 1']]);
    expect(tasks[1]!.target.values).toEqual([['plot id value'], ['gardener id value'], ['soil type value']]);
  });

  it('names the tables and columns of each query, in order of mention', () => {
    const { mentions } = planTables(datasetOf([join, 'SELECT count(*) FROM plot']), 'mentioned');
    expect(mentions.get('dev:0')).toEqual({
      columns: [
        { table: 1, column: 2 },
        { table: 0, column: 0 },
        { table: 1, column: 1 },
      ],
      tables: [0, 1],
    });
    expect(mentions.get('dev:1')).toEqual({ columns: [], tables: [1] });
  });

  it.each(['SELECT FROM WHERE', 'SELECT nothing FROM gardener', 'SELECT home_country FROM nowhere', ''])(
    'leaves out and reports a query that can not be read: %s',
    (query) => {
      const plan = planTables(datasetOf([query, 'SELECT home_country FROM gardener']), 'mentioned');
      expect(plan.skipped.map(({ id }) => id)).toEqual(['dev:0']);
      expect(plan.skipped[0]!.reason).not.toBe('');
      expect([...plan.mentions.keys()]).toEqual(['dev:1']);
      expect(planned(plan)).toEqual([['garden/gardener', [1]]]);
    },
  );

  it.each([
    ['x'.repeat(101), 'its name has 101 characters, more than 100'],
    ['🌱', 'its name has no letters'],
    ['---', 'its name has no letters'],
    ['123', 'its name has no letters'],
  ])('leaves out and reports the column %s', (name, reason) => {
    const [gardener, plot] = GARDEN.tables;
    const columns = gardener!.columns.map((column, i) => (i === 1 ? { ...column, name } : column));
    const database = { ...GARDEN, tables: [{ ...gardener!, columns }, plot!] };
    const plan = planTables(datasetOf(['SELECT home_country , birth_year FROM gardener'], database), 'mentioned');
    expect(planned(plan)).toEqual([['garden/gardener', [2]]]);
    expect(plan.skipped).toEqual([{ id: 'garden/gardener.home_country', reason }]);
  });

  describe('columns of one natural name', () => {
    const [gardener, plot] = GARDEN.tables;
    const query = 'SELECT home_country , birth_year FROM gardener';

    it('are planned like others', () => {
      const twin: Column = { name: 'Home  Country', originalName: 'HomeCountry', type: 'text' };
      const database = { ...GARDEN, tables: [{ ...gardener!, columns: [...gardener!.columns, twin] }, plot!] };
      const mentioned = planTables(datasetOf([query], database), 'mentioned');
      expect(planned(mentioned)).toEqual([['garden/gardener', [1, 2]]]);
      const all = planTables(datasetOf([query], database), 'all');
      expect(planned(all)[0]).toEqual(['garden/gardener', [0, 1, 2, 3]]);
      expect([mentioned.skipped, all.skipped]).toEqual([[], []]);
    });

    it('are planned in each of two tables of one natural name', () => {
      const other = { name: 'gardener', originalName: 'Gardener_', columns: gardener!.columns.slice(1, 2) };
      const plan = planTables(datasetOf([query], { ...GARDEN, tables: [gardener!, other] }), 'all');
      expect(planned(plan)).toEqual([
        ['garden/gardener', [0, 1, 2]],
        ['garden/Gardener_', [0]],
      ]);
      expect(plan.skipped).toEqual([]);
    });
  });
});
