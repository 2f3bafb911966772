import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRuns } from '../../src/measure/compare/compare-runs.js';
import { attackDocument } from '../../src/measure/attack/report/attack-document.js';
import { renderDocument } from '../../src/report/document/render-document.js';
import { compareDocument } from '../../src/measure/compare/compare-document.js';
import { augmentDocument } from '../../src/variants/report/augment-document.js';
import { summarizeAugment } from '../../src/variants/report/augment-report.js';
import { candidatesDocument } from '../../src/variants/report/candidates-document.js';
import { columnCases } from '../../src/variants/report/column-cases.js';
import { summarizeCandidates } from '../../src/variants/report/candidates-report.js';
import { compareConsistency } from '../../src/measure/compare/compare-consistency.js';
import { consistencyComparisonDocument } from '../../src/measure/compare/comparison-document.js';
import { consistencyDocument } from '../../src/measure/consistency/report/consistency-document.js';
import { composeDocument } from '../../src/compositional/compose/report/compose-document.js';
import { composedReport } from '../compositional/compose/composed-report.js';
import { ChromiumPage } from './chromium.js';
import { syntheticDatabases, syntheticReport } from '../measure/attack/report/synthetic-report.js';
import { HAS_CHROMIUM } from '../chromium-path.js';
import { syntheticConsistency } from '../measure/consistency/synthetic-consistency.js';
import { augmentSummary, context, DECISIONS } from '../variants/report/hand-made-run.js';
import { layoutFaults } from './layout-faults.js';

const attack = syntheticReport({ examples: 40, databases: 3, seeds: [0, 1, 2] });
const runs = [
  { name: '/a/long/path/of/a/run', report: attack },
  { name: 'second', report: syntheticReport({ examples: 40, databases: 3, seeds: [0, 1, 2], seed: 1 }) },
] as const;
const models = [0.02, 0.04, 0.06].map((rate, i) => ({
  name: `/a/long/path/of/a/run-${i}`,
  report: syntheticConsistency({ rate }),
}));

// Pages of evaluations, suites and correlations are in the tests of their own, which have the reports for them.
const PAGES: readonly (readonly [name: string, render: () => string])[] = [
  [
    'candidates',
    () =>
      renderDocument(candidatesDocument(summarizeCandidates(DECISIONS, context()), columnCases(DECISIONS, context()))),
  ],
  ['augment', () => renderDocument(augmentDocument(summarizeAugment(augmentSummary())))],
  ['compose', () => renderDocument(composeDocument(composedReport()))],
  ['attack', () => renderDocument(attackDocument(attack, syntheticDatabases()))],
  ['compare', () => renderDocument(compareDocument(compareRuns(runs), runs, '1'))],
  ['consistency', () => renderDocument(consistencyDocument(syntheticConsistency({ rate: 0.034 })))],
  ['consistency compare', () => renderDocument(consistencyComparisonDocument(compareConsistency(models), '1'))],
];

describe.skipIf(!HAS_CHROMIUM)('pages in a browser (skipped where there is no Chromium)', () => {
  let browser: ChromiumPage;
  beforeAll(async () => (browser = await ChromiumPage.start()), 60_000);
  afterAll(() => browser.close());

  it.each(PAGES)('%s: nothing is cut off or overprinted', { timeout: 60_000 }, async (_, render) => {
    expect(await layoutFaults(browser, render())).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
