import { expect, test } from 'vitest';
import { BankEvidence } from '../../src/bank/bank-evidence.js';
import { NamePlaces, parseColumnLists } from '../../src/bank/bank-lists.js';

const LISTS = `# field: library
@ loan
due date | return deadline ~ renewal date, loan date
fine | penalty ~ fine paid
@ book
due date | date due ~ shelf date
title | book title ~ subtitle, renewal date
`;
const [LOAN, BOOK] = [0.9, 0.4];
const evidence = new BankEvidence({ places: new NamePlaces(parseColumnLists(LISTS)) });
const domains = { of: (at: number) => [LOAN, BOOK][at]! };

test('tells in which tables a name replaces a column, is added to it, or stands beside it', () => {
  const told = evidence.ofColumn('due date', domains);
  expect(told('return deadline')).toMatchObject({
    replaces: LOAN,
    added: -1,
    nearestReplacement: LOAN,
    nearestName: -1,
  });
  expect(told('renewal date')).toMatchObject({ added: LOAN, addedBeside: BOOK, nearestAddition: LOAN });
  expect(told('penalty')).toMatchObject({ beside: LOAN, replaces: -1, added: -1 });
  expect(told('subtitle')).toMatchObject({ addedBeside: BOOK, nearCount: 0, count: Math.log(2) });
  expect(told('due date')).toMatchObject({ ownCount: Math.log(3), nearestOwn: LOAN });
});

test('knows a name that replaces the column for the column itself', () => {
  expect(evidence.ofColumn('Date_Due', domains)('shelf dates')).toMatchObject({ added: BOOK, nearestOwn: BOOK });
});

test('tells nothing of names that no table has, nor of tables that are left out', () => {
  const nothing = { nearestName: -1, nearestReplacement: -1, nearestAddition: -1, count: 0, replaces: -1, added: -1 };
  expect(evidence.ofColumn('due date', domains)('mood')).toMatchObject(nothing);
  expect(evidence.ofColumn('due date', { of: () => -1 })('renewal date')).toMatchObject({ ...nothing, ownCount: 0 });
});
