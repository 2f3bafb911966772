import { dataName } from './augment-headline.js';
import { formatCount, formatNoun } from '../../report/figures.js';
import type { CasesSection } from '../../report/document/case.js';
import {
  type Chapter,
  nameSpan,
  type ReportDocument,
  type Row,
  type TableSection,
} from '../../report/document/document.js';
import { EXPECTED_ANSWERS, type ExpectedAnswer, expectedAnswer } from '../relations/expected-answer.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import { areGoldsEqual, type MutateReport } from '../mutate/mutate-report.js';

/** Reasons as relations count them, in words. */
const WORDS: Readonly<Record<string, string>> = {
  'dropped-table-alone': 'the query reads the table that goes without the one that takes its columns',
  'gold-can-still-be-read': 'the gold query still runs without what was removed',
  'gold-cannot-follow': 'the gold query can’t be rewritten for the changed schema',
  'gold-unreadable': 'the gold query can’t be read',
  'index-of-the-gold': 'the gold query names an index that the changed table may lack',
  'name-in-the-gold': 'the gold query uses the name',
  'names-become-ambiguous': 'names of the gold query would be ambiguous',
  'names-in-another-script': 'the new names would be in another script than those of the schema',
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
  'nothing-to-change': 'there is nothing to change',
  'one-table': 'the database has one table',
  'star-has-the-order': 'the query’s * depends on the order of columns',
  'star-selects-all': 'the query’s * selects all columns',
};

/** A reason why there is no mutant, in words; one that is not known, such as a user’s own, unchanged. */
function reasonWords(reason: string): string {
  return WORDS[reason] ?? reason;
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

/**
 * How many mutants keep the answer of their seed, by which relations, and which ones don't; relations without a mutant,
 * by name.
 */
function describeAnswers(relations: MutateReport['relations']): string {
  const entries = Object.entries(relations);
  const answers = EXPECTED_ANSWERS.flatMap((answer) => {
    const counts = entries.map(([key, { expectations }]) => {
      const own = Object.entries(expectations) as [MutantRecord['expectation'], number][];
      const held = own.filter(([expectation]) => expectedAnswer({ expectation }) === answer);
      return { key, count: held.reduce((sum, [, count]) => sum + count, 0) };
    });
    const having = counts.filter(({ count }) => count > 0);
    const count = having.reduce((sum, one) => sum + one.count, 0);
    return count === 0
      ? []
      : [`${ANSWERS[answer](`${formatCount(count)} by ${nameAll(having.map(({ key }) => key))}`)}.`];
  });
  const without = entries.filter(([, { written }]) => written === 0).map(([key]) => key);
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

function relationTable({ relations }: MutateReport): TableSection {
  const figures = (head: string, title: string): TableSection['columns'][number] => ({ head, kind: 'figures', title });
  return {
    kind: 'table',
    caption: 'Mutants by relation',
    columns: [
      { head: 'Relation', kind: 'words' },
      figures('Examples', 'examples with a mutant that is written'),
      figures('Made', 'mutants that the relation made'),
      figures('Written', 'mutants that sampling kept'),
      figures('Fluency', 'mean over reworded questions, 0 to 1'),
    ],
    rows: Object.entries(relations).map(([key, { name, seeds, cases, written, fluency }]): Row => ({
      cells: [
        { text: [{ ...nameSpan(key), href: `#find=${encodeURIComponent(`"${key}, "`)}` }], sub: name },
        seeds,
        cases,
        written,
        fluency === null ? null : fluency.toFixed(2),
      ],
    })),
  };
}

/** Why relations made no mutant, or dropped some: a row for each reason of a relation. */
function reasonTable({ relations }: MutateReport): TableSection | null {
  const rows = Object.entries(relations).flatMap(([key, { notApplicable, unexpressible, dropped }]) => {
    const reasons = [notApplicable, unexpressible, dropped].flatMap((counts) => Object.entries(counts));
    return reasons.map(([reason, count]): Row => ({ cells: [[nameSpan(key)], reasonWords(reason), count] }));
  });
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    caption: 'Where a relation made no mutant',
    columns: [
      { head: 'Relation', kind: 'words' },
      { head: 'Because', kind: 'words' },
      { head: 'Times', kind: 'figures' },
    ],
    rows,
  };
}

function detailFacts(report: MutateReport): Chapter['sections'][number] {
  const { total, fluency, databases, dataset } = report;
  const score = (value: number | null): string => (value === null ? 'none' : value.toFixed(2));
  const executed = databases === null ? 'not executed' : areGoldsEqual(report) ? 'all equal' : 'not all equal';
  return {
    kind: 'facts',
    facts: [
      ['Data set’s format', [nameSpan(dataset)]],
      ['Mutants made', formatCount(total.cases)],
      ['Mutants written', formatCount(total.written)],
      ['Changed schemas', formatCount(total.schemas)],
      ['Results of gold queries', executed],
      ['Fluency of the examples’ questions', score(fluency.seeds)],
      ['Fluency of reworded questions', score(fluency.mutants)],
    ],
  };
}

function chaptersOf(report: MutateReport, samples: CasesSection): readonly Chapter[] {
  const reasons = reasonTable(report);
  return [
    ...(samples.cases.length === 0
      ? []
      : [
          {
            id: 'samples',
            heading: 'Samples of each relation',
            link: 'Samples',
            note: 'An example and a mutant of it, at most five of a relation; mutants.jsonl has them all. What differs is marked.',
            sections: [samples],
          },
        ]),
    { id: 'relations', heading: 'By relation', link: 'Relations', sections: [relationTable(report)] },
    ...(reasons === null
      ? []
      : [
          {
            id: 'missing',
            heading: 'Where there is no mutant',
            link: 'No mutant',
            layout: 'folded' as const,
            sections: [reasons],
          },
        ]),
    { id: 'details', heading: 'Details', layout: 'folded', sections: [detailFacts(report)] },
  ];
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
    plot: null,
    warnings: report.warnings,
    chapters: chaptersOf(report, samples),
    version: report.perturbql,
  };
}
