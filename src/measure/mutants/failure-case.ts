import type { CaseQuery, CaseSide, CaseTable, NameMark, ReportCase } from '../../report/document/case.js';
import { bareName, tokensOf } from '../../report/document/query-html.js';
import { answerQuery, differenceRows, goldQuery } from '../judged-answer.js';
import type { ReportedFailure, ReportedSide } from './mutant-report.js';

/** "singer(id, name)" as a table; another line, such as a key, as a table without columns. */
function tableOf(line: string, other: readonly CaseTable[], change: 'added' | 'removed'): CaseTable {
  const [, name = line, listed = ''] = /^(.+?)\((.*)\)$/.exec(line) ?? [];
  const twin = other.find((table) => table.name === name);
  const known = new Set(twin?.columns.map((column) => column.name));
  const columns = listed === '' ? [] : listed.split(', ');
  return { name, columns: columns.map((column) => ({ name: column, change: known.has(column) ? null : change })) };
}

function tablesOf({ before, after }: ReportedFailure['schema']): readonly [readonly CaseTable[], readonly CaseTable[]] {
  const [first, second] = [before, after].map((lines) => lines.map((line) => tableOf(line, [], 'added')));
  return [
    before.map((line) => tableOf(line, second ?? [], 'removed')),
    after.map((line) => tableOf(line, first ?? [], 'added')),
  ];
}

function queriesOf(side: ReportedSide, other: ReportedSide): readonly CaseQuery[] {
  const { gold } = side;
  return [
    ...(gold === null ? [] : [goldQuery('Gold SQL', gold, other.gold)]),
    answerQuery('Answer', side, other.predicted),
  ];
}

/** The columns of tables, and the tables themselves, by name. */
function namesIn(tables: readonly CaseTable[]): ReadonlySet<string> {
  return new Set(tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]));
}

/** Marks of the names that only one of two schemas has: in queries on the original, and on the mutant. */
function marksOf(
  first: readonly CaseTable[],
  second: readonly CaseTable[],
  gold: string | null,
): readonly [readonly NameMark[], readonly NameMark[]] {
  const [before, after] = [namesIn(first), namesIn(second)];
  const gone = [...before].filter((name) => !after.has(name));
  // A table that did not change may still have a column of this name; only the gold query can tell.
  const kept = new Set(tokensOf(gold ?? '').map(bareName));
  const mark = (name: string, as: NameMark['as'], title: string): NameMark => ({ name, as, title });
  return [
    gone.map((name) => mark(name, 'renamed', 'gone in the mutant')),
    [
      ...gone.filter((name) => !kept.has(bareName(name))).map((name) => mark(name, 'stale', 'gone in the mutant')),
      ...[...after].filter((name) => !before.has(name)).map((name) => mark(name, 'added', 'new in the mutant')),
    ],
  ];
}

/** A mutant next to its seed: question, schema, gold query and predictions. */
export function failureCase(failure: ReportedFailure, status: string): ReportCase {
  const { id, dbId, origin, relations, details, shrunkFrom, before, after, schema } = failure;
  const [first, second] = tablesOf(schema);
  const [marksBefore, marksAfter] = marksOf(first, second, after.gold);
  const isSameQuestion = before.question === after.question;
  const side = (
    label: string,
    own: ReportedSide,
    other: ReportedSide,
    [tables, marks]: readonly [readonly CaseTable[], readonly NameMark[]],
  ): CaseSide => ({
    label,
    question: isSameQuestion ? null : own.question,
    tables,
    marks,
    queries: queriesOf(own, other),
    results: [],
  });
  return {
    id,
    question: after.question,
    gloss: `${relations.join('+')}: ${details.join('; ')}`,
    status,
    facets: { condition: relations.join('+'), database: origin },
    reason: null,
    given: [...differenceRows(before.rows, 'on the original'), ...differenceRows(after.rows, 'on the mutant')],
    sides: [side('Original', before, after, [first, marksBefore]), side('Mutant', after, before, [second, marksAfter])],
    notes: [
      ...(dbId === origin ? [] : [`Database ${dbId}.`]),
      ...(shrunkFrom === null ? [] : [`Shrunk from ${shrunkFrom}.`]),
    ],
  };
}
