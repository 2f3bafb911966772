import type { EvaluationReport } from '../evaluate/evaluation-report.js';
import { HARDNESS_LEVELS, UNKNOWN_HARDNESS_NOTE } from '../evaluate/exact/hardness.js';
import { hasUnknownHardness } from '../evaluate/report/score-tables.js';
import type { LinkingSummary } from '../evaluate/linking/schema-linking.js';
import { ratio, scoreRow as row, setTable } from '../evaluate/report/score-lines.js';
import { OUTCOMES } from '../evaluate/metric.js';
import type { Compared, PairMetricKind, PairScores, Section } from '../evaluate/metric-kind.js';
import { METRICS, PAIR_METRICS } from '../evaluate/metrics.js';
import { evaluationHeadline } from '../evaluate/report/evaluation-document.js';
import type { OutcomeSummary } from '../evaluate/summary/accuracy.js';
import type { Interval } from '../report/statistics/bootstrap.js';
import { countNoun, formatCount } from '../counts.js';
import { endsOf, formatRange, tooFew } from '../report/figures.js';

/** Ids shown at most of what is wrong. */
const MAX_LISTED = 10;

/** A mean and its interval, with what was drawn to find it. */
function intervalText(interval: Interval | null, { interactions }: PairScores): string {
  if (interval === null) return '–';
  const { mean, confidence } = interval;
  const units = interactions === null ? 'questions' : 'interactions';
  if (endsOf(interval) === null) return `${mean.toFixed(3)} (${tooFew(units)})`;
  const range = formatRange(interval, units, (end) => end.toFixed(3));
  return `${mean.toFixed(3)}, ${(100 * confidence).toFixed(0)}% interval ${range} by bootstrap over ${units}`;
}

/** Accuracy and outcomes of all pairs and by hardness, as a table. */
function outcomeTable(scores: PairScores): string[] {
  const { hardness } = scores;
  const levels: [string, OutcomeSummary][] = [
    ['all', scores],
    ...HARDNESS_LEVELS.map((level): [string, OutcomeSummary] => [level, hardness[level]]),
    ...(hardness.unknown === undefined ? [] : [['unknown', hardness.unknown] as [string, OutcomeSummary]]),
  ];
  const met = OUTCOMES.filter((outcome) => outcome === 'correct' || scores.outcomes[outcome] > 0);
  const rowOf = (label: string, of: (summary: OutcomeSummary) => string | number): string =>
    row(
      label,
      levels.map(([, summary]) => of(summary)),
    );
  return [
    row(
      '',
      levels.map(([name]) => name),
    ),
    rowOf('pairs', ({ pairs }) => pairs),
    rowOf('accuracy', ({ accuracy }) => ratio(accuracy)),
    ...met.map((outcome) => rowOf(outcome, ({ outcomes }) => outcomes[outcome])),
  ];
}

function interactionLines({ interactions }: PairScores): string[] {
  if (interactions === null) return [];
  const { correct, accuracy, byTurn } = interactions;
  const turns = byTurn.map((turn, i) => `turn ${i + 1} ${ratio(turn.accuracy)}`).join(', ');
  const count = `${formatCount(correct)} of ${countNoun(interactions.interactions, 'interaction')}`;
  return [`  interaction match ${ratio(accuracy)} (${count}); question match by ${turns}`];
}

function comparisonLines({ other, comparison }: Partial<Compared<PairScores>>): string[] {
  if (other === undefined || comparison === undefined) return [];
  const { difference, mcNemar } = comparison;
  const { onlyFirst, onlySecond, p, midP } = mcNemar;
  return [
    '  compared with:',
    ...outcomeTable(other).map((line) => `  ${line}`),
    `    difference ${intervalText(difference, other)}`,
    `    McNemar: right by the first alone ${onlyFirst}, by the second alone ${onlySecond}; p = ${p.toPrecision(3)}, mid-p = ${midP.toPrecision(3)}`,
  ];
}

function wrongLines({ wrong }: PairScores, hint: string): string[] {
  if (wrong.length === 0) return [];
  const more = wrong.length > MAX_LISTED ? `, and ${formatCount(wrong.length - MAX_LISTED)} more` : '';
  return [`  wrong${hint}: ${wrong.slice(0, MAX_LISTED).join(', ')}${more}`];
}

function pairSection(
  { heading, lines, details }: PairMetricKind,
  section: Section<PairScores>,
  { hint, isVerbose }: { readonly hint: string; readonly isVerbose: boolean },
): string[] {
  return [
    '',
    `${heading}, ${section.mode}: ${intervalText(section.interval, section)}`,
    ...outcomeTable(section),
    ...wrongLines(section, hint),
    ...interactionLines(section),
    ...(lines?.(section) ?? []),
    ...(isVerbose ? (details?.(section) ?? []) : []),
    ...comparisonLines(section),
  ];
}

function linkingLines(linking: LinkingSummary): string[] {
  return ['', `schema linking, ${linking.mode}: ${countNoun(linking.questions, 'question')}`, ...setTable(linking)];
}

function badGoldLines({ badGold }: EvaluationReport): string[] {
  if (badGold.length === 0) return [];
  return [
    `${countNoun(badGold.length, 'time')} gold is not correct against itself; it counts as not correct:`,
    ...badGold.slice(0, MAX_LISTED).map(({ metric, id, reason }) => `  ${id}, ${metric}: ${reason}`),
    ...(badGold.length > MAX_LISTED ? [`  and ${formatCount(badGold.length - MAX_LISTED)} more`] : []),
  ];
}

function headLines({ gold, predictions }: EvaluationReport): string[] {
  if (gold === null || predictions === null) return [];
  const turns = gold.interactions === null ? '' : ` in ${countNoun(gold.interactions, 'interaction')}`;
  const { file, comparedWith } = predictions;
  return [
    `gold         ${gold.file}: ${countNoun(gold.queries, 'query', 'queries')}${turns}`,
    `predictions  ${file}`,
    ...(comparedWith === null ? [] : [`compared     ${comparedWith}`]),
  ];
}

/** An evaluation for a terminal: the answer, and a table for each metric; components and hashes where it is `isVerbose`. */
export async function renderEvaluation(report: EvaluationReport, isVerbose = false): Promise<readonly string[]> {
  const sections = PAIR_METRICS.map(async (name) => {
    const section = report[name];
    return section === undefined
      ? []
      : pairSection(await METRICS[name].load(), section, {
          hint: name === 'suite' ? ', --explain ID shows why' : '',
          isVerbose,
        });
  });
  const { linking } = report;
  return [
    evaluationHeadline(report),
    ...headLines(report),
    ...badGoldLines(report),
    ...(await Promise.all(sections)).flat(),
    ...(linking === undefined ? [] : linkingLines(linking)),
    ...(hasUnknownHardness(report) ? ['', UNKNOWN_HARDNESS_NOTE] : []),
  ];
}
