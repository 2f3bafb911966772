import { dataName } from '../../formats/dataset.js';
import { formatCount, formatNoun } from '../../counts.js';
import type { CasesSection, Tone } from '../../report/document/case.js';
import {
  type Chapter,
  type FactsSection,
  nameSpan,
  type PlotSection,
  type ReportDocument,
  type Row,
  type TableSection,
} from '../../report/document/document.js';
import { chapterOf, factsOf, headed, orderedBars, shareLane, tableOf, words } from '../../report/document/sections.js';
import { EXPECTED_ANSWERS, type ExpectedAnswer, expectedAnswer } from '../relations/relation.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import { areGoldsEqual, type MutateReport } from '../mutate/mutate-report.js';
import { ANSWER_STATUSES } from './mutant-samples.js';

/** Reasons as relations count them, in words. */
const WORDS: Readonly<Record<string, string>> = {
  'a-subquery-passes-the-value-on': 'a subquery of the gold query passes the value on',
  'affinity-decides': 'the column’s type decides what the gold query returns',
  'column-is-gone': 'a subquery of the gold query lacks the column',
  'compared-with-another-value': 'the gold query compares the value with another one',
  'constant-is-no-value': 'the gold query has a constant that is no value of the column',
  'dropped-table-alone': 'the gold query reads the table that goes without the one that takes its columns',
  'function-of-the-value': 'the gold query calls a function of the value',
  'gold-can-still-be-read': 'the gold query still runs without what was removed',
  'gold-cannot-follow': 'the gold query can’t be rewritten for the changed schema',
  'gold-unreadable': 'the gold query can’t be read',
  'in-table': 'the gold query has an IN with a table',
  'index-of-the-gold': 'the gold query names an index that the changed table may lack',
  'name-in-the-gold': 'the gold query uses the name',
  'names-become-ambiguous': 'names of the gold query would be ambiguous',
  'names-in-another-script': 'the new names would be in another script than those of the schema',
  'natural-or-using-join': 'the gold query joins by NATURAL or USING',
  'nested-join': 'the join is nested',
  'no-candidate': 'no column that the query mentions has candidates',
  'no-column-that-only-it-has': 'every column that the query needs has a twin elsewhere',
  'no-composite-key': 'no table has a key of several columns',
  'no-foreign-key': 'there is no foreign key',
  'no-other-name': 'no other name is known',
  'no-possible-column': 'no column can be added',
  'no-rows-to-read': 'there are no rows to read',
  'no-short-name': 'no name can be shortened',
  'no-table-that-only-it-has': 'every table that the query needs has a twin',
  'no-table-to-add': 'there is no table to add',
  'no-table-with-a-key-and-enough-columns': 'no table has a key and enough columns to split',
  'no-two-columns': 'no table has two columns to choose from',
  'no-unused-column': 'the query uses every column',
  'no-unused-table': 'the query uses every table',
  'no-used-column': 'the query uses no column',
  'not-joined-by-the-key': 'the gold query joins the tables by something else than the key',
  'nothing-to-change': 'there is nothing to change',
  'one-table': 'the database has one table',
  'order-of-values': 'the gold query sorts by the value',
  'outer-or-natural-join': 'the gold query has an outer or natural join',
  'row-id': 'the gold query reads a row id',
  'row-id-of-the-dropped-table': 'the gold query reads a row id of the table that goes',
  'star-has-the-order': 'the query’s * depends on the order of columns',
  'star-selects-all': 'the query’s * selects all columns',
  'table-of-a-named-schema': 'the gold query names the schema of a table',
  'united-with-other-values': 'the gold query unites the value with others',
  'used-in-its-join': 'the gold query uses the column in the join that brings it',
};

/** A reason why there is no mutant, in words; one that is words already, such as a user’s own, unchanged. */
function reasonWords(reason: string): string {
  return WORDS[reason] ?? (reason.includes(' ') ? reason : reason.replaceAll('-', ' '));
}

/** Most relations that a sentence names. */
const NAMED = 6;

function nameAll(keys: readonly string[]): string {
  if (keys.length > NAMED) return formatNoun(keys.length, 'relation');
  return new Intl.ListFormat('en').format(keys);
}

/** The wording of each kind of mutant's demand. */
const ANSWERS: Readonly<Record<ExpectedAnswer, (mutants: string) => string>> = {
  kept: (mutants) => `${mutants} must not change the answer`,
  'other-query': (mutants) => `${mutants} ask something else, and another answer is right`,
  unanswerable: (mutants) => `${mutants} lack what the question needs: a model should say that there is no answer`,
};

/** Mutants of each relation of which an answer is expected, those with any alone. */
function countExpected(relations: MutateReport['relations'], answer: ExpectedAnswer): ReadonlyMap<string, number> {
  const counts = Object.entries(relations).map(([key, { expectations }]) => {
    const own = Object.entries(expectations) as [MutantRecord['expectation'], number][];
    const held = own.filter(([expectation]) => expectedAnswer({ expectation }) === answer);
    return [key, sumOf(held.map(([, count]) => count))] as const;
  });
  return new Map(counts.filter(([, count]) => count > 0));
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, count) => sum + count, 0);

/**
 * How many mutants keep the answer of their seed, by which relations, and which ones don't; relations without a mutant,
 * by name.
 */
function describeAnswers(relations: MutateReport['relations']): string {
  const answers = EXPECTED_ANSWERS.flatMap((answer) => {
    const having = countExpected(relations, answer);
    const count = sumOf(having.values());
    return count === 0 ? [] : [`${ANSWERS[answer](`${formatCount(count)} by ${nameAll([...having.keys()])}`)}.`];
  });
  const without = Object.entries(relations)
    .filter(([, { written }]) => written === 0)
    .map(([key]) => key);
  return [...answers, ...(without.length === 0 ? [] : [`${nameAll(without)} made none.`])].join(' ');
}

