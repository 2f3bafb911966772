import { itemAt } from '../../present.js';
import { type CaseSide, type CasesSection, lowestRanked, type ReportCase } from '../../report/document/case.js';
import { factsOf, casesOf, chapterOf, headed, shareLane, tableOf } from '../../report/document/sections.js';
import type { ComparedRun } from './compared-runs.js';
import { type AttackReport, measuredMetrics, DRAWN } from '../attack/attack-report.js';
import { attackSides, CASE_STATUS_LABELS } from '../attack/report/attack-cases.js';
import { changeOf } from '../judged-answer.js';
import {
  commonMetrics,
  keyCases,
  type KeyedCase,
  type ComparedDrop,
  type ComparedScore,
  type RunComparison,
  type RunSummary,
} from './compare-runs.js';
import { documentLines } from '../../report/document/document-lines.js';
import {
  type Cell,
  type Chapter,
  type FactsSection,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type Row,
  type TableSection,
  type Text,
} from '../../report/document/document.js';
import { formatCount } from '../../counts.js';
import {
  endsOf,
  formatPercent,
  formatPointRange,
  formatPoints,
  formatProbability,
  formatTenths,
} from '../../report/figures.js';
import { UNKNOWN_HARDNESS, UNKNOWN_HARDNESS_NOTE } from '../../evaluate/exact/hardness.js';
import { groupBy } from '../../run/group-by.js';
import { ATTACK_METRIC_TITLES } from '../../victims/scoring.js';

/** What a run answered to a case, as one side. */
function sideOf({ one, variant }: KeyedCase, { scores }: AttackReport, label: string): CaseSide {
  const bare = { ...one.original, kind: 'ADD' as const, changes: [], gold: one.gold, seed: 0, queries: 1 };
  const sides = attackSides(one, variant ?? bare, measuredMetrics(scores));
  return { ...sides[variant === null ? 0 : 1], label };
}

/** Cases of both runs by the first metric of both, what the first answered before what the second did. */
function compareCases(runs: readonly ComparedRun<AttackReport>[]): CasesSection {
  const [first, second] = [itemAt(runs, 0).report, itemAt(runs, 1).report];
  const [metric] = commonMetrics(first, second);
  const theirs = keyCases(second);
  const cases = [...keyCases(first)].flatMap(([key, ours]): readonly ReportCase[] => {
    const other = theirs.get(key);
    if (other === undefined || metric === undefined) return [];
    const { one, condition, variant, answer } = ours;
    return [
      {
        id: `${one.id}/${condition}${variant === null ? '' : `/${variant.seed}`}`,
        question: one.question,
        gloss: variant === null ? 'original tables' : `${condition}, seed ${variant.seed}`,
        status: changeOf(answer[metric], other.answer[metric]) ?? 'none',
        facets: {
          condition,
          answer: answer.predicted === other.answer.predicted ? 'the same' : 'another',
          ...(one.hardness !== null && { hardness: one.hardness }),
          database: one.dbId,
        },
        reason: null,
        sides: [sideOf(ours, first, 'First run'), sideOf(other, second, 'Second run')],
        notes: [],
      },
    ];
  });
  const [broken, fixed] = ['broken', 'fixed'].map((turn) => cases.filter(({ status }) => status === turn));
  const shortest = (some: readonly ReportCase[] = []) => lowestRanked(some, ({ question }) => question.length)?.id;
  const open = shortest(broken) ?? shortest(fixed) ?? null;
  return casesOf(CASE_STATUS_LABELS, ['condition', 'answer', 'hardness', 'database'], cases, open);
}

/** A SHA-256 in hexadecimal digits, and the digits of it that are shown. */
const HASH = /[0-9a-f]{64}/g;
const SHOWN_DIGITS = 12;

/**
 * The part of a long setting that another value of it has not: of a fingerprint the fields that differ, hashes cut
 * short; of a path the folders that differ. An ellipsis stands for what both have.
 */
export function differingPart(text: string, other: string): string {
  const [own, others] = [text, other].map((value) => value.split(/(?<=[,/])|(?=\+)/)) as [string[], string[]];
  const most = Math.min(own.length, others.length);
  let start = 0;
  while (start < most && own[start] === others[start]) start++;
  let after = 0;
  while (after < most - start && own.at(-1 - after) === others.at(-1 - after)) after++;
  const part = own.slice(start, own.length - after).join('');
  if (part === '') return '…';
  const shown = part.replace(HASH, (hash) => hash.slice(0, SHOWN_DIGITS));
  return `${start > 0 ? '…' : ''}${shown}${after > 0 ? '…' : ''}`;
}

/** Checks whether an interval says that a difference is beyond chance. */
function isClear({ difference }: Pick<ComparedScore, 'difference'>): boolean {
  const ends = endsOf(difference);
  return ends !== null && (ends.low > 0 || ends.high < 0);
}

