import { describe, expect, it } from 'vitest';
import { renderAugmentPage } from '../../../src/perturb/report/augment-page.js';
import {
  type AugmentSample,
  type AugmentSummary,
  summarizeAugment,
} from '../../../src/perturb/report/augment-report.js';
import { DATABASES, SETTINGS } from './hand-made-run.js';

const RENAMED: AugmentSample = {
  id: 'dev:1',
  question: 'Where do students <come> from?',
  dbId: 'school',
  kind: 'RPL',
  changes: [{ table: 'student', column: 'home town', to: 'city of origin' }],
  queryBefore: "SELECT Home_Town FROM student WHERE name = 'Home_Town'",
  queryAfter: "SELECT City_Of_Origin FROM student WHERE name = 'Home_Town'",
};
const ADDED: AugmentSample = {
  ...RENAMED,
  kind: 'ADD',
  changes: [{ table: 'student', column: 'home town', to: 'mailing city' }],
  queryAfter: RENAMED.queryBefore,
};

function summary(changes: Partial<AugmentSummary> = {}): AugmentSummary {
  return {
    dataset: 'spider',
    databases: DATABASES,
    examples: 3,
    written: { original: 3, rpl: 2, add: 3 },
    skipped: [
      { id: 'dev:9', reason: 'no candidate' },
      { id: 'dev:2', reason: 'query can’t be parsed' },
      { id: 'dev:3', reason: 'no candidate' },
    ],
    redraws: 4,
    columnsWithoutCandidates: [{ dbId: 'shop', table: 'product', column: 'name' }],
    samples: [ADDED, RENAMED],
    settings: SETTINGS,
    warnings: [],
    literals: 1,
    verification: null,
    ...changes,
  };
}

describe('what was verified', () => {
  const page = (verification: AugmentSummary['verification']): string =>
    renderAugmentPage(summarizeAugment(summary({ verification })));

  it('says so where nothing was executed, and how many strings changed their quotes', () => {
    expect(page(null)).toContain('Not executed');
    expect(page(null)).toMatch(/1\sdouble-quoted string of the variants’ gold SQL is\s+written/);
  });

  it('shows verdicts, the share of results with rows, and the variants that differ', () => {
    const item = { index: 4, source: 'dev:1', db_id: 'school__rpl_1', kind: 'RPL', verdict: 'different' } as const;
    const html = page({
      comparison: 'exact values',
      RPL: { equal: 7, different: 1 },
      ADD: { equal: 8, different: 0 },
      leftOut: { RPL: 3, ADD: 0 },
      withoutDatabase: 2,
      nonEmpty: 0.875,
      items: [{ ...item, detail: '<2> rows only on the original' }],
    });
    for (const text of ['87.5 %', 'dev:1 RPL: different, &lt;2&gt; rows']) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/left out<\/th>\s*<td>3<\/td>\s*<td>0<\/td>/);
    expect(html).toMatch(/2\svariants had no database/);
    expect(html).toMatch(/equal<\/th>\s*<td>7<\/td>\s*<td>8<\/td>/);
  });
});

describe('summarizeAugment', () => {
  const report = summarizeAugment(summary());

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
      ...{ name: 'home town', originalName },
      type: 'text' as const,
    }));
    const tables = [{ name: 'student', originalName: 'Student', columns }];
    const changed = { table: 'student', tableOriginal: 'Student', column: 'home town', columnOriginal: 'HomeTown' };
    const samples = [{ ...RENAMED, changes: [{ ...changed, to: 'city of origin' }] }];
    const [sample] = summarizeAugment(summary({ databases: [{ ...DATABASES[0]!, tables }], samples })).samples.RPL;
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

  it('keeps 20 samples of each kind, the same ones whatever the order', () => {
    const samples = Array.from({ length: 100 }, (_, i) => ({
      ...RENAMED,
      id: `dev:${i}`,
      dbId: i % 2 ? 'school' : 'shop',
    }));
    const picked = summarizeAugment(summary({ samples })).samples.RPL;
    expect(picked).toHaveLength(20);
    expect(picked.filter(({ dbId }) => dbId === 'shop')).toHaveLength(10);
    expect(summarizeAugment(summary({ samples: samples.reverse() })).samples.RPL).toEqual(picked);
  });
});

describe('renderAugmentPage', () => {
  const page = renderAugmentPage(summarizeAugment(summary()));

  it('marks the edits in the gold SQL and nothing else', () => {
    expect(page).toContain('<pre>SELECT <mark>Home_Town</mark> FROM student WHERE name = &#39;Home_Town&#39;</pre>');
    expect(page).toContain(
      '<pre>SELECT <mark>City_Of_Origin</mark> FROM student WHERE name = &#39;Home_Town&#39;</pre>',
    );
    expect(page).toContain('Gold SQL, unchanged');
  });

  it('marks the changed columns among the others', () => {
    expect(page).toMatch(
      /<del><bdi>home town<\/bdi><\/del>\s*<ins\s*><mark><bdi>city of origin<\/bdi><\/mark><\/ins\s*>/,
    );
    expect(page).toMatch(/<mark>\+ <bdi>mailing city<\/bdi><\/mark>/);
    expect(page).toContain('<bdi>age</bdi>');
  });

  it('loads nothing, escapes what it shows, and is deterministic', () => {
    expect(page).not.toMatch(/https?:\/\/|\bsrc=/);
    expect(page).toContain('Where do students &lt;come&gt; from?');
    expect(renderAugmentPage(summarizeAugment(summary({ samples: [RENAMED, ADDED] })))).toBe(page);
  });

  it('stands a run that wrote nothing', () => {
    const empty = summary({
      written: { original: 0, rpl: 0, add: 0 },
      skipped: [],
      columnsWithoutCandidates: [],
      samples: [],
    });
    expect(renderAugmentPage(summarizeAugment(empty))).toContain('None in this run.');
  });
});
