import {
  ATTACK_CONDITIONS,
  type AttackReport,
  answersWithColumns,
  type AttackCondition,
  type AttackScore,
  DRAWN,
  measuredMetrics,
} from '../attack-report.js';
import { ATTACK_METRIC_TITLES, ATTACK_METRICS } from '../../../victims/scoring.js';
import { outcomeTable } from '../../../evaluate/report/score-tables.js';
import {
  type Chapter,
  type FactsSection,
  hashSpan,
  nameSpan,
  type ReportDocument,
  type TableSection,
  type Cell,
  type Row,
} from '../../../report/document/document.js';
import { chapterOf, type Fact, factsOf, headed, tableOf } from '../../../report/document/sections.js';
import { formatCount, formatNoun, countNoun } from '../../../counts.js';
import {
  formatPercent,
  formatPoints,
  formatProbability,
  formatRelative,
  formatTenths,
} from '../../../report/figures.js';
import type { Database } from '../../../schema/schema.js';
import { executionFacts, executionLines } from '../../../victims/executions/execution-figures.js';
import { composedChapters, describeComposed, COMPOSED_INTERVALS } from '../../compositions/recomposition-section.js';
import { describeMutants, mutantChapters } from '../../mutants/mutant-section.js';
import { attackCases } from './attack-cases.js';
import { accuracyPlots, attackHeadline, describeOtherLoss } from './attack-headline.js';
import { breakdownChapters, fragilityChapters } from './breakdown-chapters.js';
import { documentLines } from '../../../report/document/document-lines.js';

const HEADINGS = { original: 'Original', RPL: 'RPL', ADD: 'ADD' } as const;
const METRIC_NAMES = { exact: 'exact match', execution: 'execution', columns: 'all columns' } as const;

type ShownScore = Pick<AttackScore, 'accuracy' | 'std'> & {
  readonly drop: Pick<NonNullable<AttackScore['drop']>, 'absolute'> | null;
};

/** "27.6%", with "−43.2 ± 1.8": the mean over the seeds, the change in points and its standard deviation over the seeds. */
function scoreCell({ accuracy, std, drop }: ShownScore): Cell {
  if (drop === null) return formatPercent(accuracy);
  const spread = std === null ? '' : ` ± ${formatTenths(std)}`;
  return { text: formatPercent(accuracy), sub: `${formatPoints(-drop.absolute)}${spread}` };
}

/** Returns the conditions that examples were asked under: without candidates, their own tables alone. */
function conditionsOf({ settings }: AttackReport): readonly AttackCondition[] {
  return settings.candidates === null ? ['original'] : ATTACK_CONDITIONS;
}

function scoreRows(report: AttackReport): readonly Row[] {
  return ATTACK_METRICS.flatMap((metric) => {
    const own = report.scores.filter((score) => score.metric === metric);
    if (own.length === 0) return [];
    const cells = conditionsOf(report).map((condition) => own.find((score) => score.condition === condition));
    return [{ cells: [METRIC_NAMES[metric], ...cells.map((score) => (score === undefined ? '' : scoreCell(score)))] }];
  });
}

/** Precision, recall and F1 of the columns that answers name. */
function linkingRows({ linking = [] }: AttackReport): readonly Row[] {
  if (linking.length === 0) return [];
  const share = (value: number | null): string => (value === null ? '' : formatPercent(value));
  return [
    { cells: ['column F1', ...linking.map(({ f1, ...rest }) => scoreCell({ accuracy: f1, ...rest }))] },
    { cells: ['precision', ...linking.map(({ precision }) => share(precision))] },
    { cells: ['recall', ...linking.map(({ recall }) => share(recall))] },
  ];
}

/** The scores in the shape of the paper's table (ADVETA appendix C.3, Table 12). */
function scoreTable(report: AttackReport): TableSection {
  const [scores, linking] = [scoreRows(report), linkingRows(report)];
  return tableOf(
    'Right answers; below them the change in points, and its deviation over the seeds',
    headed('', ...conditionsOf(report).map((condition) => HEADINGS[condition])),
    answersWithColumns(report) ? [...linking, ...scores] : [...scores, ...linking],
  );
}