/** The runs that have nothing right on the original tables, in a sentence; null where both have something. */
function describeNothing({ scores }: RunComparison): string | null {
  const originals = scores.filter(({ condition }) => condition === 'original');
  const isNothing = (run: 'first' | 'second'): boolean =>
    originals.length > 0 && originals.every((score) => score[run] === 0);
  const none = (['first', 'second'] as const).filter(isNothing);
  if (none.length === 0) return null;
  const whose = none.length === 2 ? 'neither run' : `the ${none.join('')} run`;
  const verb = none.length === 2 ? 'has any answer' : 'has no answer';
  return `Nothing can be compared: ${whose} ${verb} right on the original tables. Look at what the model says: answers.jsonl`;
}

/** The first metric in a sentence: what differs beyond chance, by the intervals. */
function headlineOf(comparison: RunComparison): string {
  const { scores } = comparison;
  const nothing = describeNothing(comparison);
  if (nothing !== null) return nothing;
  const own = scores.filter(({ metric }) => metric === scores[0]?.metric);
  const [first] = own;
  if (first === undefined) return 'Two runs without a case in common';
  const title = ATTACK_METRIC_TITLES[first.metric].toLowerCase();
  const parts = own.filter(isClear).map(({ condition, difference }, i) => {
    const where = condition === 'original' ? 'on the original tables' : `under ${condition}`;
    const mean = difference?.mean ?? 0;
    return `${formatTenths(Math.abs(mean))}${i === 0 ? ' points' : ''} ${mean < 0 ? 'lower' : 'higher'} ${where}`;
  });
  if (parts.length === 0) return `The two runs don’t differ clearly in ${title}`;
  return `The second run’s ${title} is ${new Intl.ListFormat('en').format(parts)}`;
}

function describeRun({ name, victim }: RunSummary): Text {
  return [nameSpan(victim.id), ' (', nameSpan(name), ')'];
}

function changeCell(difference: ComparedScore['difference']): Cell {
  if (difference === null) return null;
  const { mean } = difference;
  return { text: formatPoints(mean), sub: formatPointRange(difference, 'examples'), sort: Number(mean.toFixed(6)) };
}

const SCORE_COLUMNS = headed(
  'Right',
  'First',
  'Second',
  ['Change', 'points, second less first, with the 95% interval'],
  ['Newly wrong', 'cases that only the first run has right'],
  ['Newly right', 'cases that only the second run has right'],
  ['p', 'exact McNemar test, two-sided'],
);

function scoreRow({ condition, first, second, difference, mcNemar }: ComparedScore, name: string): Row {
  return {
    cells: [
      `${name}, ${condition}`,
      formatPercent(first),
      formatPercent(second),
      changeCell(difference),
      mcNemar.onlyFirst,
      mcNemar.onlySecond,
      formatProbability(mcNemar.p),
    ],
  };
}

function scoreTable(scores: readonly ComparedScore[]): TableSection {
  const rows = scores.map((score) => scoreRow(score, ATTACK_METRIC_TITLES[score.metric]));
  return tableOf('Accuracy of both runs on the cases that both have', SCORE_COLUMNS, rows);
}

function hardnessTables(scores: readonly ComparedScore[]): readonly TableSection[] {
  return [...groupBy(scores, ({ metric }) => metric)].map(([metric, own]) => {
    const rows = own.map((score) => scoreRow(score, score.hardness ?? UNKNOWN_HARDNESS));
    return tableOf(`${ATTACK_METRIC_TITLES[metric]} by hardness`, SCORE_COLUMNS, rows);
  });
}

function dropTable(drops: readonly ComparedDrop[]): TableSection {
  const rows = drops.map(({ metric, condition, first, second, difference }) => {
    const name = `${ATTACK_METRIC_TITLES[metric]}, ${condition}`;
    return { cells: [name, formatTenths(first), formatTenths(second), changeCell(difference)] };
  });
  const columns = headed('Points lost', 'First', 'Second', 'Difference');
  return tableOf('Points that each run loses against its own original tables', columns, rows);
}

/** Differences with their intervals around zero; null where there is none. */
function differencePlot(scores: readonly ComparedScore[]): PlotSection | null {
  const shown = scores.flatMap((row) => (row.difference === null ? [] : [{ ...row, difference: row.difference }]));
  if (shown.length === 0) return null;
  const reach = shown.flatMap(({ difference: { mean, low, high } }) => [mean, low ?? mean, high ?? mean]);
  const limit = Math.ceil(Math.max(0.01, ...reach.map(Math.abs)) * 20) / 20;
  const laneOf = ({ condition, difference }: (typeof shown)[number]) => {
    const tone = condition === 'original' ? 'original' : condition === 'RPL' ? 'rpl' : 'add';
    const label = condition === 'original' ? 'Original tables' : condition;
    return shareLane(label, difference.mean, difference, tone, formatPoints(difference.mean));
  };
  return {
    kind: 'plot',
    mark: 'dot',
    title: 'Change in accuracy, points',
    groups: [...groupBy(shown, ({ metric }) => metric)].map(([metric, own]) => ({
      heading: ATTACK_METRIC_TITLES[metric],
      lanes: own.map(laneOf),
    })),
    axis: { from: -limit, to: limit, title: 'second less first, points, with 95% intervals' },
    ticks: [-limit, 0, limit].map((at) => [at, formatPoints(at)] as const),
  };
}

