import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderTable, words } from '../../src/report/data-table.js';
import { html } from '../../src/report/html.js';
import { renderPage, renderWideTable } from '../../src/report/page-parts.js';
import { HAS_CHROMIUM } from '../chromium-path.js';
import { ChromiumPage } from './chromium.js';

const says = 'the element has a form that fits the sentence: a predicate after a noun takes "that"';
const page = renderPage({
  title: 'Style',
  eyebrow: html`style`,
  headline: 'Style',
  lede: html`Style.`,
  warnings: [],
  version: '1',
  sections: [
    {
      id: 'rules',
      heading: 'Rules',
      body: renderWideTable(
        'Rules',
        renderTable({
          className: 'scores',
          heads: [
            ...(['Rule', words('Looks after'), words('Source')] as const),
            ...['SUB refused first', 'left of 8', 'APP refused first', 'left of 16'],
          ],
          rows: [[html`same-frame<span class="sub">${says}</span>`, 'coherence', 'Spider-SS appendix A', 0, 8, 0, 16]],
        }),
      ),
    },
    {
      id: 'wide',
      heading: 'Wide',
      body: renderWideTable(
        'Wide',
        renderTable({
          heads: ['Name', words('Word')],
          rows: [['a', 'unbreakable'.repeat(20)]],
        }),
      ),
    },
  ],
});

describe.skipIf(!HAS_CHROMIUM)('the style of pages, in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => (browser = await ChromiumPage.start()), 60_000);
  afterAll(() => browser.close());

  it.each([1280, 390])('breaks no word of a table, at %i pixels', async (width) => {
    await browser.open(page, { width });
    const lines = await browser.evaluate<number>(
      `(() => {
        const cell = [...document.querySelectorAll('td')].find((one) => one.textContent === 'coherence');
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      })()`,
    );
    expect(lines).toBe(1);
  });

  it.each([1280, 390])('has a shade at the edge where a table is cut off, at %i pixels', async (width) => {
    await browser.open(page, { width });
    const [isCut, image] = await browser.evaluate<[boolean, string]>(
      `(() => {
        const frame = document.querySelector('[aria-label="Wide"]');
        return [frame.scrollWidth > frame.clientWidth, getComputedStyle(frame).backgroundImage];
      })()`,
    );
    expect(isCut).toBe(true);
    expect(image.match(/linear-gradient/g)).toHaveLength(2);
  });
});
