import { describe, expect, it } from 'vitest';
import { summarizeCandidates } from '../../../src/variants/report/candidates-report.js';
import { context, DATABASES, decision, DECISIONS } from './hand-made-run.js';

const report = summarizeCandidates(DECISIONS, context());

describe('summarizeCandidates', () => {
  it('counts buckets, reasons and sources', () => {
    expect(report.totals).toEqual({
      decisions: 9,
      buckets: { RPL: 3, ADD: 4, rejected: 2, near: 1 },
      reasons: [
        { reason: 'no-equivalence', bucket: 'ADD', count: 4 },
        { reason: 'entailment', bucket: 'RPL', count: 3 },
        { reason: 'between-thresholds', bucket: 'rejected', count: 1 },
        { reason: 'digits', bucket: 'rejected', count: 1 },
      ],
      sources: [
        { source: 'retrieval', RPL: 1, ADD: 4, rejected: 1, near: 0 },
        { source: 'dictionary', RPL: 2, ADD: 0, rejected: 1, near: 1 },
      ],
    });
  });

  it('tells how many target columns can be perturbed, and names the others', () => {
    // RPL: home town, age. ADD: home town (3 names), product name (1 name). Neither: title, room.
    expect(report.coverage).toEqual({
      targetColumns: 5,
      withRpl: { columns: 2, share: 0.4 },
      withAdd: { columns: 2, share: 0.4 },
      withThreeAdd: { columns: 1, share: 0.2 },
      withCloseAdd: { columns: 0, share: 0 },
      databases: { total: 2, withRpl: 1, withAdd: 2, withBoth: 1 },
      withoutAny: [
        { dbId: 'school', table: 'class', column: 'room' },
        { dbId: 'school', table: 'class', column: 'title' },
      ],
      withoutRpl: [{ dbId: 'shop', table: 'product', column: 'name' }],
      withoutAdd: [{ dbId: 'school', table: 'student', column: 'age' }],
    });
  });

  it('computes the basic statistics of the paper’s Table 1', () => {
    expect(report.statistics).toEqual({
      totalTables: { original: 3, rpl: 3, add: 3 },
      averageColumnsPerTable: { original: 2, rpl: null, add: null }, // 6 columns / 3 tables
      averagePerturbedColumnsPerTable: { original: null, rpl: 0.6667, add: 0.6667 }, // 2 / 3 both
      averageCandidatesPerColumn: { original: null, rpl: 1.5, add: 2 }, // (2 + 1) / 2, (3 + 1) / 2
      // original: home town, age, name; RPL: home town, age + city of origin, native city, years;
      // ADD: home town, name + mailing city, postal code, current town, brand name
      uniqueColumns: { original: 3, rpl: 5, add: 6 },
      // original: home town age name; RPL: home town age city of origin native years;
      // ADD: home town name mailing city postal code current brand
      uniqueVocabulary: { original: 4, rpl: 8, add: 9 },
    });
    expect(report.published?.uniqueColumns).toEqual({ original: 211, rpl: 911, add: 1061 });
    expect(summarizeCandidates([], context({ dataset: 'own' })).published).toBeNull();
  });

  it('counts the same name once per column', () => {
    const twice = [decision(), decision({ candidate: 'City of  origin', source: 'dictionary', origin: null })];
    expect(summarizeCandidates(twice, context()).statistics.averageCandidatesPerColumn.rpl).toBe(1);
  });

  it('counts per database, table and column', () => {
    expect(report.databases).toEqual([
      { dbId: 'school', tables: 2, targetColumns: 4, RPL: 3, ADD: 3, rejected: 2, near: 1 },
      { dbId: 'shop', tables: 1, targetColumns: 1, RPL: 0, ADD: 1, rejected: 0, near: 0 },
    ]);
    expect(
      report.tables.map(({ table, targetColumns, withRpl, withAdd, RPL, ADD, rejected }) => [
        table,
        targetColumns,
        withRpl,
        withAdd,
        RPL,
        ADD,
        rejected,
      ]),
    ).toEqual([
      ['class', 2, 0, 0, 0, 0, 0],
      ['student', 2, 2, 1, 3, 3, 2],
      ['product', 1, 0, 1, 0, 1, 0],
    ]);
    expect(report.columns).toHaveLength(5);
    expect(report.columns).toContainEqual({
      dbId: 'school',
      table: 'student',
      column: 'age',
      RPL: 1,
      ADD: 0,
      rejected: 1,
      near: 0,
    });
  });

  it('counts columns and tables of one natural name apart, by their original names', () => {
    const column = (originalName: string): (typeof DATABASES)[number]['tables'][number]['columns'][number] => ({
      name: 'home town',
      originalName,
      type: 'text',
    });
    const tables = [
      { name: 'student', originalName: 'Student', columns: [column('Home_Town'), column('HomeTown')] },
      { name: 'student', originalName: 'tbl_student', columns: [column('Home_Town')] },
    ];
    const place = (
      table_original: string,
      column_original: string,
    ): { table_original: string; column_original: string } => ({
      table_original,
      column_original,
    });
    const [own, twin, other] = [
      place('Student', 'Home_Town'),
      place('Student', 'HomeTown'),
      place('tbl_student', 'Home_Town'),
    ];
    const decisions = [decision(other), decision(twin), decision(own), decision({ ...twin, candidate: 'native city' })];
    const targetColumns = [own, twin, other].map(({ table_original, column_original }) => ({
      dbId: 'school',
      table: 'student',
      column: 'home town',
      tableOriginal: table_original,
      columnOriginal: column_original,
    }));
    const databases = [{ ...DATABASES[0]!, tables }];
    const twins = summarizeCandidates(decisions, context({ databases, targetColumns }));
    expect(twins.coverage.withRpl).toEqual({ columns: 3, share: 1 });
    const name = { dbId: 'school', table: 'student', column: 'home town' };
    expect(twins.columns).toMatchObject([
      { ...name, tableOriginal: 'Student', columnOriginal: 'HomeTown', RPL: 2 },
      { ...name, tableOriginal: 'Student', columnOriginal: 'Home_Town', RPL: 1 },
      { ...name, tableOriginal: 'tbl_student', RPL: 1 },
    ]);
    expect(twins.columns[2]).not.toHaveProperty('columnOriginal');
    expect(twins.tables.map(({ tableOriginal, targetColumns: count }) => [tableOriginal, count])).toEqual([
      ['Student', 2],
      ['tbl_student', 1],
    ]);
  });

  it('bins scores of 0.05, with the threshold at the lower edge of its bin', () => {
    const { e1, e2, lower, upper, similarity } = report.histograms;
    expect(lower.bins.RPL[13]).toBe(1); // 0.65
    expect(lower.bins.RPL[16]).toBe(2); // 0.80
    expect(lower.bins.rejected[10]).toBe(1); // 0.50, e1 alone
    expect(e1.bins.ADD[2]).toBe(4); // 0.10
    expect(e2.bins.ADD[4]).toBe(4); // 0.20
    expect(e2.bins.rejected.every((count) => count === 0)).toBe(true);
    expect(upper.bins.ADD[4]).toBe(4);
    expect(upper.bins.RPL.reduce((a, b) => a + b)).toBe(1); // two of three come from the dictionary
    expect(similarity.below).toEqual({ RPL: 0, ADD: 1, rejected: 0 });
    expect(summarizeCandidates([decision({ e1: 1, e2: 1 })], context()).histograms.e1.bins.RPL[19]).toBe(1);
  });

  it('spreads at most 60 examples per bucket over the databases, and shows each reason', () => {
    const many = ['a', 'b', 'c'].flatMap((db_id, size) =>
      Array.from({ length: [500, 40, 5][size]! }, (_, i) => decision({ db_id, candidate: `name ${i}` })),
    );
    const picked = summarizeCandidates(many, context()).examples.RPL;
    const count = (db: string): number => picked.filter(({ db_id }) => db_id === db).length;
    expect([count('a'), count('b'), count('c')].sort()).toEqual([27, 28, 5].sort());
    expect(report.examples.rejected.map(({ reason, examples }) => [reason, examples.length])).toEqual([
      ['between-thresholds', 1],
      ['digits', 1],
    ]);
  });

  it('gives the same bytes whatever the order of decisions, counts and context keys', () => {
    const shuffledContext = context({
      counts: { 'pairs scored': 120, 'rule: digits': 4 },
      databases: [...DATABASES].reverse(),
    });
    const again = summarizeCandidates([...DECISIONS].reverse(), shuffledContext);
    expect(JSON.stringify(again)).toBe(JSON.stringify(report));
  });

  it('stands an empty run', () => {
    const empty = summarizeCandidates([], context({ databases: [], targetColumns: [] }));
    expect(empty.coverage.withRpl).toEqual({ columns: 0, share: 0 });
    expect(JSON.stringify(empty)).not.toContain('NaN');
  });
});