function matchTable({ matches }: RunComparison): TableSection {
  const columns = headed(
    'Condition',
    'Both',
    ['Only first', 'cases that only the first run has'],
    ['Only second', 'cases that only the second run has'],
    ['Otherwise perturbed', 'of the cases of both, those whose tables were perturbed in another way'],
  );
  const rows = matches.map(({ condition, both, onlyFirst, onlySecond, otherwisePerturbed }) => ({
    cells: [condition, both, onlyFirst, onlySecond, otherwisePerturbed],
  }));
  return tableOf('Cases are joined by example (id, database, question), kind and seed', columns, rows);
}

/** Characters of a setting that is shown whole. */
const LONGEST_SETTING = 60;

function differenceTable({ differences }: RunComparison): TableSection {
  const short = (text: string, other: string): Text => {
    const isLong = Math.max(text.length, other.length) > LONGEST_SETTING;
    return isLong ? [{ text: differingPart(text, other), as: 'code', title: text }] : [nameSpan(text)];
  };
  const columns = ['Setting', 'First', 'Second'].map((head) => ({ head, kind: 'words' as const }));
  const rows = differences.map(({ what, first, second, questions }): Row => {
    const name: Text = questions ? [what, ' ', { text: 'other questions', as: 'tag' }] : what;
    return { cells: [name, short(first, second), short(second, first)] };
  });
  return tableOf('What differs in their settings', columns, rows);
}

function runFacts({ name, victim, dataset, settings }: RunSummary, which: string): FactsSection {
  return factsOf([
    [which, [nameSpan(name)]],
    ['Victim', [nameSpan(victim.description)]],
    ['Examples', [nameSpan(dataset.examplesName ?? dataset.format), `, ${formatCount(dataset.examples)}`]],
    ['Candidates', [nameSpan(settings.candidates ?? 'none')]],
    ['Strategy', settings.strategy],
    ['Seeds', settings.seeds.join(', ')],
  ]);
}

const ACCURACY_NOTE = `Percent; the change in points with its 95% interval, by bootstrap over ${DRAWN}. Where an example was asked with several seeds its cases are not independent, and the interval is a safer guide than p.`;
const DROP_NOTE = 'Where the difference is above 0, the second run is the less robust one.';

function chaptersOf(comparison: RunComparison, runs: readonly ComparedRun<AttackReport>[]): readonly Chapter[] {
  const { first, second, scores, drops, byHardness, differences } = comparison;
  const cases = compareCases(runs);
  const settings = differences.length === 0 ? [] : [differenceTable(comparison)];
  const facts = [runFacts(first, 'First'), runFacts(second, 'Second')];
  const chapters = [
    chapterOf('cases', 'Cases', cases.cases.length === 0 ? [] : [cases], {
      note: 'What both runs answered to the same question on the same tables; newly wrong: right in the first run, wrong in the second.',
    }),
    chapterOf('accuracy', 'Accuracy', scores.length === 0 ? [] : [scoreTable(scores)], { note: ACCURACY_NOTE }),
    chapterOf('robustness', 'Points lost to perturbation', drops.length === 0 ? [] : [dropTable(drops)], {
      link: 'Robustness',
      note: DROP_NOTE,
    }),
    chapterOf('hardness', 'By hardness', hardnessTables(byHardness), {
      link: 'Hardness',
      ...(byHardness.some(({ hardness }) => hardness === UNKNOWN_HARDNESS) && { note: UNKNOWN_HARDNESS_NOTE }),
      layout: 'folded',
    }),
    chapterOf('runs', 'The runs', [...settings, matchTable(comparison), ...facts], { link: 'Runs' }),
  ];
  return chapters.filter(({ sections }) => sections.length > 0);
}

/** A comparison of two attacks as a document. */
export function compareDocument(
  comparison: RunComparison,
  runs: readonly ComparedRun<AttackReport>[],
  version: string,
): ReportDocument {
  const { first, second, scores, warnings } = comparison;
  return {
    title: `${first.name} and ${second.name} compared`,
    command: 'compare',
    subject: [nameSpan(first.name), ' and ', nameSpan(second.name)],
    headline: headlineOf(comparison),
    lede: [
      'First: ',
      ...describeRun(first),
      '. Second: ',
      ...describeRun(second),
      '. Both on the cases that both have.',
    ],
    plot: differencePlot(scores),
    warnings,
    chapters: chaptersOf(comparison, runs),
    version,
    footer: 'The figures are those of `perturbql compare --json`.',
  };
}

/** The chapters that a terminal shows. */
const BRIEF = ['accuracy', 'robustness', 'runs'];

/** A comparison for a terminal. */
export function compareLines(document: ReportDocument): readonly string[] {
  const hasIntervals = document.chapters.some(({ id }) => id === 'accuracy');
  return [...documentLines(document, BRIEF), ...(hasIntervals ? [`intervals by bootstrap over ${DRAWN}`] : [])];
}
