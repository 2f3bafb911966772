import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_CLASS_NAMES } from '../../../../src/evaluate/audit/audit-classes.js';
import { type AuditReport, countClasses } from '../../../../src/evaluate/audit/audit-report.js';
import type { AuditFinding } from '../../../../src/evaluate/audit/finding.js';
import { auditCases, auditDocument, auditHeadline } from '../../../../src/evaluate/audit/report/audit-document.js';
import { plainText } from '../../../../src/report/document/document.js';
import { renderDocument } from '../../../../src/report/document/render-document.js';
import { HAS_CHROMIUM } from '../../../chromium-path.js';
import { makeTempFolder } from '../../../e2e/run-cli.js';
import { ChromiumPage } from '../../../report/chromium.js';
import { layoutFaults } from '../../../report/layout-faults.js';
import { auditShop } from '../shop-data-set.js';

const EVIL = '</script><script>alert("x")</script>\'&\u0000';

const temp = makeTempFolder();
afterAll(() => temp.remove());

const GOLDS = [
  'SELECT id FROM refund',
  "SELECT name FROM item WHERE kind = 'wood' AND price = '45' ORDER BY kind LIMIT 1",
  'SELECT name, count(*) FROM item GROUP BY kind',
  'SELECT name FROM item WHERE price > 50',
  'SELECT nosuch(name) FROM item',
  'SELECT id FROM item WHERE kind = "wood"',
  'SELECT name FROM item',
];

let report: AuditReport;
beforeAll(async () => {
  report = await auditShop(
    temp.path,
    GOLDS.map((sql) => ({ sql })),
  );
}, 60_000);

describe('findings that are but possible', () => {
  it('are listed behind the others, to be filtered, and are not open first', () => {
    const possible = [findingOf('limit-tie', { isShown: false })];
    const { cases, facets, open } = auditCases([findingOf('limit-tie', { sentence: 'x'.repeat(9_000) })], possible);
    expect(cases.map(({ id, facets: own }) => [id, own['certainty']])).toEqual([
      ['dev:1/limit-tie', 'found'],
      ['dev:1/limit-tie/possible', 'possible'],
    ]);
    expect(facets).toContainEqual({ id: 'certainty', label: 'Certainty' });
    expect(open).toBe('dev:1/limit-tie');
    const document = auditDocument({ ...reportOf([]), possible }, '1');
    expect(JSON.stringify(document.chapters[0]?.sections)).toContain('dev:1/limit-tie/possible');
    expect(document.headline).toBe('No gold query is in doubt');
  });
});

const page = (of: AuditReport): string => renderDocument(auditDocument(of, '1.2.3'));

function reportOf(findings: readonly AuditFinding[]): AuditReport {
  return { ...report, findings, possible: [], classes: countClasses(findings), doubtful: findings.length };
}

function findingOf(name: AuditFinding['class'], more: Partial<AuditFinding> = {}): AuditFinding {
  return {
    id: `dev:1/${name}`,
    example: 'dev:1',
    dbId: 'shop',
    question: 'What?',
    sql: 'SELECT a FROM t',
    class: name,
    isShown: true,
    sentence: 'It is so.',
    evidence: [],
    repair: null,
    ...more,
  };
}