/** Describes the questions asked besides the examples, as a further sentence. */
function alsoAsked({ compositions, mutants }: AttackReport): string {
  const asked = [
    ...(compositions === undefined ? [] : [describeComposed(compositions)]),
    ...(mutants === undefined ? [] : [describeMutants(mutants)]),
  ];
  return asked.length === 0 ? '' : ` Also asked: ${asked.join(', and ')}.`;
}

function ledeOf(report: AttackReport): ReportDocument['lede'] {
  const { dataset, settings, victim } = report;
  const asked = `${formatNoun(dataset.examples, 'question')} to ${formatNoun(dataset.databases, 'database')}`;
  const how =
    settings.candidates === null
      ? '.'
      : `, each asked of its original tables, of tables with renamed columns (RPL) and of tables with misleading columns added (ADD), with ${formatNoun(settings.seeds.length, 'seed')}.`;
  return [describeOtherLoss(report), asked, how, ' Model: ', nameSpan(victim.description), `.${alsoAsked(report)}`];
}

function outcomeTables(report: AttackReport): readonly TableSection[] {
  return measuredMetrics(report.scores).map((metric) =>
    outcomeTable(
      `Outcomes, ${ATTACK_METRIC_TITLES[metric]}`,
      ATTACK_CONDITIONS.flatMap((condition) => {
        const score = report.scores.find((one) => one.metric === metric && one.condition === condition);
        return score === undefined ? [] : [{ heading: HEADINGS[condition], outcomes: score.outcomes }];
      }),
    ),
  );
}

function usageFacts({ usage, leftOut }: AttackReport): FactsSection {
  const failures = ATTACK_CONDITIONS.flatMap((condition) =>
    Object.entries(usage.failures[condition] ?? {}).map(([kind, count]): Fact => {
      return [`No answer, ${condition}: ${kind}`, formatCount(count)];
    }),
  );
  return factsOf([
    ['Questions asked', formatCount(usage.questions)],
    ['Calls, retries among them', formatCount(usage.calls)],
    ['Tokens of prompts', formatCount(usage.promptTokens)],
    ['Tokens of answers', formatCount(usage.completionTokens)],
    ...failures,
    ...Object.entries(usage.cleaned).map(([step, count]): Fact => [`Cleaned: ${step}`, formatCount(count)]),
    ...executionFacts(usage),
    ...leftOut.map(({ reason, examples }): Fact => [`Left out: ${reason}`, formatCount(examples)]),
  ]);
}

function settingsFacts({ settings, victim, dataset, compositions, mutants }: AttackReport): FactsSection {
  const { strategy, budget, seeds, candidates, metrics, databases } = settings;
  const limit = budget === null ? '' : `, at most ${formatNoun(budget, 'question')} each`;
  const isDrawn = candidates !== null;
  return factsOf([
    ['Victim', [nameSpan(victim.id)]],
    ['Victim’s fingerprint', [hashSpan(victim.fingerprint)]],
    ['Examples', [nameSpan(dataset.examplesName ?? dataset.format), `, ${formatCount(dataset.examples)}`]],
    ['Data set’s fingerprint', [hashSpan(dataset.fingerprint)]],
    compositions && ['Compositions', [hashSpan(compositions.fingerprint)]],
    mutants && ['Mutants', [hashSpan(mutants.fingerprint)]],
    seeds.length > 0 && ['Strategy', `${strategy}${limit}`],
    seeds.length > 0 && ['Seeds', seeds.join(', ')],
    isDrawn && ['Candidates', [nameSpan(candidates)]],
    isDrawn && ['Sample', settings.sample ?? 'random'],
    isDrawn && ['Linked keys', settings.linkedKeys],
    isDrawn && ['Abbreviate new names', settings.abbreviate ?? 'never'],
    isDrawn && ['Place of added columns', settings.addPosition],
    ...Object.entries(metrics).map(([metric, mode]): Fact => [`Mode of ${metric}`, [{ text: mode, as: 'code' }]]),
    ['Databases', databases === null ? 'not executed' : [hashSpan(databases)]],
  ]);
}

