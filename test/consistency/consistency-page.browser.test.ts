import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsistencyReport } from '../../src/consistency/consistency-report.js';
import { renderConsistencyPage } from '../../src/consistency/report/consistency-page.js';
import { heatClass } from '../../src/consistency/report/heat-map.js';
import { KEEPING_IDS } from '../../src/metamorphic/relations.js';
import { ChromiumPage } from '../report/chromium.js';
import { HAS_CHROMIUM } from '../chromium-path.js';
import { syntheticConsistency } from './synthetic-consistency.js';

const report = syntheticConsistency({ rate: 0.034 });
const page = renderConsistencyPage(report);
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

describe('renderConsistencyPage', () => {
  it.each([
    'By relation',
    'Relation and query',
    'Accuracy, apart',
    'Capabilities',
    'Kinds of errors',
    'Failures in clusters',
    'Settings',
  ])('has the section "%s", linked from the top', (heading) => {
    const id = new RegExp(`<h2 id="([a-z]+)-heading">${heading}</h2>`).exec(page)?.[1];
    expect(page).toContain(`href="#${id}"`);
  });

  it('says the rate, its interval, and the paper’s', () => {
    const text = textOf(page);
    expect(text).toContain('3.4 % of the predictions change though they must not');
    expect(text).toMatch(/SS Synonym Substitution 1,000 100 seeds 34 3\.4 2\.7 to 4\.1 3\.4 3\.4 21\.1/);
    expect(text).toContain('which part counts as which is our choice');
    expect(text).toContain('Which relation asks for which is our map');
    expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it('colors the heat map by rate, and says what each cell counts', () => {
    expect([0, 0.001, 0.02, 0.05, 0.149, 0.15, 1].map(heatClass)).toEqual(['h0', 'h1', 'h2', 'h3', 'h3', 'h4', 'h4']);
    const { inconsistent, judged } = report.features.find(({ rate }) => rate !== null && rate > 0.15)!;
    expect(page).toContain(`: ${inconsistent} of ${judged} mutants changed"`);
    expect(page.match(/<td class="h[0-4]/g)).toHaveLength(report.features.length + report.hardness.length);
  });

  it('shows what differs in question, schema and prediction of each cluster’s example', () => {
    expect(page).toMatch(/<p>What is the age\?<\/p>[^]*?<p>Tell me what is the age\?<\/p>/);
    expect(page).toContain('<mark class="removed">− <bdi>song_name</bdi></mark>');
    expect(page).toContain('SELECT <u>song_release_year</u>');
    expect(page).toContain('<span class="verdict bad">✗ Exact match: wrong</span>');
    expect(page.match(/<details>/g)).toHaveLength(2 * KEEPING_IDS.length);
  });

  it('loads nothing, and keeps hostile texts as text', () => {
    const hostile = renderConsistencyPage(hostileReport());
    expect(hostile.match(/<script/g)).toHaveLength(1);
    expect(hostile).not.toContain('<!--');
    expect(hostile).not.toContain('\u0000');
    expect(page).not.toMatch(/\b(src|srcset)=|@import|url\(|\sstyle=|\son[a-z]+="/);
  });

  it('stands a run in which nothing failed or nothing was judged', () => {
    const calm = textOf(renderConsistencyPage({ ...syntheticConsistency({ rate: 0 }), clusters: [], warnings: [] }));
    expect(calm).toContain('No prediction changed.');
    const nothing = { judged: 0, inconsistent: 0, rate: null };
    const figures = { ...report.all, ...nothing, interval: null, by: { exact: nothing, execution: nothing } };
    const untold = { ...report, all: figures, relations: { PI: figures }, features: [], hardness: [] };
    expect(textOf(renderConsistencyPage(untold))).not.toMatch(/NaN|undefined|null|Infinity/);
  });
});

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.skipIf(!HAS_CHROMIUM || !existsSync(axe))('the page in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => (browser = await ChromiumPage.start()), 60_000);
  afterAll(() => browser.close());

  it('scrolls wide tables on a phone, with a shadow at the edge that goes at the end, and shows every column', async () => {
    await browser.open(page, { width: 390 });
    const found = await browser.evaluate<{ cut: boolean; shadow: boolean; last: boolean }[]>(
      `[...document.querySelectorAll('.wide-table')].map((one) => {
        const cut = one.scrollWidth > one.clientWidth;
        const { position, right } = getComputedStyle(one, '::before');
        one.scrollLeft = one.scrollWidth;
        const edge = one.getBoundingClientRect().right;
        const last = one.querySelector('thead th:last-child').getBoundingClientRect();
        return { cut, shadow: position === 'sticky' && right === '0px', last: last.width > 0 && last.right <= edge - 18 };
      })`,
    );
    expect(found.length).toBeGreaterThan(1);
    expect(found).toEqual(found.map(() => found[0]));
    expect(found[0]).toEqual({ cut: true, shadow: true, last: true });
  }, 60_000);

  it.each([1280, 1056, 1000])(
    'shows all columns by relation, the paper’s too, at %i pixels',
    async (width) => {
      // The widest figures that there are: all changed, counts as on Spider dev.
      const widest = syntheticConsistency({ rate: 1 });
      const all = { judged: 75_074, inconsistent: 75_074, rate: 1 };
      const interval = { mean: 1, low: 0.87, high: 1, confidence: 0.95 };
      const figures = {
        ...widest.all,
        ...all,
        cases: 75_074,
        seeds: 1034,
        interval,
        by: { exact: all, execution: all },
      };
      const relations = Object.fromEntries(Object.keys(widest.relations).map((relation) => [relation, figures]));
      await browser.open(renderConsistencyPage({ ...widest, all: figures, relations }), { width });
      const [shown, whole] = await browser.evaluate<[number, number]>(
        `(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.querySelector('[aria-label="By relation"]'))`,
      );
      expect(whole).toBe(shown);
    },
    60_000,
  );

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
