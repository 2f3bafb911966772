import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsistencyReport } from '../../../src/measure/consistency/consistency-report.js';
import { consistencyDocument, consistencyLines } from '../../../src/measure/consistency/report/consistency-document.js';
import { KEEPING_IDS } from '../../../src/variants/relations/relations.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { ChromiumPage } from '../../report/chromium.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { syntheticConsistency } from './synthetic-consistency.js';

/** One relation does more harm than the others, two do none. */
function someHarm(): ConsistencyReport {
  const made = syntheticConsistency({ rate: 0.034 });
  const [worst, calm] = [syntheticConsistency({ rate: 0.2 }), syntheticConsistency({ rate: 0 })];
  const relations = Object.fromEntries(
    Object.entries(made.relations).map(([relation, figures]) => {
      const from = relation === 'SS' ? worst : ['TS', 'CS'].includes(relation) ? calm : null;
      return [relation, from?.relations[relation] ?? figures];
    }),
  );
  return { ...made, relations };
}

const report = someHarm();
const renderConsistency = (one: ConsistencyReport): string => renderDocument(consistencyDocument(one));
const page = renderConsistency(report);
const textOf = (markup: string): string =>
  markup
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');

const EVIL = '</script><script>alert("x")</script><!--\'&\u0000';

/** The report with a hostile text wherever a model or a data set can bring one. */
function hostileReport(): ConsistencyReport {
  const texts = new Set(['id', 'description', 'question', 'gold', 'predicted', 'origin', 'dbId', 'fingerprint']);
  const spoil = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value))
      return value.map((one) => spoil(one, ['details', 'before', 'after'].includes(key) ? 'gold' : ''));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoil(one, name)]));
    }
    return typeof value === 'string' && texts.has(key) ? `${value}${EVIL}` : value;
  };
  const { capabilities } = report;
  return { ...(spoil({ ...report, warnings: [EVIL] }) as ConsistencyReport), capabilities };
}