/** Per seed, and McNemar's test of each condition against the original tables. */
function seedTable({ scores, settings }: AttackReport): TableSection {
  const rows = scores.flatMap(({ metric, condition, bySeed, drop }): readonly Row[] => {
    if (drop === null) return [];
    const { onlyFirst, onlySecond, p } = drop.mcnemar;
    const relative = drop.relative === null ? null : formatRelative(-drop.relative);
    const name = `${ATTACK_METRIC_TITLES[metric]}, ${condition}`;
    return [{ cells: [name, ...bySeed.map(formatPercent), relative, onlyFirst, onlySecond, formatProbability(p)] }];
  });
  const seeds = settings.seeds.map((seed) => `Seed ${seed}`);
  return tableOf(
    'Seed by seed, the change relative to the original accuracy, and McNemar’s exact test over examples and seeds',
    headed('Condition', ...seeds, 'Relative', 'Newly wrong', 'Newly right', 'p'),
    rows,
  );
}

function detailChapters(report: AttackReport): readonly Chapter[] {
  const seeds = report.scores.some(({ drop }) => drop !== null) ? [seedTable(report)] : [];
  return [
    chapterOf('outcomes', 'Outcomes and cost', [...outcomeTables(report), usageFacts(report)], {
      link: 'Outcomes',
      layout: 'side',
    }),
    chapterOf('settings', 'Settings', [settingsFacts(report), ...seeds], { layout: 'folded' }),
  ];
}

/**
 * The report of an attack as a document. With the original `databases` a case shows the whole of its changed tables.
 */
export function attackDocument(report: AttackReport, databases: readonly Database[] = []): ReportDocument {
  const { victim, dataset, compositions, mutants, settings } = report;
  const cases = attackCases(report, databases);
  const [headlinePlot, ...otherPlots] = accuracyPlots(report);
  const counts = `${formatNoun(report.usage.questions, 'question')} were asked, those on the original tables among them; draws that made the same of a question are one case: ${formatCount(cases.cases.length)}.`;
  const note = `One question on its original tables, and on perturbed ones. ${counts} Renamed and added columns are marked; what an answer has differently than the gold query is underlined.`;
  const scores = chapterOf('accuracy', 'Accuracy', [scoreTable(report)], {
    note: `The plots’ 95% intervals are by bootstrap over ${DRAWN}.`,
  });
  const others = chapterOf('intervals', 'Intervals of the other metrics', otherPlots, { link: 'Intervals' });
  const name = dataset.examplesName ?? dataset.format;
  return {
    title: `${victim.id} on ${name}: attack`,
    command: 'attack',
    subject: ['victim ', nameSpan(victim.id), ' · examples ', nameSpan(name)],
    headline: attackHeadline(report),
    lede: ledeOf(report),
    plot: headlinePlot ?? null,
    warnings: report.warnings,
    chapters: [
      ...(cases.cases.length === 0 ? [] : [chapterOf('cases', 'Cases', [cases], { note })]),
      scores,
      ...(otherPlots.length === 0 ? [] : [others]),
      ...mutantChapters(mutants),
      ...composedChapters(compositions),
      ...(settings.candidates === null ? [] : [...breakdownChapters(report), ...fragilityChapters(report)]),
      ...detailChapters(report),
    ],
    version: report.perturbql,
  };
}

/** The part of the document that a terminal shows. */
const SHOWN = ['accuracy', 'mutants', 'composed'];

/** Failures that left questions without SQL, by condition: "no SQL: original 12 no-sql; RPL 31 no-sql, 2 timeout". */
function renderFailures({ usage }: AttackReport): readonly string[] {
  const parts = ATTACK_CONDITIONS.flatMap((condition) => {
    const kinds = Object.entries(usage.failures[condition] ?? {});
    return kinds.length === 0
      ? []
      : [`${condition} ${kinds.map(([kind, count]) => `${formatCount(count)} ${kind}`).join(', ')}`];
  });
  return parts.length === 0 ? [] : [`answers without SQL, counted as wrong: ${parts.join('; ')}`];
}

/** An attack for a terminal: the answer, the scores in percent, and what to know of them. */
export function attackLines(report: AttackReport): readonly string[] {
  return [
    ...documentLines(attackDocument(report), SHOWN),
    ...(report.compositions === undefined ? [] : [`composed questions: ${COMPOSED_INTERVALS}`]),
    ...renderFailures(report),
    ...executionLines(report.usage),
    ...report.leftOut.map(({ reason, examples }) => `left out: ${countNoun(examples, 'example')}, ${reason}`),
  ];
}
