import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '../../../src/evaluate/evaluation-report.js';
import { EXACT_COMPONENTS } from '../../../src/evaluate/exact/components.js';
import type { LevelScores, PairScores } from '../../../src/evaluate/metric-kind.js';
import { differingRows } from '../../../src/evaluate/report/differing-rows.js';
import { renderEvaluationPage } from '../../../src/evaluate/report/evaluation-page.js';
import { errorRates } from '../../../src/evaluate/summary/error-rates.js';
import { summarizeOutcomes } from '../../../src/evaluate/summary/outcome-summary.js';
import type { PlainResult } from '../../../src/evaluate/suite/plain-counterexample.js';
import type { PairVerdicts } from '../../../src/evaluate/verdict-lines.js';
import { layoutFaults } from '../../report/layout-faults.js';
import { ChromiumPage } from '../../report/chromium.js';
import { HAS_CHROMIUM } from '../../chromium-path.js';

const EVIL = '</script><script>alert("x")</script>\'&\u0000';

const result = (...rows: PlainResult['rows']): PlainResult => ({ columns: ['Name'], rows, count: rows.length });

function pairOf(i: number, outcome: 'correct' | 'wrong' | 'failing'): PairVerdicts {
  const counterexample = {
    database: 'concerts_001',
    tables: [{ name: `Singer${EVIL}`, ...result([`Ann${EVIL}`], [null]) }],
    gold: result(['Ann']),
    predictedSql: 'SELECT Name FROM Singer',
    predicted: result(['Ann'], [null]),
  };
  return {
    id: `gold:${i}`,
    db_id: 'concerts',
    hardness: i % 2 === 0 ? 'easy' : 'hard',
    gold: `SELECT name  FROM singer WHERE Age > ${i}`,
    predicted: `SELECT Name FROM Singer -- ${EVIL}`,
    execution: { outcome: 'correct' },
    suite: { outcome, databases: 3, ...(outcome === 'wrong' && { differsOn: 'concerts_001', counterexample }) },
  };
}

const PAIRS = (['correct', 'wrong', 'failing', 'wrong'] as const).map((outcome, i) => pairOf(i, outcome));

function scoresOf(metric: 'execution' | 'suite'): PairScores {
  const verdicts = PAIRS.map(({ id, ...pair }) => ({ id, outcome: pair[metric]!.outcome }));
  const summary = summarizeOutcomes(verdicts);
  const level: LevelScores = { ...summary, interval: { mean: 0.25, low: 0.1, high: 0.4, confidence: 0.95 } };
  return { ...level, hardness: { easy: level, medium: level, hard: level, extra: level }, interactions: null };
}

function reportOf(): EvaluationReport {
  const rates = errorRates(
    PAIRS.map(({ id }) => ({ id, outcome: 'correct' })),
    PAIRS.map(({ id, suite }) => ({ id, outcome: suite!.outcome })),
    PAIRS.map(({ hardness }) => hardness),
  );
  return {
    seed: 0,
    gold: { file: 'gold.sql', queries: PAIRS.length, interactions: null },
    predictions: { file: `pred${EVIL}.sql`, comparedWith: null },
    badGold: [],
    execution: {
      mode: 'ordered@1',
      ...scoresOf('execution'),
      emptyGold: { pairs: 0, correct: 0 },
      cut: 0,
      undecided: 0,
      databases: { sha256: 'a'.repeat(64), byId: {} },
      timeoutSeconds: 30,
    },
    suite: {
      mode: 'ordered@1',
      ...scoresOf('suite'),
      notDistilled: 0,
      withoutGold: 0,
      cut: 0,
      undecided: 0,
      wrong: [],
      errors: { execution: rates },
      suite: { path: 'SUITE', sha256: 'b'.repeat(64), schemas: 1, databases: 3 },
    },
  };
}

const page = renderEvaluationPage(reportOf(), PAIRS);

const HALF = { precision: 0.5, recall: 0.25, f1: 1 / 3 };
const COMPONENTS = Object.fromEntries(EXACT_COMPONENTS.map((name) => [name, { whole: HALF, parts: HALF }]));

function textOf(markup: string): string {
  return markup
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
}

