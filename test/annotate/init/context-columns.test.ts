import { expect, it } from 'vitest';
import { contextColumns } from '../../../src/annotate/init/project-items.js';
import { GIVEN, type Column } from '../../../src/schema/schema.js';

const column = (name: string, originalName: string, more: Partial<Column> = {}): Column => ({
  name,
  originalName,
  type: 'text',
  ...more,
});

it('columns have the confidence of what was read, not of names that people gave', () => {
  const columns = [
    column('home town', 'Home_Town'),
    column('patient name', 'pat_nm', { reading: { confidence: 0.9, evidence: 'pat: table; nm: list', unread: [] } }),
    column('doctor id', 'doc_id', { reading: { confidence: 1, evidence: GIVEN, unread: [] } }),
  ];
  expect(contextColumns(columns)).toEqual([
    { name: 'home town', originalName: 'Home_Town', type: 'text' },
    { name: 'patient name', originalName: 'pat_nm', type: 'text', readingConfidence: 0.9 },
    { name: 'doctor id', originalName: 'doc_id', type: 'text' },
  ]);
});
