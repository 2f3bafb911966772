import {
  type Chapter,
  type FactsSection,
  hashSpan,
  nameSpan,
  type PlotSection,
  type ReportDocument,
} from '../../report/document/document.js';
import { formatCount, formatNoun } from '../../counts.js';
import { chapterOf, type Fact, factsOf, shareLane, sharesPlot } from '../../report/document/sections.js';
import { VERSION } from '../../version.js';
import { UNKNOWN_HARDNESS_NOTE } from '../exact/hardness.js';
import type { EvaluationReport } from '../evaluation-report.js';
import { METRICS } from '../metrics.js';
import type { PairVerdicts } from '../verdict-lines.js';
import { evaluationCases, mainMetric, wrongPairs } from './evaluation-cases.js';
import {
  componentTable,
  errorTable,
  hasUnknownHardness,
  linkTable,
  outcomeTable,
  reportMetrics,
  scoreTable,
} from './score-tables.js';
import { formatPercent } from '../../report/figures.js';

/** The predicate for correct predictions, by metric; by other metrics they are just correct. */
const DEEDS: ReadonlyMap<string, string> = new Map([
  ['suite', 'return the gold query’s rows on every database of the suite'],
  ['execution', 'return the gold query’s rows'],
  ['exact', 'match the gold query'],
  ['columns', 'use the gold query’s columns and tables'],
]);

/** The answer in a sentence: "22 of 30 predictions return the gold query’s rows". */
export function evaluationHeadline(report: EvaluationReport): string {
  const main = mainMetric(reportMetrics(report));
  const scores = main && report[main];
  if (main === undefined || scores === undefined) {
    const f1 = report.linking?.columns.f1 ?? null;
    return f1 === null ? 'No pair was scored' : `Links to columns have an F1 of ${formatPercent(f1)}`;
  }
  const answer = `${formatCount(scores.correct)} of ${formatCount(scores.pairs)} predictions ${DEEDS.get(main) ?? `are correct by ${main}`}`;
  const chance = report.suite?.errors.execution?.all.falsePositives ?? 0;
  return chance === 0 ? answer : `${answer}; ${formatCount(chance)} more do on the original database alone`;
}

/** Accuracy by metric with its interval; null where no pair was judged. */
function accuracyPlot(report: EvaluationReport): PlotSection | null {
  const lanes = reportMetrics(report).flatMap((metric) => {
    const { accuracy = null, interval = null } = report[metric] ?? {};
    if (accuracy === null) return [];
    return [shareLane(METRICS[metric].title, accuracy, interval, 'original')];
  });
  if (lanes.length === 0) return null;
  return sharesPlot('Accuracy by metric', 'Predictions that are correct', lanes, 'of all pairs, with 95% intervals');
}

function settingsFacts(report: EvaluationReport): FactsSection {
  const { gold, predictions, suite, execution, seed } = report;
  const { path = '', sha256 = '', databases = 0, schemas = 0 } = suite?.suite ?? {};
  return factsOf([
    gold && ['Gold queries', [nameSpan(gold.file)]],
    predictions && ['Predictions', [nameSpan(predictions.file)]],
    ...reportMetrics(report).map((metric): Fact => {
      const mode = [{ text: report[metric]?.mode ?? '', as: 'code' }] as const;
      return [`Mode of ${METRICS[metric].title.toLowerCase()}`, mode];
    }),
    suite && ['Suite', [nameSpan(path)]],
    suite && ['Suite’s fingerprint', [hashSpan(sha256)]],
    suite && ['Suite’s databases', `${formatCount(databases)} of ${formatNoun(schemas, 'schema')}`],
    execution && ['Databases', [hashSpan(execution.databases.sha256)]],
    ['Seed of the intervals', seed],
  ]);
}

/** Returns the units that were drawn to find the intervals. */
function drawnUnits(report: EvaluationReport): string {
  const hasTurns = reportMetrics(report).some((metric) => report[metric]?.interactions != null);
  return hasTurns ? 'interactions, the turns of one together' : 'questions';
}

function scoreChapters(report: EvaluationReport): readonly Chapter[] {
  const metrics = reportMetrics(report);
  if (metrics.length === 0) return [];
  const errors = errorTable(report);
  const columns = metrics.map((metric) => ({
    heading: METRICS[metric].title,
    outcomes: report[metric]?.outcomes ?? null,
  }));
  const outcomes = outcomeTable('What became of the predictions, by each metric', columns);
  const unknown = hasUnknownHardness(report) ? ` ${UNKNOWN_HARDNESS_NOTE}` : '';
  const chapters = [
    chapterOf('outcomes', 'Outcomes', [outcomes]),
    chapterOf('scores', 'Scores by hardness', [scoreTable(report)], {
      link: 'Scores',
      note: `Intervals are by bootstrap over the ${drawnUnits(report)}.${unknown}`,
    }),
  ];
  if (errors === null) return chapters;
  const note = 'False positives and false negatives against the suite, as in section 6.2 of Zhong et al. 2020.';
  return [...chapters, chapterOf('errors', 'Where other metrics err', [errors], { link: 'Error rates', note })];
}

function detailChapters(report: EvaluationReport): readonly Chapter[] {
  const { exact, linking } = report;
  return [
    linking && chapterOf('links', 'Schema links', [linkTable(linking)]),
    exact &&
      chapterOf('components', 'Exact match by component', [componentTable(exact)], {
        link: 'Components',
        layout: 'folded',
        note: 'Precision: of the predictions that have a component, the share that matches the gold query’s as a whole; recall: of the gold queries that have it.',
      }),
    chapterOf('settings', 'Settings', [settingsFacts(report)], { layout: 'folded' }),
  ].filter((chapter) => chapter !== undefined);
}

const CASES_NOTE =
  'Pairs that are not correct by one metric or more. What the prediction has differently than the gold query is underlined.';
const ROWS_NOTE = ' Where the suite distinguishes the two, the fewest rows found on which they differ are shown.';

/** The report of an evaluation as a document; `questions` by the ids of pairs, where they are known. */
export function evaluationDocument(
  report: EvaluationReport,
  pairs: readonly PairVerdicts[],
  questions: ReadonlyMap<string, string> = new Map(),
): ReportDocument {
  const metrics = reportMetrics(report);
  const { gold, predictions, badGold, suite } = report;
  const isAnyColumn = suite?.mode.includes('any-column-order') ?? false;
  const cases = evaluationCases(pairs, { metrics, questions, isAnyColumn });
  const wrong = wrongPairs(pairs, metrics).length;
  const file = predictions?.file ?? '';
  const note = `${CASES_NOTE}${suite === undefined ? '' : ROWS_NOTE}`;
  return {
    title: 'perturbql evaluate',
    command: 'evaluate',
    subject: file === '' ? 'schema links' : ['predictions ', nameSpan(file)],
    headline: evaluationHeadline(report),
    lede: `${formatNoun(gold?.queries ?? report.linking?.questions ?? 0, 'prediction')} compared with gold queries. ${
      metrics.length === 0 ? '' : `${formatCount(wrong)} of them are not correct by one metric or more.`
    }`,
    plot: accuracyPlot(report),
    warnings:
      badGold.length === 0
        ? []
        : [
            `${formatNoun(badGold.length, 'gold query', 'gold queries')} not correct against itself, by a metric; it counts as not correct.`,
          ],
    chapters: [
      ...(cases.cases.length === 0 ? [] : [chapterOf('pairs', 'Wrong pairs', [cases], { note })]),
      ...scoreChapters(report),
      ...detailChapters(report),
    ],
    version: VERSION,
    footer: 'The figures of this page are also in the output of --json.',
  };
}
