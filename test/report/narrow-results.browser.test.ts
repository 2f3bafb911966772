import { expect, it } from 'vitest';
import { renderDocument } from '../../src/report/document/render-document.js';
import type { ReportCase } from '../../src/report/document/case.js';
import { HAS_CHROMIUM } from '../chromium-path.js';
import { ChromiumPage } from './chromium.js';

const BECAUSE = 'Readers would be unlikely to take it, as the judge has learned it from theirs';

const one: ReportCase = {
  id: 'a',
  question: 'telephone',
  gloss: 'garden',
  status: 'bad',
  facets: {},
  reason: null,
  given: [
    {
      label: 'Rejected',
      columns: ['Name', 'Source', 'e1', 'e2', 'Because'],
      rows: [['telephone number of the gardener', 'retrieval: Contacts of clubs', '0.93', '0.93', BECAUSE]],
      count: 1,
      differing: [],
    },
  ],
  sides: [{ label: 'Column', question: null, tables: [], marks: [], queries: [], results: [] }],
  notes: [],
};

it.skipIf(!HAS_CHROMIUM)('gives a long text some words in a line on a phone', { timeout: 60_000 }, async () => {
  const browser = await ChromiumPage.start();
  try {
    const cases = {
      kind: 'cases' as const,
      noun: 'column',
      statuses: [{ id: 'bad', label: 'Bad', tone: 'bad' as const }],
      facets: [],
      cases: [one],
      open: 'a',
    };
    const page = renderDocument({
      title: 'T',
      command: 'candidates',
      subject: 'S',
      headline: 'H',
      lede: 'L',
      plot: null,
      warnings: [],
      chapters: [{ id: 'cases', heading: 'Cases', sections: [cases] }],
      version: '1',
    });
    await browser.open(page, { width: 390 });
    const width = 'document.querySelector(".result td:last-child").getBoundingClientRect().width';
    expect(await browser.evaluate(width)).toBeGreaterThan(180);
    expect(await browser.evaluate('document.documentElement.scrollWidth')).toBe(390);
  } finally {
    await browser.close();
  }
});