/** The answer in a sentence: how many mutants there are, and that their gold queries are right. */
function headlineOf(report: MutateReport): string {
  const { total, examples, databases } = report;
  const made = `${formatNoun(total.written, 'mutant')} of ${formatNoun(examples, 'example')}`;
  if (databases === null) return made;
  return areGoldsEqual(report)
    ? `${made}; every gold query returns what its example’s does`
    : `${made}; some gold queries don’t return what their example’s does`;
}

/** Mutants by what they ask of an answer, and those that were executed with the right result; null where there are none. */
function answerPlot({ relations, total, databases }: MutateReport): PlotSection | null {
  if (total.written === 0) return null;
  const lane = (label: string, tone: Tone, count: number, all: number) => {
    const figure = all === total.written ? formatCount(count) : `${formatCount(count)} of ${formatCount(all)}`;
    return shareLane(label, count / all, null, tone, figure);
  };
  const answers = ANSWER_STATUSES.flatMap(({ id, label, tone }) => {
    const count = sumOf(countExpected(relations, id).values());
    return count === 0 ? [] : [lane(label, tone, count, total.written)];
  });
  const tallies = Object.values(databases?.verification.relations ?? {});
  const executed = sumOf(tallies.flatMap((tally) => Object.values(tally)));
  const isRight = executed - (databases?.verification.items.length ?? 0);
  const lanes = executed === 0 ? answers : [...answers, lane('Result verified', 'rpl', isRight, executed)];
  const axis = `next to its example’s; of ${formatNoun(total.written, 'mutant')}`;
  return orderedBars('What a mutant’s right answer is', lanes, axis);
}

function relationTable({ relations }: MutateReport): TableSection {
  const columns = headed(
    'Relation',
    ['Examples', 'examples with a mutant that is written'],
    ['Made', 'mutants that the relation made'],
    ['Written', 'mutants that sampling kept'],
    ['Fluency', 'mean over reworded questions, 0 to 1'],
  );
  const rows = Object.entries(relations).map(([key, { name, seeds, cases, written, fluency }]): Row => {
    const relation = { text: [{ ...nameSpan(key), href: `#find=${encodeURIComponent(`"${key}, "`)}` }], sub: name };
    return { cells: [relation, seeds, cases, written, fluency === null ? null : fluency.toFixed(2)] };
  });
  return tableOf('Mutants by relation', columns, rows);
}

/** Why relations made no mutant, or dropped some: a row for each reason of a relation. */
function reasonTable({ relations }: MutateReport): TableSection | null {
  const rows = Object.entries(relations).flatMap(([key, { notApplicable, unexpressible, dropped }]) => {
    const times = new Map<string, number>();
    for (const [reason, count] of [notApplicable, unexpressible, dropped].flatMap((counts) => Object.entries(counts))) {
      times.set(reasonWords(reason), (times.get(reasonWords(reason)) ?? 0) + count);
    }
    return [...times].map(([reason, count]): Row => ({ cells: [[nameSpan(key)], reason, count] }));
  });
  const columns = [words('Relation'), ...headed('Because', 'Times')];
  return rows.length === 0 ? null : tableOf('Where a relation made no mutant', columns, rows);
}

function detailFacts(report: MutateReport): FactsSection {
  const { total, fluency, databases, dataset } = report;
  const score = (value: number | null): string => (value === null ? 'none' : value.toFixed(2));
  const executed = databases === null ? 'not executed' : areGoldsEqual(report) ? 'all equal' : 'not all equal';
  return factsOf([
    ['Data set’s format', [nameSpan(dataset)]],
    ['Mutants made', formatCount(total.cases)],
    ['Mutants written', formatCount(total.written)],
    ['Changed schemas', formatCount(total.schemas)],
    ['Results of gold queries', executed],
    ['Fluency of the examples’ questions', score(fluency.seeds)],
    ['Fluency of reworded questions', score(fluency.mutants)],
  ]);
}

function chaptersOf(report: MutateReport, samples: CasesSection): readonly Chapter[] {
  const reasons = reasonTable(report);
  const note =
    'An example and a mutant of it, at most five of a relation; mutants.jsonl has them all. What differs is marked.';
  const chapters = [
    samples.cases.length > 0 && chapterOf('samples', 'Samples of each relation', [samples], { link: 'Samples', note }),
    chapterOf('relations', 'By relation', [relationTable(report)], { link: 'Relations' }),
    reasons && chapterOf('missing', 'Where there is no mutant', [reasons], { link: 'No mutant', layout: 'folded' }),
    chapterOf('details', 'Details', [detailFacts(report)], { layout: 'folded' }),
  ];
  return chapters.filter((chapter) => chapter !== false && chapter !== null);
}

/** A run of `mutate` as a document; `samples` are mutants next to their examples. */
export function mutateDocument(report: MutateReport, samples: CasesSection): ReportDocument {
  const { total, relations } = report;
  const name = dataName(report);
  return {
    title: `${name}: mutants`,
    command: 'mutate',
    subject: ['examples ', nameSpan(name)],
    headline: headlineOf(report),
    lede: `${describeAnswers(relations)} On ${formatNoun(total.schemas, 'changed schema')}.`,
    plot: answerPlot(report),
    warnings: report.warnings,
    chapters: chaptersOf(report, samples),
    version: report.perturbql,
  };
}
