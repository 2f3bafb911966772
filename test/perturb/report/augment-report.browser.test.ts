import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderAugmentPage } from '../../../src/perturb/report/augment-page.js';
import {
  type AugmentSummary,
  loadAugmentOutcome,
  summarizeAugment,
} from '../../../src/perturb/report/augment-report.js';
import type { AugmentSample } from '../../../src/perturb/report/augment-samples.js';
import { emptyTally } from '../../../src/perturb/verify/verdict.js';
import { COMPARISON } from '../../../src/perturb/verify/verification-schema.js';
import { ChromiumPage } from '../../report/chromium.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { ADDED, augmentSummary, RENAMED } from './hand-made-run.js';

describe('what was verified', () => {
  const page = (verification: AugmentSummary['verification']): string =>
    renderAugmentPage(summarizeAugment(augmentSummary({ verification })));

  it('says so where nothing was executed, and how many strings changed their quotes', () => {
    expect(page(null)).toContain('Not executed');
    expect(page(null)).toMatch(/1\sdouble-quoted string of the variants’ gold SQL is\s+written/);
  });

  it('shows verdicts, the share of results with rows, and the variants that differ', () => {
    const item = { index: 4, source: 'dev:1', db_id: 'school__rpl_1', kind: 'RPL', verdict: 'different' } as const;
    const html = page({
      comparison: COMPARISON,
      RPL: { ...emptyTally(), equal: 7, different: 1 },
      ADD: { ...emptyTally(), equal: 8 },
      leftOut: { RPL: 3, ADD: 0 },
      withoutDatabase: 2,
      nonEmpty: 0.875,
      items: [{ ...item, detail: '<2> rows only on the original' }],
    });
    for (const text of ['87.5%', 'dev:1 RPL: different, &lt;2&gt; rows']) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/left out<\/th>\s*<td>3<\/td>\s*<td>0<\/td>/);
    expect(html).toMatch(/2\svariants had no database/);
    expect(html).toMatch(/equal<\/th>\s*<td>7<\/td>\s*<td>8<\/td>/);
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
      ...{ name: 'home town', originalName },
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
    const page = renderAugmentPage(summarizeAugment(augmentSummary({ samples: [unchanged('dev:0'), ADDED, RENAMED] })));
    expect([...page.matchAll(/data-query="(\w+)"/g)].map(([, query]) => query)).toEqual([
      'changed',
      'unchanged',
      'unchanged',
    ]);
  });
});

describe.skipIf(!HAS_CHROMIUM)('the list of variants, in a browser (skipped where there is no Chromium)', () => {
  it('is searched by text, and filtered by bucket and column', { timeout: 60_000 }, async () => {
    const other = {
      ...RENAMED,
      id: 'dev:2',
      question: 'How old are they?',
      changes: [{ table: 'student', column: 'age', to: 'years' }],
    };
    const browser = await ChromiumPage.start();
    try {
      await browser.open(renderAugmentPage(summarizeAugment(augmentSummary({ samples: [RENAMED, ADDED, other] }))));
      const choose = (filter: string, value: string): Promise<unknown> =>
        browser.evaluate(`new Promise((done) => {
          const field = document.querySelector('[data-filter=${filter}]');
          field.value = ${JSON.stringify(value)};
          field.dispatchEvent(new Event('input'));
          setTimeout(() => done(document.getElementById('sample-count').value), 300);
        })`);
      expect(await choose('search', 'how old')).toBe('1 of 3 variants');
      expect(await choose('search', '')).toBe('3 variants');
      expect(await choose('bucket', 'ADD')).toBe('1 of 3 variants');
      expect(await choose('bucket', '')).toBe('3 variants');
      expect(await choose('column', 'student . age')).toBe('1 of 3 variants');
      expect(await choose('query', 'unchanged')).toBe('0 of 3 variants');
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

describe('renderAugmentPage', () => {
  it('counts RPL variants whose gold stays as it was apart', () => {
    const written = { original: 3, rpl: 2, rplUnchanged: 1, add: 3 };
    const text = renderAugmentPage(summarizeAugment(augmentSummary({ written }))).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '1 ask the same of renamed columns (RPL), 1 of renamed columns that their gold SQL does not name, 3 of tables',
    );
    expect(text).toContain('RPL, gold unchanged');
  });

  it('counts mixed variants whose gold stays as it was apart', () => {
    const written = { original: 3, rpl: 0, add: 0, mixed: 3, mixedUnchanged: 1 };
    const text = renderAugmentPage(summarizeAugment(augmentSummary({ written }))).replaceAll(/\s+/g, ' ');
    expect(text).toContain('2 of tables with both, 1 of tables with both that their gold SQL does not show');
    expect(text).toContain('Mixed, gold unchanged');
  });

  it('is read again with the counts of variants whose gold stays as it was', () => {
    const folder = mkdtempSync(join(tmpdir(), 'augment-outcome-'));
    const written = { original: 3, rpl: 2, rplUnchanged: 1, add: 3, mixed: 3, mixedUnchanged: 1 };
    writeFileSync(join(folder, 'report.json'), JSON.stringify(summarizeAugment(augmentSummary({ written }))));
    expect(loadAugmentOutcome(folder).written).toEqual(written);
  });

  const page = renderAugmentPage(summarizeAugment(augmentSummary()));

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
    expect(renderAugmentPage(summarizeAugment(augmentSummary({ samples: [RENAMED, ADDED] })))).toBe(page);
  });

  it('stands a run that wrote nothing', () => {
    const empty = augmentSummary({
      written: { original: 0, rpl: 0, add: 0 },
      skipped: [],
      unchangedColumns: [],
      samples: [],
    });
    expect(renderAugmentPage(summarizeAugment(empty))).toContain('None in this run.');
  });
});
