import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { augmentCases } from '../../../src/variants/report/augment-cases.js';
import { augmentDocument } from '../../../src/variants/report/augment-document.js';
import {
  type AugmentSample,
  type AugmentSummary,
  loadAugmentOutcome,
  summarizeAugment,
} from '../../../src/variants/report/augment-report.js';
import type { ReportCase } from '../../../src/report/document/case.js';
import { plainText } from '../../../src/report/document/document.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { COMPARISON, emptyTally } from '../../../src/variants/verify/verdict.js';
import { ChromiumPage } from '../../report/chromium.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { ADDED, augmentSummary, RENAMED } from './hand-made-run.js';

const pageOf = (changes: Partial<AugmentSummary> = {}): string =>
  renderDocument(augmentDocument(summarizeAugment(augmentSummary(changes))));
const headlineOf = (changes: Partial<AugmentSummary>): string =>
  plainText(augmentDocument(summarizeAugment(augmentSummary({ leftOut: 0, ...changes }))).headline).replaceAll(
    '\u00a0',
    ' ',
  );
const ledeOf = (changes: Partial<AugmentSummary>): string =>
  plainText(augmentDocument(summarizeAugment(augmentSummary(changes))).lede).replaceAll('\u00a0', ' ');

const VERIFIED: NonNullable<AugmentSummary['verification']> = {
  comparison: COMPARISON,
  RPL: { ...emptyTally(), equal: 2 },
  ADD: { ...emptyTally(), equal: 3 },
  leftOut: { RPL: 3, ADD: 0 },
  withoutDatabase: 0,
  nonEmpty: 0.875,
  items: [],
};
const UNEQUAL = { index: 4, source: 'dev:1', db_id: 'school__rpl_1', kind: 'RPL' } as const;
const DIFFERENT = { ...UNEQUAL, verdict: 'different', detail: '<2> rows only on the original' } as const;
const TIE = { ...UNEQUAL, source: 'dev:0', verdict: 'tie', detail: 'rows in another order' } as const;

describe('the headline', () => {
  it('says that all variants return the same where all were executed and all do', () => {
    expect(headlineOf({ verification: VERIFIED })).toBe('8 examples; all 5 variants return what their originals do');
  });

  it('counts what could not be made, and does not call examples whole whose columns stay', () => {
    expect(headlineOf({ verification: VERIFIED, leftOut: 4 })).toBe(
      '8 examples; all 5 variants return what their originals do; 4 variants could not be made',
    );
    const unchangedColumns = [
      { dbId: 'school', table: 'pupil', column: 'age', bucket: 'RPL', reason: 'no name' },
    ] as unknown as AugmentSummary['unchangedColumns'];
    const { chapters } = augmentDocument(summarizeAugment(augmentSummary({ leftOut: 0, unchangedColumns })));
    expect(chapters.find(({ id }) => id === 'left')?.note).toBe(
      'Every example has all its variants; some columns are in none of them.',
    );
  });

  it('counts those that do where one is different, and names the first that is wrong', () => {
    const RPL = { ...emptyTally(), tie: 1, different: 1 };
    const verification = { ...VERIFIED, RPL, items: [TIE, DIFFERENT] };
    expect(headlineOf({ verification })).toBe('8 examples; 3 of 5 variants return what their originals do');
    expect(ledeOf({ verification })).toContain('First: dev:1 RPL (different: <2> rows only on the original).');
  });

  it('counts variants that had no database to run on among those that do not', () => {
    const verification = { ...VERIFIED, ADD: { ...emptyTally(), equal: 1 }, withoutDatabase: 2 };
    expect(headlineOf({ verification })).toBe('8 examples; 3 of 5 variants return what their originals do');
    expect(ledeOf({ verification })).toContain('2 variants had no database to run on.');
  });

  it('counts mixed variants and mutants that ask the same among all', () => {
    const written = { original: 3, rpl: 2, add: 3, mixed: 1, mutants: 4 };
    const equal = (count: number) => ({ ...emptyTally(), equal: count });
    const verification = { ...VERIFIED, mixed: equal(1), mutant: equal(4) };
    expect(headlineOf({ written, verification })).toBe(
      '13 examples; all 10 variants and mutants return what their originals do',
    );
    expect(headlineOf({ written, verification: { ...verification, mixed: { ...emptyTally(), failed: 1 } } })).toBe(
      '13 examples; 9 of 10 variants and mutants return what their originals do',
    );
  });

  it('claims nothing of queries that were not executed', () => {
    expect(headlineOf({ verification: null })).toBe('8 examples, 5 variants among them; none was executed');
    expect(ledeOf({ verification: null })).toContain('Nothing was executed');
  });

  it('says so where nothing was perturbed', () => {
    expect(headlineOf({ written: { original: 3, rpl: 0, add: 0 }, verification: null })).toBe(
      '3 examples; nothing was perturbed',
    );
  });

  it('names the file of the examples, or else the format', () => {
    expect(ledeOf({ examplesName: 'school.json' })).toContain('3 examples of school.json stay as they were');
    expect(ledeOf({})).toContain('3 examples of spider stay as they were');
    expect(pageOf({ examplesName: 'school.json' })).toContain('perturbql augment · examples <bdi>school.json</bdi>');
  });
});

