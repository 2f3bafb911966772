import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '../../../src/evaluate/evaluation-report.js';
import { EXACT_COMPONENTS } from '../../../src/evaluate/exact/components.js';
import type { LevelScores, PairScores } from '../../../src/evaluate/metric-kind.js';
import { differingRows } from '../../../src/report/result-difference.js';
import { evaluationCases } from '../../../src/evaluate/report/evaluation-cases.js';
import { evaluationDocument, evaluationHeadline } from '../../../src/evaluate/report/evaluation-document.js';
import { renderDocument } from '../../../src/report/document/render-document.js';
import { errorRates, summarizeOutcomes } from '../../../src/evaluate/summary/accuracy.js';
import type { PlainResult } from '../../../src/sql/execution/query-outcome.js';
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

describe('a counterexample at a tie that the gold query leaves open', () => {
  it('says that the gold query may be at fault, and can be filtered', () => {
    const pair = pairOf(0, 'wrong');
    const counterexample = { ...pair.suite!.counterexample!, isGoldPartial: true as const };
    const tied = { ...pair, suite: { ...pair.suite!, counterexample } };
    const context = { metrics: ['suite' as const], questions: new Map<string, string>(), isAnyColumn: false };
    const [one] = evaluationCases([tied], context).cases;
    expect(one?.reason).toContain('The gold query may be at fault: it leaves a tie open.');
    expect(one?.facets['gold']).toBe('may be at fault');
    expect(evaluationCases([tied], context).facets).toContainEqual({ id: 'gold', label: 'Gold query' });
    const sound = evaluationCases([pair], context);
    expect(sound.cases[0]?.reason).not.toContain('at fault');
    expect(sound.facets.map(({ id }) => id)).not.toContain('gold');
  });
});

const PAIRS = (['correct', 'wrong', 'failing', 'wrong'] as const).map((outcome, i) => pairOf(i, outcome));

function scoresOf(metric: 'execution' | 'suite'): PairScores {
  const verdicts = PAIRS.map(({ id, ...pair }) => ({ id, outcome: pair[metric]!.outcome }));
  const summary = summarizeOutcomes(verdicts);
  const level: LevelScores = { ...summary, interval: { mean: 0.25, low: 0.1, high: 0.4, confidence: 0.95 } };
  return {
    ...level,
    hardness: { easy: level, medium: level, hard: level, extra: level },
    interactions: null,
    wrong: [],
  };
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
      wrong: ['gold:1', 'gold:3'],
      errors: { execution: rates },
      suite: { path: 'SUITE', sha256: 'b'.repeat(64), schemas: 1, databases: 3 },
    },
  };
}

const QUESTIONS = new Map([['gold:1', 'Which singers are older than one?']]);

