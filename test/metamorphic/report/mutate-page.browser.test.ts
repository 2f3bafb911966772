import { describe, expect, it } from 'vitest';
import type { MutateReport, ReportedRelation } from '../../../src/metamorphic/mutate-report.js';
import { renderMutatePage } from '../../../src/metamorphic/report/mutate-page.js';
import { ChromiumPage } from '../../report/chromium.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';
import { layoutFaults } from '../../report/layout-faults.js';

const relation = (name: string, changes: Partial<ReportedRelation> = {}): ReportedRelation => ({
  ...{ name, cases: 1234, applied: 18, notApplicable: {}, unexpressible: {}, dropped: {} },
  expectations: { 'same-query': 1000, 'same-result': 200, 'other-query': 0, unanswerable: 0 },
  ...{ written: 1200, seeds: 18, fluency: 0.146 },
  ...changes,
});

const REPORT: MutateReport = {
  ...{ format: 'perturbql-mutate', version: 1, perturbql: '1.2.3', dataset: 'spider', examples: 30 },
  relations: {
    PI: relation('Prefix Insertion', {
      notApplicable: { 'no <interrogative> prefix': 12 },
      dropped: { 'contradicts its seed': 3 },
    }),
    'CRm+PI': relation('Column Removal, then Prefix Insertion', { fluency: null }),
  },
  total: { cases: 2468, written: 2400, schemas: 7 },
  fluency: { seeds: 0.2, mutants: null },
  databases: null,
  warnings: ['something to know'],
};
const page = renderMutatePage(REPORT);
const textOf = (markup: string): string =>
  markup
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
const text = textOf(page);

describe('renderMutatePage', () => {
  it('shows what was made and written by relation, and why there is no mutant', () => {
    expect(text).toContain('2,400 mutants of 30 examples');
    expect(text).toContain('PI Prefix Insertion 18 1,234 1,200 0.15');
    expect(text).toContain('CRm+PI Column Removal, then Prefix Insertion 18 1,234 1,200 –');
    expect(text).toContain('no &lt;interrogative&gt; prefix 12 contradicts its seed 3');
    expect(text).toContain('not executed');
    expect(text).toContain('something to know');
    expect(text).not.toMatch(/NaN|undefined/);
  });

  it('says which relations must not change the answer, which take it away, and which made nothing', () => {
    const none = { 'same-query': 0, 'same-result': 0, 'other-query': 0, unanswerable: 0 };
    const relations = {
      ...REPORT.relations,
      SK: relation('Surrogate Key', { written: 0, seeds: 0, expectations: none }),
      CEq: relation('Content Equivalence', { written: 0, seeds: 0, expectations: none }),
      NCR: relation('Needed Column Removal', { written: 57, expectations: { ...none, unanswerable: 57 } }),
      QCm: relation('Comparison Change', { written: 3, expectations: { ...none, 'other-query': 3 } }),
    };
    const lede = textOf(renderMutatePage({ ...REPORT, relations }));
    expect(lede).toContain(
      '2,400 by PI and CRm+PI must not change the answer. 3 by QCm ask something else, and another answer is right. 57 by NCR lack what the question needs: a model should say that there is no answer. SK and CEq made none. On 7 changed schemas.',
    );
    expect(lede).toContain('Relations 4 with a mutant');
  });

  it('loads nothing, and gives the same bytes for the same report', () => {
    expect(page).not.toMatch(/https?:\/\/|\bsrc=/);
    expect(renderMutatePage(REPORT)).toBe(page);
  });

  it.skipIf(!HAS_CHROMIUM)('cuts nothing off', { timeout: 60_000 }, async () => {
    const browser = await ChromiumPage.start();
    try {
      expect(await layoutFaults(browser, page)).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