describe('consistencyDocument', () => {
  it.each([
    'Cases',
    'Relations by harm',
    'Kinds of failures',
    'By what the gold query has',
    'By capability',
    'Accuracy on the originals and on the mutants',
    'Settings',
  ])('has the chapter "%s", linked from the top', (heading) => {
    const id = new RegExp(`<h2 id="([a-z]+)-heading">${heading}</h2>`).exec(page)?.[1];
    expect(page).toContain(`href="#${id}"`);
  });

  it('opens with the relation that does most harm and with how many do none, and ranks them', () => {
    const { headline, plot } = consistencyDocument(report);
    const relations = Object.keys(report.relations).length;
    expect(headline.replaceAll('\u00a0', ' ')).toBe(
      `Saying “number of” or “largest” in other words changes 200 of 1,000 answers; 2 of ${relations} relations change none`,
    );
    const lanes = plot?.groups[0]?.lanes ?? [];
    expect(lanes[0]).toMatchObject({ label: 'SS, Synonym Substitution', figure: '20.0%, 200 of 1,000' });
    expect(lanes[0]?.ends?.[0]).toBeCloseTo(0.16, 12);
    expect(lanes).toHaveLength(5);
    const text = textOf(page);
    expect(text).toMatch(/SS Synonym Substitution 200 of 1,000 20\.0% 16\.0% to 24\.0% 20\.0% 20\.0% 21\.1%/);
    expect(text).toContain(
      'No answer changes under TS (reordering tables, 1,000 mutants) and CS (reordering columns, 1,000 mutants).',
    );
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it('says the same in a terminal', () => {
    const lines = consistencyLines(report);
    expect(lines[0]).toMatch(/^Saying .* change none$/);
    expect(lines.find((line) => line.startsWith('SS'))).toMatch(
      /^SS \(Synonym Substitution\) +200 \(of 1,000\) +20\.0% /,
    );
    expect(lines.findIndex((line) => line.startsWith('SS'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('PI')),
    );
    expect(lines).toContain('warning: one thing to know');
  });

  it('sums what changed over relations by what the gold query has, and names the worst relation', () => {
    const own = report.features.filter(({ key }) => key === 'one WHERE condition');
    const changed = own.reduce((sum, { inconsistent }) => sum + inconsistent, 0);
    const judged = own.reduce((sum, one) => sum + one.judged, 0);
    const worst = Math.max(...own.map(({ inconsistent }) => inconsistent));
    const counts = (count: number): string => count.toLocaleString('en');
    expect(textOf(page)).toMatch(
      new RegExp(`one WHERE condition ${counts(changed)} of ${counts(judged)} [\\d.]+% \\w+ ${worst} of 90`),
    );
  });

  it('shows what differs in question, schema and answers, and has a case for each failure that the run holds', () => {
    expect(page).toMatch(/<p>What is the age\?<\/p>[^]*?<p><u>Tell<\/u> <u>me<\/u> what is the age\?<\/p>/);
    expect(page).toContain('<mark class="removed">− <bdi>song_name</bdi></mark>');
    expect(page).toContain('SELECT <u>song_release_year</u>');
    expect(page).toContain('<span class="verdict bad">✗ Exact match: wrong</span>');
    const { chapters } = consistencyDocument(report);
    const [cases] = chapters[0]?.sections ?? [];
    expect(cases?.kind === 'cases' && cases.cases.length).toBe(2 * KEEPING_IDS.length);
    expect(cases?.kind === 'cases' && cases.cases[0]?.facets).toEqual({
      condition: 'Answer must stay',
      relation: 'PI, Prefix Insertion',
      reason: 'table joining',
      database: 'concert',
    });
  });

  it('shows the rows that differ where the run has them', () => {
    const rows = (value: number) => ({ columns: ['age'], rows: [[value]], count: 1, differing: [0] });
    const [cluster] = report.clusters;
    const { example } = cluster!;
    const after = { ...example.after, execution: 'wrong' as const, rows: { gold: rows(31), predicted: rows(2013) } };
    const text = textOf(renderConsistency({ ...report, clusters: [{ ...cluster!, example: { ...example, after } }] }));
    expect(text).toMatch(/Rows of the gold query, on the mutant age 31 Rows of the answer, on the mutant age 2013/);
  });

  it('loads nothing, and keeps hostile texts as text', () => {
    const hostile = renderConsistency(hostileReport());
    expect(hostile.match(/<script/g)).toHaveLength(2);
    expect(hostile).not.toContain('<!--');
    expect(hostile).not.toContain('\u0000');
    const markup = page.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '');
    expect(markup).not.toMatch(/\b(src|srcset)=|@import|url\(|\sstyle=|\son[a-z]+="/);
  });

  it('stands a run in which nothing failed or nothing was judged', () => {
    const calm = { ...syntheticConsistency({ rate: 0 }), clusters: [], warnings: [] };
    expect(consistencyDocument(calm).headline.replaceAll('\u00a0', ' ')).toMatch(
      /^None of \d+ relations changes any of 1,000 answers$/,
    );
    expect(consistencyDocument(calm).plot).toBeNull();
    const nothing = { judged: 0, inconsistent: 0, rate: null };
    const figures = { ...report.all, ...nothing, interval: null, by: { exact: nothing, execution: nothing } };
    const untold = { ...report, all: figures, relations: { PI: figures }, features: [], hardness: [] };
    expect(textOf(renderConsistency(untold))).not.toMatch(/NaN|undefined|null|Infinity/);
  });
});

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.skipIf(!HAS_CHROMIUM || !existsSync(axe))('the page in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => (browser = await ChromiumPage.start()), 60_000);
  afterAll(() => browser.close());

  it('filters cases by relation, and leads from a relation to its cases', async () => {
    await browser.open(page, { width: 1280 });
    await browser.evaluate(`document.querySelector('a[href^="#find="]').click()`);
    expect(await browser.evaluate<string>(`document.querySelector('#case-count').value`)).toBe(
      `2 of ${2 * KEEPING_IDS.length} cases`,
    );
  }, 60_000);

  it.each([
    { width: 390, dark: false },
    { width: 390, dark: true },
    { width: 1280, dark: false },
    { width: 1280, dark: true },
  ])(
    'has no serious fault and does not scroll sideways: %o',
    async (view) => {
      await browser.open(page, view);
      await browser.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
      const width = await browser.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(view.width);
      await browser.send('Runtime.evaluate', { expression: readFileSync(axe, 'utf8') });
      const found = await browser.evaluate<{ id: string; nodes: string[] }[]>(
        `axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html, any }) => html + ' ' + any.map(({ message }) => message).join()) })))`,
      );
      expect(found).toEqual([]);
      expect(browser.complaints).toEqual([]);
    },
    60_000,
  );
});
