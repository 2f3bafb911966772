import { expect, test } from 'vitest';
import { describeNameless } from '../../../src/variants/candidates/generate-candidates.js';
import type { TableTask } from '../../../src/pipeline.js';
import { createTarget } from '../../retriever/retriever-fixture.js';

const taskOf = (name: string): TableTask => ({ id: `db/${name}`, target: createTarget(name, ['a']), columns: [0] });

test('warns of tables whose names say nothing and stand for the entity, and of no others', () => {
  const tasks = ['table 1', 'table 2', 'singers'].map(taskOf);
  const results = ['table 1', 'athlete', 'singer'].map((primaryEntity, i) => ({ id: tasks[i]!.id, primaryEntity }));
  expect(describeNameless(tasks, results)).toEqual([
    'the primary entity of 1 table is not known (db/table 1): the table’s name stands for it; name it in the file of tpe.annotations',
  ]);
  expect(describeNameless(tasks, results.slice(1))).toEqual([]);
});

test('names a few of many', () => {
  const tasks = Array.from({ length: 9 }, (_, i) => taskOf(`table ${i}`));
  const [warning] = describeNameless(
    tasks,
    tasks.map(({ id, target }) => ({ id, primaryEntity: target.table.name })),
  );
  expect(warning).toContain('of 9 tables');
  expect(warning).toContain('db/table 4, …)');
});
