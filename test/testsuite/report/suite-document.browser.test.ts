import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainText } from '../../../src/report/document/document.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { suiteDocument, suiteHeadline } from '../../../src/testsuite/report/suite-document.js';
import type { ReportedSchema, SuiteReport } from '../../../src/testsuite/report/suite-report.js';
import { ChromiumPage } from '../../report/chromium.js';
import { layoutFaults } from '../../report/layout-faults.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';

const EVIL = '</script><script>alert("x")</script><!--\'&\u0000';

function schemaNamed(dbId: string, more: Partial<ReportedSchema> = {}): ReportedSchema {
  return {
    dbId,
    golds: 10,
    neighbors: 1000,
    equivalent: 100,
    left: 2,
    shareLeft: 2 / 900,
    databases: 12,
    databasesPerGold: 11.5,
    bytes: 4_000_000,
    packedBytes: 400_000,
    indeterminate: 1,
    partial: 0,
    empty: 0,
    reliable: 9,
    unread: 1,
    carriedFrom: null,
    equivalentUnderData: 20,
    constraints: [],
    curve: [
      { tried: 0, share: 0.05 },
      { tried: 10, share: 0.01 },
      { tried: 305, share: 2 / 900 },
    ],
    indeterminateGolds: ['SELECT a FROM t LIMIT 1'],
    partialGolds: [],
    emptyGolds: [],
    unreadGolds: [{ sql: 'SELECT', reason: 'incomplete input' }],
    ...more,
  };
}

function reportOf(schemas: readonly ReportedSchema[], more: Partial<SuiteReport> = {}): SuiteReport {
  const totals = schemas[0]!;
  return {
    perturbql: '1.2.3',
    seed: 4,
    settings: {
      suiteFormat: 1,
      dataset: 'spider',
      budget: { randomDatabases: 300, aimedDatabases: 8 },
      sqlite: '3.53.0',
    },
    totals,
    curve: totals.curve,
    schemas,
    equivalentUnderData: [],
    left: [
      {
        dbId: schemas[0]!.dbId,
        gold: 'SELECT count(*) FROM t',
        neighbor: 'SELECT count(a) FROM t',
        kind: 'aggregator',
        detail: 'count(*) → count(a)',
        reason: 'always the same result (300 databases tried)',
      },
    ],
    ...more,
  };
}

const textOf = (markup: string): string =>
  markup
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');

const renderSuitePage = (report: SuiteReport): string => renderDocument(suiteDocument(report));

const page = renderSuitePage(reportOf([schemaNamed('singers'), schemaNamed('worlds', { carriedFrom: 'singers' })]));

describe('suiteDocument', () => {
  it('names the file of the examples', () => {
    const { title, subject } = suiteDocument(reportOf([schemaNamed('singers')]), { examplesName: 'dev.json' });
    expect([title, plainText(subject)]).toEqual(['dev.json: test suite', 'examples dev.json']);
  });

  it.each(['What to look at', 'Schemas', 'What the data keeps to', 'Details'])(
    'has the section "%s", linked from the top',
    (heading) => {
      const id = new RegExp(`<h2 id="([a-z]+)-heading">${heading}</h2>`).exec(page)?.[1];
      expect(page).toContain(`href="#${id}"`);
    },
  );

  it('says in words how often a wrong query passes, for one who builds a suite, and compares with no paper', () => {
    const text = textOf(page);
    expect(suiteHeadline(schemaNamed('a'))).toMatch(/^A wrong query one change away passes in 1 of \d+ cases$/);
    expect(suiteHeadline(schemaNamed('a', { left: 0, shareLeft: 0 }))).toBe('No wrong query one change away passes');
    expect(text).toMatch(/On the original databases alone 5\.0% .*On the suite 0\.2\d%/);
    expect(text).not.toMatch(/paper|3\.27 GB|Spider’s/);
    expect(text).toMatch(/worlds transferred from singers 10 880 \d+ 0\.2\d% 12 400 kB/);
    expect(text).toMatch(/Random databases, at most 300/);
    expect(text).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
  });

  it('opens a wrong query that passes everywhere, next to its gold query', () => {
    const text = textOf(page);
    expect(text).toMatch(/count\(\*\) → count\(a\) Passes everywhere aggregator · singers always the same result/);
    const [cases] = suiteDocument(reportOf([schemaNamed('singers')])).chapters[0]!.sections;
    expect(cases?.kind === 'cases' && cases.cases.map(({ status }) => status)).toEqual([
      'left',
      'indeterminate',
      'unread',
    ]);
  });

  it('stands without neighbors, schemas and settings', () => {
    const bare = schemaNamed('bare', {
      golds: 0,
      neighbors: 0,
      equivalent: 0,
      left: 0,
      shareLeft: null,
      curve: [],
      databasesPerGold: 0,
      indeterminateGolds: [],
      unreadGolds: [],
    });
    const text = textOf(renderSuitePage(reportOf([bare], { left: [], settings: { dataset: 'spider' } })));
    expect(text).toContain('There are no wrong queries to distinguish');
    expect(text).toContain('Nothing: every gold query finds rows');
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
  });
});

describe.skipIf(!HAS_CHROMIUM)('suiteDocument, in a browser', () => {
  let browser: ChromiumPage;
  beforeAll(async () => {
    browser = await ChromiumPage.start();
  });
  afterAll(() => browser.close());

  it.each([
    [1280, false],
    [390, true],
  ])('fits a width of %i pixels, and runs nothing that a data set brings', async (width, dark) => {
    const schemas = [schemaNamed(`a_very_long_name_of_a_schema_${EVIL}`), schemaNamed('b')];
    const report = reportOf(schemas);
    const left = report.left.map((one) => ({ ...one, gold: one.gold + EVIL, detail: EVIL, reason: EVIL, kind: EVIL }));
    await browser.open(renderSuitePage({ ...report, left }), { width, dark });
    expect(await browser.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await browser.evaluate<number>('document.scripts.length')).toBe(2);
    expect(browser.complaints).toEqual([]);
  });

  it('cuts nothing off, and prints no label over another', { timeout: 60_000 }, async () => {
    const page = renderSuitePage(reportOf([schemaNamed('a'), schemaNamed('b')]));
    expect(await layoutFaults(browser, page)).toEqual([]);
  });
});