describe('differingRows', () => {
  it('finds the rows that the other side lacks, each as often', () => {
    const { gold, predicted } = differingRows(result(['a'], ['b'], ['b']), result(['b'], ['c']), false);
    expect([[...gold], [...predicted]]).toEqual([[0, 2], [1]]);
  });

  it('finds the places of the same rows in another order', () => {
    const { gold, predicted } = differingRows(result(['a'], ['b'], ['c']), result(['b'], ['a'], ['c']), false);
    expect([[...gold], [...predicted]]).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('takes no notice of the order of columns where that is allowed', () => {
    const [one, other] = [result(['a', 1]), result([1, 'a'], ['b', 2])];
    expect([...differingRows(one, other, true).predicted]).toEqual([1]);
    expect([...differingRows(one, other, false).predicted]).toEqual([0, 1]);
  });
});

describe('renderEvaluationPage', () => {
  it('shows scores with intervals, error rates and the wrong pairs', () => {
    const text = textOf(page);
    expect(text).toContain('Execution 100.0 %, test suite 25.0 %');
    expect(text).toContain('all 4 100.0 % 10.0 % to 40.0 % 25.0 % 10.0 % to 40.0 %');
    expect(text).toMatch(/false negatives all 75\.0 % 3 0\.0 % 0/);
    expect(page.match(/<details>/g)).toHaveLength(3);
    expect(page.match(/<tr class="differs">/g)).toHaveLength(2);
    expect(text).not.toMatch(/NaN|undefined/);
  });

  it('shows outcomes, components and the wrong pairs without a suite, too', () => {
    const pairs = PAIRS.map(({ suite: verdict, ...pair }, i) => ({
      ...pair,
      exact: i === 2 ? { outcome: 'unparsable' as const, reason: 'expected SELECT' } : { outcome: verdict!.outcome },
    }));
    const exact = { ...scoresOf('suite'), mode: 'published@1', components: COMPONENTS };
    const report = { ...reportOf(), exact, suite: undefined };
    const text = textOf(renderEvaluationPage(report as unknown as EvaluationReport, pairs));
    expect(text).toContain('4 predictions against gold SQL. 3 of them are not correct by one metric or more.');
    expect(text).toMatch(
      /Outcome Exact match Execution correct right 25 % 1 100 % 4 wrong SQL that means something else 50 % 2 0/,
    );
    expect(text).toContain('GROUP BY and HAVING 50.0 25.0 33.3 33.3');
    expect(text).toContain('✗ Exact match: unparsable ✓ Execution');
    expect(text).toContain('Exact match: expected SELECT');
    expect(text).not.toMatch(/NaN|undefined|suite/);
  });

  it('marks what differs between two queries, not their letter case and spaces', () => {
    // The prediction has a > of its own, in a comment.
    expect(page).toContain('SELECT name  FROM singer <u>WHERE Age</u> &gt;<u> 1</u>');
  });

  it('lets nothing of the data into the markup', () => {
    expect(page).not.toContain(EVIL);
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  it('gives the same bytes for the same report', () => {
    expect(renderEvaluationPage(reportOf(), PAIRS)).toBe(page);
  });

  it.skipIf(!HAS_CHROMIUM)('shows all metrics next to each other on a phone', { timeout: 60_000 }, async () => {
    const { execution, suite, ...rest } = reportOf();
    const errors = { exact: suite!.errors.execution!, execution: suite!.errors.execution! };
    const all = {
      ...rest,
      exact: { ...execution, components: COMPONENTS },
      execution,
      suite: { ...suite!, errors },
      columns: execution,
    };
    const browser = await ChromiumPage.start();
    try {
      await browser.open(renderEvaluationPage(all as unknown as EvaluationReport, PAIRS), { width: 390 });
      const widths = `[...document.querySelectorAll('.wide-table')].map((box) => box.scrollWidth - box.clientWidth)`;
      expect(await browser.evaluate(widths)).toEqual([0, 0, 0, 0]);
      expect(await layoutFaults(browser, page)).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it.skipIf(!HAS_CHROMIUM)('finds pairs by hardness, outcome and search', { timeout: 60_000 }, async () => {
    const browser = await ChromiumPage.start();
    try {
      await browser.open(page, { width: 390 });
      const choose = (filter: string, value: string): Promise<unknown> =>
        browser.evaluate(`new Promise((done) => {
          const field = document.querySelector('[data-filter=${filter}]');
          field.value = ${JSON.stringify(value)};
          field.dispatchEvent(new Event('input'));
          setTimeout(() => done(document.getElementById('pair-count').value), 300);
        })`);
      expect(await browser.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await choose('hardness', 'hard')).toBe('2 of 3 pairs');
      expect(await choose('search', 'gold:3')).toBe('1 of 3 pairs');
      expect(await choose('suite', 'failing')).toBe('0 of 3 pairs');
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