describe('what was verified', () => {
  it('shows verdicts, the share of results with rows, and the variants that differ', () => {
    const RPL = { ...emptyTally(), equal: 7, different: 1 };
    const html = pageOf({ verification: { ...VERIFIED, RPL, items: [DIFFERENT] } });
    expect(html).toContain('87.5%');
    expect(html).toContain('&lt;2&gt; rows only on the original');
    expect(html).toMatch(/equal<\/th>\s*<td[^>]*>7<\/td>\s*<td[^>]*>3<\/td>/);
  });
});

describe('summarizeAugment', () => {
  const report = summarizeAugment(augmentSummary());

  it('groups what was skipped by reason', () => {
    expect(report.skipped).toEqual([
      { reason: 'no candidate', count: 2, ids: ['dev:3', 'dev:9'] },
      { reason: 'query can’t be parsed', count: 1, ids: ['dev:2'] },
    ]);
  });

  it('shows the changed tables as they are afterwards', () => {
    expect(report.samples.RPL[0]?.tables).toEqual([
      {
        table: 'student',
        columns: [
          { name: 'city of origin', change: 'renamed', was: 'home town' },
          { name: 'age', change: 'none', was: null },
          { name: 'name', change: 'none', was: null },
        ],
      },
    ]);
    expect(report.samples.ADD[0]?.tables[0]?.columns.slice(0, 3)).toEqual([
      { name: 'home town', change: 'none', was: null },
      { name: 'mailing city', change: 'added', was: null },
      { name: 'age', change: 'none', was: null },
    ]);
  });

  it('tells columns of one natural name by their original names', () => {
    const columns = ['Home_Town', 'HomeTown'].map((originalName) => ({
      name: 'home town',
      originalName,
      type: 'text' as const,
    }));
    const tables = [{ name: 'student', originalName: 'Student', columns }];
    const [database] = augmentSummary().databases;
    if (database === undefined) throw new Error('the hand-made run has no database');
    const changed = { table: 'student', tableOriginal: 'Student', column: 'home town', columnOriginal: 'HomeTown' };
    const samples = [{ ...RENAMED, changes: [{ ...changed, to: 'city of origin' }] }];
    const [sample] = summarizeAugment(augmentSummary({ databases: [{ ...database, tables }], samples })).samples.RPL;
    expect(sample?.changes).toEqual([
      { table: 'student', column: 'home town', columnOriginal: 'HomeTown', to: 'city of origin' },
    ]);
    expect(sample?.tables).toEqual([
      {
        table: 'student',
        columns: [
          { name: 'home town', change: 'none', was: null },
          { name: 'city of origin', change: 'renamed', was: 'home town' },
        ],
      },
    ]);
  });

  it('keeps 250 samples of each kind, the same ones whatever the order', () => {
    const samples = Array.from({ length: 600 }, (_, i) => ({
      ...RENAMED,
      id: `dev:${i}`,
      dbId: i % 2 ? 'school' : 'shop',
    }));
    const picked = summarizeAugment(augmentSummary({ samples })).samples.RPL;
    expect(picked).toHaveLength(250);
    expect(picked.filter(({ dbId }) => dbId === 'shop')).toHaveLength(125);
    expect(summarizeAugment(augmentSummary({ samples: samples.reverse() })).samples.RPL).toEqual(picked);
  });
});

describe('the order of samples', () => {
  const unchanged = (id: string): AugmentSample => ({ ...RENAMED, id, queryAfter: RENAMED.queryBefore });

  it('begins with queries that changed, and keeps those where not all fit', () => {
    const samples = Array.from({ length: 400 }, (_, i) =>
      i % 4 === 0 ? { ...RENAMED, id: `dev:${i}` } : unchanged(`dev:${i}`),
    );
    const picked = summarizeAugment(augmentSummary({ samples })).samples.RPL;
    const isChanged = picked.map(({ queryBefore, queryAfter }) => queryBefore !== queryAfter);
    expect(isChanged.lastIndexOf(true)).toBe(99);
    expect(isChanged.indexOf(false)).toBe(100);
  });

  it('is the same on the page, over both kinds', () => {
    const samples = [unchanged('dev:0'), ADDED, RENAMED];
    const { cases } = augmentCases(summarizeAugment(augmentSummary({ samples })));
    expect(cases.map(({ status }) => status)).toEqual(['changed', 'kept', 'kept']);
  });

  it('opens the variant that is soon read and whose query has two new names', () => {
    const two = {
      ...RENAMED,
      id: 'dev:7',
      queryBefore: `${RENAMED.queryBefore} ORDER BY age`,
      queryAfter: `${RENAMED.queryAfter} ORDER BY years`,
    };
    const longer = { ...two, id: 'dev:5', question: two.question.repeat(3) };
    const samples = [RENAMED, longer, two, unchanged('dev:0')];
    expect(augmentCases(summarizeAugment(augmentSummary({ samples }))).open).toBe('dev:7');
  });
});

