import { expect, test } from 'vitest';
import { goldAggregates } from '../../../../src/variants/relations/utterance/synonym-substitution.js';
import type { Database } from '../../../../src/schema/schema.js';
import { SQLITE } from '../../../../src/sql/dialect.js';

const SCHOOL: Database = {
  id: 'school',
  tables: [
    {
      name: 'student',
      originalName: 'student',
      columns: ['stu_gpa', 'num_of_fees'].map((name) => ({
        name: name.replaceAll('_', ' '),
        originalName: name,
        type: 'number',
      })),
    },
  ],
  primaryKeys: [],
  foreignKeys: [],
};

test('a column’s words are its own, spelled out one for one; those of an initialism are none of them', () => {
  const { columns } = goldAggregates('SELECT avg(stu_gpa), sum(num_of_fees) FROM student', SCHOOL, SQLITE);
  expect(columns).toContain('number');
  expect(columns).toContain('gpa');
  expect(columns).not.toContain('average');
});