function renderEvaluationPage(report: EvaluationReport, pairs: readonly PairVerdicts[]): string {
  return renderDocument(evaluationDocument(report, pairs, QUESTIONS));
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

describe('evaluationDocument', () => {
  it('opens with the answer, and names what passes by chance', () => {
    expect(evaluationHeadline(reportOf())).toBe(
      '1 of 4 predictions return the gold query’s rows on every database of the suite; 3 more do on the original database alone',
    );
    expect(textOf(page)).toContain('3 of them are not correct by one metric or more.');
    expect(textOf(page)).toMatch(/Execution 100\.0% Test suite 25\.0%/);
  });

  it('has the wrong pair that is read most easily open, with its question and rows of one database', () => {
    const { chapters } = evaluationDocument(reportOf(), PAIRS, QUESTIONS);
    const [cases] = chapters[0]!.sections;
    if (cases?.kind !== 'cases') throw new Error('no cases');
    expect(cases.cases.map(({ id, status }) => [id, status])).toEqual([
      ['gold:1', 'chance'],
      ['gold:2', 'chance'],
      ['gold:3', 'chance'],
    ]);
    expect(cases.open).toBe('gold:1');
    const [open, other] = [cases.cases[0]!, cases.cases[2]!];
    expect([open.question, other.question]).toEqual([
      'Which singers are older than one?',
      other.sides[0].queries[0]?.sql,
    ]);
    expect(open.reason).toBe(
      'On these few rows of concerts_001 the gold query returns 1\u00a0row, the prediction 2\u00a0rows.',
    );
    expect(open.given?.map(({ count }) => count)).toEqual([2]);
    expect(open.sides.map(({ results }) => results[0]?.differing)).toEqual([[], [1]]);
    expect(page.match(/<tr class="differs">/g)).toHaveLength(1);
  });

  it('shows scores with intervals, and error rates', () => {
    const text = textOf(page);
    expect(text).toContain('all 4 pairs 100.0% 10.0% to 40.0% 25.0% 10.0% to 40.0%');
    expect(text).toMatch(/Fails wrongly Execution all 75\.0% 3 0\.0% 0/);
    expect(text).not.toMatch(/NaN|undefined/);
  });

  it('shows outcomes, components and the wrong pairs without a suite, too', () => {
    const pairs = PAIRS.map(({ suite: verdict, ...pair }, i) => ({
      ...pair,
      exact: i === 2 ? { outcome: 'unparsable' as const, reason: 'expected SELECT' } : { outcome: verdict!.outcome },
    }));
    const exact = { ...scoresOf('suite'), mode: 'published@1', components: COMPONENTS };
    const report = { ...reportOf(), exact, suite: undefined } as unknown as EvaluationReport;
    const text = textOf(renderEvaluationPage(report, pairs));
    expect(text).toContain('4 of 4 predictions return the gold query’s rows');
    expect(text).toMatch(
      /Outcome Exact match Execution correct right 25\.0% 1 100\.0% 4 wrong other rows than the gold query; by exact match, another form 50\.0% 2 0/,
    );
    expect(text).toContain('GROUP BY and HAVING 50.0% 25.0% 33.3% 33.3%');
    expect(text).not.toMatch(/NaN|undefined|suite/);
    const [cases] = evaluationDocument(report, pairs).chapters[0]!.sections;
    const unread = cases?.kind === 'cases' ? cases.cases[1] : undefined;
    expect(unread?.status).toBe('split');
    expect(unread?.reason).toBe('Exact match: expected SELECT.');
    expect(unread?.sides[1]?.queries[0]?.verdicts.map(({ label }) => label)).toEqual([
      '✗ Exact match: unparsable',
      '✓ Execution',
    ]);
  });

  it('says what links come to where no pairs were judged', () => {
    const scores = { precision: 0.5, recall: 0.25, f1: 1 / 3 };
    const linking = { mode: 'links@1', questions: 7, columns: scores, tables: scores };
    const report = { seed: 0, gold: null, predictions: null, badGold: [], linking } as unknown as EvaluationReport;
    expect(textOf(renderEvaluationPage(report, []))).toMatch(/F1 of 33\.3% .*columns 50\.0% 25\.0% 33\.3%/);
  });

  it('marks what differs between two queries, not their letter case and spaces', () => {
    // The prediction has a > of its own, in a comment.
    expect(page).toMatch(/SELECT Name\s+FROM Singer/);
    expect(page).toContain('<u>');
    expect(page).not.toMatch(/<u>(SELECT|Name|FROM|Singer)/);
  });

  it('lets nothing of the data into the markup', () => {
    expect(page).not.toContain(EVIL);
    expect(page.match(/<script/g)).toHaveLength(2); // the cases, and what shows them
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
      const pairs = PAIRS.map((pair, i) => (i === 2 ? { ...pair, execution: pair.suite } : pair));
      await browser.open(renderEvaluationPage(reportOf(), pairs as readonly PairVerdicts[]), { width: 390 });
      const choose = (filter: string, value: string): Promise<unknown> =>
        browser.evaluate(`new Promise((done) => {
          const field = document.querySelector('[data-filter=${filter}]');
          field.value = ${JSON.stringify(value)};
          field.dispatchEvent(new Event('input'));
          setTimeout(() => done(document.getElementById('case-count').textContent), 300);
        })`);
      expect(await browser.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await choose('hardness', 'hard')).toBe('2 of 3 pairs');
      expect(await choose('search', 'gold:3')).toBe('1 of 3 pairs');
      // The open case is one of the list, not one that no longer fits.
      const opened = '[...document.querySelectorAll("#case-list [aria-current]")].length';
      expect(await browser.evaluate(opened)).toBe(1);
      expect(await browser.evaluate('document.getElementById("case-open").textContent')).toContain('gold:3');
      expect(await choose('status', 'failing')).toBe('0 of 3 pairs');
      expect(await choose('search', '')).toBe('0 of 3 pairs');
      expect(await choose('hardness', 'easy')).toBe('1 of 3 pairs');
      expect(browser.complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