describe.skipIf(!HAS_CHROMIUM)('the list of variants, in a browser (skipped where there is no Chromium)', () => {
  it('is searched by text, and filtered by condition', { timeout: 60_000 }, async () => {
    const other = {
      ...RENAMED,
      id: 'dev:2',
      question: 'How old are they?',
      changes: [{ table: 'student', column: 'age', to: 'years' }],
    };
    const browser = await ChromiumPage.start();
    try {
      await browser.open(pageOf({ samples: [RENAMED, { ...ADDED, id: 'dev:1 ADD' }, other] }));
      const choose = (filter: string, value: string): Promise<unknown> =>
        browser.evaluate(`new Promise((done) => {
          const field = document.querySelector('[data-filter=${filter}]');
          field.value = ${JSON.stringify(value)};
          field.dispatchEvent(new Event('input'));
          setTimeout(() => done(document.getElementById('case-count').value), 300);
        })`);
      expect(await choose('search', 'how old')).toBe('1 of 3 variants');
      expect(await choose('search', '')).toBe('3 variants');
      expect(await choose('condition', 'ADD')).toBe('1 of 3 variants');
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

describe('a page of augment', () => {
  const caseOf = (sample: AugmentSample): ReportCase => {
    const [one] = augmentCases(summarizeAugment(augmentSummary({ samples: [sample] }))).cases;
    if (one === undefined) throw new Error('there is no case');
    return one;
  };

  it('marks names that the gold SQL has otherwise, and no string that reads the same', () => {
    const page = pageOf({ samples: [RENAMED] });
    expect(page).toMatch(/SELECT <mark class="renamed" title="renamed to City_Of_Origin">Home_Town<\/mark>\s+FROM/);
    expect(page).toMatch(/SELECT <mark class="renamed" title="was Home_Town">City_Of_Origin<\/mark>\s+FROM/);
    expect(page).toContain('name = &#39;Home_Town&#39;</pre>');
  });

  it('underlines the rest where more than names differ', () => {
    const quoted = { ...ADDED, queryBefore: 'SELECT age FROM student WHERE name = "A"' };
    const page = pageOf({ samples: [{ ...quoted, queryAfter: "SELECT age FROM student WHERE name = 'A'" }] });
    expect(page).toContain('name = <u>&quot;A&quot;</u>');
    expect(page).toContain('name = <u>&#39;A&#39;</u>');
  });

  it('is read again with the counts of variants whose gold stays as it was', () => {
    const folder = mkdtempSync(join(tmpdir(), 'augment-outcome-'));
    const written = { original: 3, rpl: 2, rplUnchanged: 1, add: 3, mixed: 3, mixedUnchanged: 1 };
    writeFileSync(join(folder, 'report.json'), JSON.stringify(summarizeAugment(augmentSummary({ written }))));
    expect(loadAugmentOutcome(folder).written).toEqual(written);
  });

  it('says why gold SQL stays as it was', () => {
    const [, after] = caseOf(ADDED).sides;
    expect(after?.queries[0]?.note).toBe('As before: an added column is never the answer.');
  });

  it('marks the changed columns among the others', () => {
    const [before, after] = caseOf(RENAMED).sides;
    expect(before.tables[0]?.columns[0]).toEqual({ name: 'home town', change: 'renamed' });
    expect(after?.tables[0]?.columns.slice(0, 2)).toEqual([
      { name: 'city of origin', change: 'renamed' },
      { name: 'age', change: null },
    ]);
    const [, added] = caseOf(ADDED).sides;
    expect(added?.tables[0]?.columns[1]).toEqual({ name: 'mailing city', change: 'added' });
  });

  it('tells renamed columns of a mixed variant from added ones', () => {
    const changes = [...RENAMED.changes, ...ADDED.changes].map((change, i) => ({
      ...change,
      change: i === 0 ? ('RPL' as const) : ('ADD' as const),
    }));
    const one = caseOf({ ...RENAMED, kind: 'mixed', changes });
    expect(one.gloss).toBe('mixed: home town → city of origin; home town + mailing city');
    expect(one.sides[1]?.tables[0]?.columns.map(({ change }) => change)).toEqual(['renamed', 'added', null, null]);
  });

  it('says how many variants it shows where there are more', () => {
    const written = { original: 3, rpl: 700, add: 0 };
    expect(pageOf({ written }).replaceAll(/\s/g, ' ')).toContain('Shown are 2 of 700 variants');
  });

  it('loads nothing, escapes what it shows, and is deterministic', () => {
    const page = pageOf();
    expect(page).not.toMatch(/https?:\/\/|\bsrc=/);
    expect(page).toContain('Where do students &lt;come&gt; from?');
    expect(pageOf({ samples: [RENAMED, ADDED] })).toBe(page);
  });

  it('stands a run that wrote nothing', () => {
    const written = { original: 0, rpl: 0, add: 0 };
    expect(pageOf({ written, skipped: [], unchangedColumns: [], samples: [] })).toContain('nothing was perturbed');
  });
});
