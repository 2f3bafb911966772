import { documentLines } from '../../report/document/document-lines.js';
import {
  type Chapter,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type RichCell,
  type Row,
  type Section,
  type Column,
} from '../../report/document/document.js';
import { formatNoun } from '../../counts.js';
import {
  type Fact,
  factsOf,
  listOfNames,
  chapterOf,
  figures,
  headed,
  lowSharesPlot,
  shareCell,
  shareLane,
  tableOf,
} from '../../report/document/sections.js';
import { formatPercent, formatTenths } from '../../report/figures.js';
import { nameOfRelation } from '../../variants/relations/counted-relation.js';
import type { Banded, ConsistencyComparison } from './compare-consistency.js';

const TONES = { good: 'good', neutral: undefined, bad: 'bad' } as const;

function bandCell(value: number | null, band: Banded['bands'][number]): RichCell | null {
  if (value === null) return null;
  const tone = band === null ? undefined : TONES[band];
  return shareCell(value, { ...(band !== null && { sub: band }), ...(tone !== undefined && { tone }) });
}

function rowOf(name: Row['cells'][number], { values, average, std, bands }: Banded): Row {
  const spread = std === null ? {} : { sub: `± ${formatTenths(std)}` };
  return {
    cells: [
      name,
      ...values.map((value, i) => bandCell(value, bands[i] ?? null)),
      average === null ? null : { text: formatPercent(average), sort: average, ...spread },
    ],
  };
}

function runColumns(head: string, runs: ConsistencyComparison['runs']): readonly Column[] {
  return [
    ...headed(head),
    ...runs.map(({ name }) => ({ head: [nameSpan(name)], kind: 'figures' as const })),
    figures('Average', 'mean of these models and standard deviation'),
  ];
}

/** Rates over all relations of one kind, which stand below the relations. */
const TOGETHER: Readonly<Record<string, string>> = {
  kept: 'all whose answer must stay',
  'other-query': 'all with another answer',
  unanswerable: 'all without an answer',
  all: 'all mutants',
};

/** Relations, those first under which most answers of any model are not as expected; those without harm in a line. */
function relationSections({ runs, relations }: ConsistencyComparison): readonly Section[] {
  const single = relations.filter(({ relation }) => TOGETHER[relation] === undefined);
  const calm = single.filter(({ values }) => values.every((value) => value === 0));
  const harmful = single.filter((row) => !calm.includes(row));
  const together = relations.filter(({ relation }) => TOGETHER[relation] !== undefined);
  const name = (relation: string): RichCell => ({
    text: [nameSpan(relation)],
    sub: TOGETHER[relation] ?? nameOfRelation(relation) ?? '',
  });
  const rows = [...[...harmful].sort((a, b) => (b.average ?? 0) - (a.average ?? 0)), ...together].map((row) =>
    rowOf(name(row.relation), row),
  );
  const calmNames = calm.map(({ relation }) => relation);
  return [
    tableOf('Percent of answers that are not as they must be', runColumns('Relation', runs), rows),
    ...listOfNames('No model changes an answer under', calmNames),
  ];
}

function capabilitySections({ runs, capabilities, robustness, accuracy }: ConsistencyComparison): readonly Section[] {
  const rows = capabilities
    .filter(({ average }) => average !== null)
    .map((row) => rowOf({ text: row.id, sub: row.relations.join(', ') }, row));
  return [
    tableOf('Mean rate of the relations that ask for it', runColumns('Capability', runs), [
      ...rows,
      rowOf({ text: 'Robustness', sub: 'mean of these' }, robustness),
      rowOf({ text: 'Accuracy', sub: 'exact match on the originals; more is better' }, accuracy),
    ]),
  ];
}

type RatedRun = ConsistencyComparison['runs'][number] & { readonly rate: number };

/** Runs with a rate, the best first. */
function rankedRuns({ runs }: ConsistencyComparison): readonly RatedRun[] {
  return runs.filter((run): run is RatedRun => run.rate !== null).sort((a, b) => a.rate - b.rate);
}

function headlineOf(comparison: ConsistencyComparison): string {
  const wrong = comparison.runs.filter(({ hasRight }) => !hasRight).map(({ name }) => name);
  if (wrong.length === 0) return describeRanked(comparison);
  const none = `${new Intl.ListFormat('en').format(wrong)} ${wrong.length === 1 ? 'has' : 'have'} no answer right on the originals, so that changes tell nothing: look at answers.jsonl`;
  const rest = comparison.runs.filter(({ hasRight }) => hasRight);
  return rest.length < 2 ? none : `${describeRanked({ ...comparison, runs: rest })}; ${none}`;
}

function describeRanked(comparison: ConsistencyComparison): string {
  const ranked = rankedRuns(comparison);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  if (best === undefined || worst === undefined || best === worst)
    return `Consistency of ${formatNoun(comparison.runs.length, 'model')}`;
  const [least, most] = [best, worst].map(({ rate }) => formatPercent(rate));
  if (least === most) return `All models change ${least} of the answers that must stay`;
  return `${best.name} changes the fewest answers that must stay, ${least}; ${worst.name} the most, ${most}`;
}

function ratePlot(comparison: ConsistencyComparison): PlotSection | null {
  const ranked = rankedRuns(comparison);
  if (ranked.length === 0) return null;
  return lowSharesPlot(
    'Answers that changed though they must stay, by model',
    '',
    ranked.map(({ name, rate, interval }) => shareLane(name, rate, interval, 'add')),
    'answers that changed, with 95% intervals',
  );
}

const factOf = ({ name, victim, cases }: ConsistencyComparison['runs'][number]): Fact => {
  return [[nameSpan(name)], [nameSpan(victim.description), `, ${formatNoun(cases, 'mutant')}`]];
};

function chaptersOf(comparison: ConsistencyComparison): readonly Chapter[] {
  return [
    chapterOf('relations', 'By relation', relationSections(comparison), {
      link: 'Relations',
      note: 'Answers that changed though they must not; of questions that nothing answers, those that are not refused; of questions that ask something else, those answered wrong. Good: below the average of these models by more than half a standard deviation; bad: above it by more than that.',
    }),
    chapterOf('capabilities', 'By capability', capabilitySections(comparison), {
      link: 'Capabilities',
      note: 'Which relations a capability shows in is our own map.',
    }),
    chapterOf('runs', 'The runs', [factsOf(comparison.runs.map(factOf))], { link: 'Runs' }),
  ];
}

/** A comparison of consistency runs as a document. */
export function consistencyComparisonDocument(comparison: ConsistencyComparison, version: string): ReportDocument {
  const { runs, warnings } = comparison;
  const names = runs.flatMap(({ name }, i) => [...(i > 0 ? [', '] : []), nameSpan(name)]);
  return {
    title: `${runs.length} models compared: consistency`,
    command: 'consistency compare',
    subject: names,
    headline: headlineOf(comparison),
    lede: `${formatNoun(runs.length, 'model')}; the rates above are of the answers that must stay.`,
    plot: ratePlot(comparison),
    warnings,
    chapters: chaptersOf(comparison),
    version,
    footer: 'The figures are those of `perturbql consistency compare --json`.',
  };
}

/** A comparison of consistency runs for a terminal. */
export function consistencyComparisonLines(document: ReportDocument): readonly string[] {
  return documentLines(
    document,
    document.chapters.map(({ id }) => id),
  );
}
