import { naturalHeaders } from '../../src/schema/natural-name.js';
import type { TargetTable } from '../../src/stage.js';
import { chooseTestPages, chooseTestTables, type WebTable } from './held-out-tables.js';

/** Rows of a target that are shown, as many as an index keeps. */
const ROWS_ASKED = 3;
const QUESTIONS_WITH_COLUMNS = 3;

/** A target, the ids that it should retrieve, and the id that does not count because it is the target itself. */
export interface RetrievalQuery {
  readonly target: TargetTable;
  readonly wanted: ReadonlySet<string>;
  readonly own: string | null;
}

/** Queries of one kind. */
export interface RetrievalTask {
  readonly name: string;
  readonly queries: readonly RetrievalQuery[];
}

interface TargetParts {
  readonly title?: string;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly string[])[];
  readonly questions?: readonly string[];
}

function createTarget({ title = '', columns = [], rows = [], questions = [] }: TargetParts): TargetTable {
  const named = naturalHeaders(columns).map((name) => ({ name, originalName: name, type: 'text' as const }));
  const values = columns.map((_, column) => rows.map((row) => row[column] ?? ''));
  return { dbId: '', table: { name: title, originalName: title, columns: named }, questions, values };
}

function askOwn(tables: readonly WebTable[], partsOf: (table: WebTable) => readonly TargetParts[]): RetrievalQuery[] {
  return tables.flatMap((table) =>
    partsOf(table).map((parts) => ({ target: createTarget(parts), wanted: new Set([table.id]), own: null })),
  );
}

function askPages(pages: readonly (readonly WebTable[])[], isTitled: boolean): RetrievalQuery[] {
  return pages.map(([first, ...others]) => {
    const { id, title, columns, rows } = first!;
    const target = createTarget({ title: isTitled ? title : '', columns, rows: rows.slice(0, ROWS_ASKED) });
    return { target, wanted: new Set(others.map((other) => other.id)), own: id };
  });
}

/** The test part's tasks; training/evaluate_encoder.py asks the same. */
export function createTasks(tables: readonly WebTable[]): readonly RetrievalTask[] {
  const asked = chooseTestTables(tables);
  const pages = chooseTestPages(tables);
  const withColumns = ({ columns, questions }: WebTable): TargetParts[] => [
    { columns, questions: questions.slice(0, QUESTIONS_WITH_COLUMNS) },
  ];
  return [
    { name: 'own table, all questions', queries: askOwn(asked, ({ questions }) => [{ questions }]) },
    {
      name: 'own table, first question',
      queries: askOwn(asked, ({ questions }) => [{ questions: questions.slice(0, 1) }]),
    },
    {
      name: 'own table, each question alone',
      queries: askOwn(asked, ({ questions }) => questions.map((question) => ({ questions: [question] }))),
    },
    { name: 'own table, questions and columns', queries: askOwn(asked, withColumns) },
    { name: 'same page, with title', queries: askPages(pages, true) },
    { name: 'same page, without title', queries: askPages(pages, false) },
  ];
}
