import { expect, test } from 'vitest';
import { isOpaqueColumn, opaqueColumn, unreadColumn } from '../../src/naturalness/opaque-column.js';
import type { NaturalnessContext } from '../../src/naturalness/naturalness-rule.js';
import type { Candidate, TargetColumn } from '../../src/stage.js';

const WORDS = new Set('symbol salary rate col field value'.split(' '));
const context: NaturalnessContext = {
  frequencyRank: () => null,
  isWord: (word) => WORDS.has(word),
  nounForm: () => null,
};
const isOpaque = (originalName: string, name: string): boolean =>
  isOpaqueColumn({ originalName, name, type: 'number' }, context);

test.each([
  ['A12', 'unemployment rate 1995'],
  ['A11', 'average salary'],
  ['A2', 'district name'],
  ['col3', 'number of inhabitants'],
  ['FIELD_7', 'date of birth'],
  ['wbcx', 'patient weight'],
])('%s says nothing of "%s"', (originalName, name) => {
  expect(isOpaque(originalName, name)).toBe(true);
});

test.each([
  ['A12', 'a12'],
  ['dob', 'date of birth'],
  ['q1', 'qualifying 1'],
  ['edispl', 'engine displacement'],
  ['k_symbol', 'characterization of the payment'],
  ['uid', 'airline id'],
  ['T-BIL', 'total bilirubin'],
  ['amt', 'money paid'],
  ['unitdischargetime', 'unit discharge time'],
])('%s says something of "%s"', (originalName, name) => {
  expect(isOpaque(originalName, name)).toBe(false);
});

test.each([
  ['A12: list', null],
  ['given', '"A12" does not say what it holds'],
  ['llm', '"A12" does not say what it holds'],
])(
  'a name read by %s is asked whether its identifier says it, but for what our own reader read',
  (evidence, reason) => {
    const reading = { confidence: 1, evidence, unread: [] };
    const column = { name: 'unemployment rate', originalName: 'A12', type: 'number', reading } as const;
    const table = { name: 'district', originalName: 'district', columns: [column] };
    const target = { target: { dbId: 'bank', table, questions: [], values: [] }, column: 0 };
    const candidate = { name: 'jobless rate', source: 'retrieval', origin: null, similarity: null } as const;
    expect(opaqueColumn(context).check(candidate.name, target, candidate)).toBe(reason);
  },
);

/** A column whose first part could not be read, the first of its table. */
function halfRead(originalName: string, name: string): TargetColumn {
  const unread = [name.split(' ')[0]!];
  const reading = { confidence: 0.4, evidence: `${unread[0]}: letters`, unread };
  const column = { name, originalName, type: 'text', reading } as const;
  const other = { name: 'day number', originalName: 'DayNo', type: 'number' } as const;
  const table = { name: 'test', originalName: 'Tst', columns: [column, other] };
  return { target: { dbId: 'lab', table, questions: [], values: [] }, column: 1 };
}
const added = (name: string): Candidate => ({ name, source: 'retrieval', origin: null, similarity: null });

test('nothing is added that a column may be whose identifier could not be read in full', () => {
  const target = halfRead('FinCntDt', 'fin count date');
  const rule = unreadColumn();
  expect(rule.check('final count date', target, added('final count date'))).toContain('FinCntDt');
  for (const name of ['first count date', 'count date', 'final count time'])
    expect(rule.check(name, target, added(name))).toBeNull();
});

test('a name of nothing but letters that could not be read replaces none', () => {
  const target = { ...halfRead('ComNm', 'com name'), column: 0 };
  const rule = opaqueColumn(context);
  expect(rule.check('com', target, added('com'))).toContain('could not be read');
  expect(rule.check('com title', target, added('com title'))).toBeNull();
});
