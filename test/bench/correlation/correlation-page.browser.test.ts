import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correlate } from '../../../bench/correlation/correlate.js';
import { renderCorrelationPage } from '../../../bench/correlation/report/correlation-page.js';
import { layoutFaults } from '../../report/layout-faults.js';
import { ChromiumPage } from '../../report/chromium.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { writeVerdicts } from './verdict-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-correlation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const marks = (correct: number): string => '+'.repeat(correct).padEnd(40, '-');
const files = [10, 14, 19, 23, 24, 30, 33].map((n, i) =>
  writeVerdicts(folder, `model-${i}`, {
    exact: marks(n - (i % 3)),
    execution: marks(n + 2 * (i % 2)),
    suite: marks(n),
  }),
);
const report = correlate(files, null);
const page = renderCorrelationPage(report, '0.1.0');

describe('renderCorrelationPage', () => {
  it('has a section for correlations, plots, errors and accuracies, linked from the top', () => {
    for (const id of ['correlation', 'plots', 'errors', 'accuracy', 'models']) {
      expect(page).toContain(`href="#${id}"`);
      expect(page).toContain(`<h2 id="${id}-heading">`);
    }
  });

  it('plots each metric over all data and by hardness, a dot for each model', () => {
    expect(page.match(/<svg\s+class="scatter"/g)).toHaveLength(10);
    expect(page.match(/<circle class="mean"/g)).toHaveLength(70);
    expect(page).toContain('<title>1 model-0: suite 25.0, exact 25.0</title>');
  });

  it('shows the figures of the paper below ours', () => {
    expect(page).toContain('the paper’s “Single Denot.”');
    expect(page).toContain('2.6 ± 1.7, max 8.1');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('says why there is no correlation', () => {
    const two = renderCorrelationPage(correlate(files.slice(0, 2), null), '0.1.0');
    expect(two).toContain('No τ: 2 models: a rank correlation needs 3 or more.');
    expect(two).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('stands models that are all alike, and hostile names', () => {
    const none = writeVerdicts(folder, 'none', { exact: marks(0), execution: marks(0), suite: marks(0) });
    const alike = renderCorrelationPage(correlate([none], ['</script><b>']), '0.1.0');
    expect(alike).not.toMatch(/NaN|undefined|Infinity|<b>/);
  });
});

const identity = { path: 'OLD', sha256: '', schemas: 1, databases: 9 };
const compared = renderCorrelationPage(
  {
    ...report,
    evaluation: { gold: 'dev_gold.sql', modes: { exact: 'exact-values-ignored@2' }, suite: identity },
    secondSuite: {
      suite: identity,
      models: report.models,
      errors: report.errors,
      correlations: report.correlations,
      changes: report.models.map(({ name }) => ({ name, onlyHere: [], onlyThere: ['dev:1', 'dev:2'] })),
    },
  },
  '0.1.0',
);

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.skipIf(!HAS_CHROMIUM || !existsSync(axe))('the page in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => (browser = await ChromiumPage.start()), 60_000);
  afterAll(() => browser.close());

  it('cuts nothing off, and prints no label over another', { timeout: 60_000 }, async () => {
    expect(await layoutFaults(browser, page)).toEqual([]);
    expect(await layoutFaults(browser, compared)).toEqual([]);
  });

  it('does not scroll sideways with a second suite', { timeout: 60_000 }, async () => {
    await browser.open(compared, { width: 390, dark: false });
    expect(await browser.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

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
      expect(await browser.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(view.width);
      await browser.send('Runtime.evaluate', { expression: readFileSync(axe, 'utf8') });
      const found = await browser.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
      );
      expect(found).toEqual([]);
      expect(browser.complaints).toEqual([]);
    },
    60_000,
  );
});