describe('auditDocument', () => {
  it('says how many examples are in doubt, and how badly', () => {
    expect(auditHeadline(report)).toBe('5 of 7\u00a0examples have a gold query in doubt, 71.4%');
    expect(auditHeadline({ ...report, doubtful: 0 })).toBe('No gold query is in doubt');
    expect(auditDocument(report, '1').lede).toMatch(/^2 with an error: .* 3 with a warning: /);
  });

  it('names the file of the examples, not their format, and draws what it found', () => {
    const document = auditDocument({ ...report, examplesName: 'dev.json' }, '1');
    expect([document.title, plainText(document.subject)]).toEqual([
      'dev.json: audit of gold queries',
      'examples dev.json',
    ]);
    expect(document.plot?.groups[0]?.lanes).toHaveLength(3);
    const clean = auditDocument({ ...reportOf([]), doubtful: 0 }, '1');
    expect(clean.plot?.groups[0]?.lanes.map(({ figure }) => figure)).toEqual(['7 of 7']);
  });

  it('opens an error that two results show, with the place in the gold query and both results', () => {
    const { cases, open } = auditCases(report.findings);
    const one = cases.find(({ id }) => id === open)!;
    expect(one.status).toBe('affinity');
    const [gold, repaired] = one.sides;
    expect(gold.marks.map(({ name }) => name)).toEqual(['price']);
    expect(gold.queries[0]).toMatchObject({ sql: GOLDS[3], against: repaired?.queries[0]?.sql });
    expect(repaired?.queries[0]?.verdicts).toEqual([{ label: 'Repaired: another result', tone: 'good' }]);
    expect([gold, repaired].map((side) => side?.results[0]?.rows)).toEqual([[['Lamp']], [['Desk ']]]);
  });

  it('marks LIMIT where rows tie at it, and columns that are not grouped', () => {
    const { cases } = auditCases(report.findings);
    const marked = (status: string): string[] =>
      cases.find((one) => one.status === status)!.sides[0].marks.map(({ name }) => name);
    expect(marked('limit-tie')).toEqual(['LIMIT']);
    expect(marked('bare-column')).toEqual(['name']);
  });

  it('lists errors before warnings and notes, and filters by class, level and database', () => {
    const { statuses, facets, statusLabel } = auditCases(report.findings);
    const tones = statuses.map(({ tone }) => tone);
    expect(tones).toEqual(
      [...tones].sort((a, b) => ['bad', 'add', 'soft'].indexOf(a) - ['bad', 'add', 'soft'].indexOf(b)),
    );
    expect(statuses.map(({ id }) => id).sort()).toEqual([...AUDIT_CLASS_NAMES].sort());
    expect([statusLabel, ...facets.map(({ label }) => label)]).toEqual(['Class', 'Level', 'Database']);
  });

  it('shows a finding without a query, and one whose run failed', () => {
    const failure = 'no such table: t';
    const run = { label: 'on its database', sql: 'SELECT a FROM t', columns: [], rows: [], count: 0, failure };
    const ofFile = findingOf('predictions', { example: null, dbId: null, question: null, sql: null });
    const { cases } = auditCases([findingOf('does-not-run', { evidence: [run] }), ofFile]);
    expect(cases[0]?.sides[0]).toMatchObject({ results: [], queries: [{ note: 'No such table: t' }] });
    expect(cases[1]).toMatchObject({ question: 'It is so.', gloss: 'files', sides: [{ queries: [] }] });
  });

  it('stands without findings', () => {
    expect(page(reportOf([]))).toContain('None: no gold query shows a fault on the rows at hand.');
  });
});

describe.skipIf(!HAS_CHROMIUM)('auditDocument, in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => (browser = await ChromiumPage.start()), 60_000);
  afterAll(() => browser.close());

  it('cuts nothing off, and prints no label over another', { timeout: 60_000 }, async () => {
    expect(await layoutFaults(browser, page(report))).toEqual([]);
  });

  it('walks its findings by the keys j and k', async () => {
    await browser.open(page(report), {});
    const open = (): Promise<string> =>
      browser.evaluate(`document.querySelector('#case-list [aria-current]').closest('li').ariaPosInSet`);
    const place = Number(await open());
    await browser.press('j');
    expect(Number(await open())).toBe(place + 1);
    await browser.press('k');
    await browser.press('k');
    expect(Number(await open())).toBe(place - 1);
    expect(await browser.evaluate('location.hash')).toMatch(/^#case=/);
  });

  it('runs nothing that a data set brings', async () => {
    const evil = { question: EVIL, sql: `SELECT '${EVIL}'`, sentence: `It is '${EVIL}'.`, dbId: EVIL };
    await browser.open(page(reportOf([findingOf('empty', evil), findingOf('clock', { ...evil, id: EVIL })])), {});
    expect(await browser.evaluate<number>('document.scripts.length')).toBe(2);
    expect(browser.complaints).toEqual([]);
  });

  it('opens with 10,000 findings', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => {
      const evidence = [1, 2].map((n) => ({
        label: `run ${n}`,
        sql: `SELECT a FROM t WHERE b > ${i + n}`,
        columns: ['a'],
        rows: [[i], [i + n]],
        count: 2,
        failure: null,
      }));
      return findingOf('limit-tie', { id: `dev:${i}/limit-tie`, question: `What is asked, ${i}?`, evidence });
    });
    await browser.open(page(reportOf(many)), {});
    expect(await browser.evaluate('document.querySelector("#case-count").textContent.trim()')).toBe('10,000 findings');
    expect(browser.complaints).toEqual([]);
  });
});
