import {
  annotationItemId,
  type AnnotationItem,
  type AnnotationKind,
  type StoredAnswer,
} from '../../src/annotate/annotation.js';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { createProject } from '../../src/annotate/project/create-project.js';
import type { ItemRecord } from '../../src/annotate/project/item-store.js';
import { DEFAULT_SETTINGS, type ProjectItem } from '../../src/annotate/project/project-content.js';

/** As Spider's tables are large, with room above. */
const COLUMNS = 10;
const QUESTIONS = 10;
const CANDIDATES = 20;
/** Two annotate everything, so that each has a project's whole length before them. */
const ANNOTATORS = ['Ada', 'Ben'] as const;
/** Share of the items that both have answered. */
const ANSWERED = 0.5;

const numbers = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);

function itemOf(table: number, column: number, kind: AnnotationKind): ProjectItem {
  const place = {
    dbId: `db_${table % 200}`,
    tableOriginal: `Table_${table}`,
    columnOriginal: `Column_${column}`,
    kind,
  };
  const names = numbers(CANDIDATES).map((i) => `name ${table} ${column} ${i}`);
  const origin = { table: `w${table}`, title: 'A table of the index with a title of some length', column: 'a column' };
  const item: AnnotationItem = {
    ...place,
    id: annotationItemId(place),
    table: `table ${table}`,
    column: `column ${column}`,
    type: 'text',
    candidates: names.map((name) => ({ name, source: 'retrieval', origin })),
  };
  const columns = numbers(COLUMNS).map((c) => ({
    name: `column ${c}`,
    originalName: `Column_${c}`,
    type: 'text' as const,
  }));
  const rows = numbers(5).map((row) => numbers(COLUMNS).map((c) => `cell ${row} ${c} of table ${table}`));
  const questions = numbers(QUESTIONS).map((q) => ({
    id: `dev:${q}`,
    question: `What is column ${column} of the table ${table} where another column has some value, question ${q}?`,
    query: `SELECT Column_${column} FROM Table_${table} WHERE Column_${q} = 'some value' ORDER BY Column_${q} LIMIT 10`,
  }));
  const scores = names.map((name, i) => ({
    name,
    bucket: i < 5 ? kind : 'rejected',
    reason: 'between-thresholds',
    similarity: 0.5,
    association: null,
    e1: 0.5,
    e2: 0.5,
  }));
  return { item, context: { entity: `thing ${table}`, columns, rows, questions }, scores };
}

function answerOf({ id, candidates }: AnnotationItem, annotator: string, at: number): StoredAnswer {
  const start = annotator === ANNOTATORS[0] ? 0 : at % 3;
  return {
    itemId: id,
    annotator,
    revision: 1,
    savedAt: new Date(Date.UTC(2026, 0, 1) + at * 20_000).toISOString(),
    state: at % 50 === 0 ? 'draft' : 'done',
    accepted: candidates.slice(start, start + 4).map(({ name }) => name),
    written: [],
    comment: '',
    flagged: at % 100 === 0,
  };
}

function* answered(items: readonly ProjectItem[]): Iterable<ItemRecord> {
  for (const [at, content] of items.slice(0, items.length * ANSWERED).entries()) {
    const answers = ANNOTATORS.map((annotator) => answerOf(content.item, annotator, at));
    yield { ...content, answers, adjudications: [], conflicts: [] };
  }
}

/** A project of so many items, half of which two annotators have answered; gives the tokens of Ada, Ben and Rita. */
export function makeLargeProject(file: string, size: number): ReadonlyMap<string, string> {
  const tables = Math.ceil(size / COLUMNS / 2);
  const items = numbers(tables)
    .flatMap((table) => numbers(COLUMNS).flatMap((c) => [itemOf(table, c, 'RPL'), itemOf(table, c, 'ADD')]))
    .slice(0, size);
  const people = [
    ...ANNOTATORS.map((name) => ({ name, role: 'annotator' as const })),
    { name: 'Rita', role: 'reviewer' as const },
  ];
  const settings = { ...DEFAULT_SETTINGS, overlap: ANNOTATORS.length };
  createProject(file, items, { settings, people });
  return AnnotationProject.with(file, {}, (project) => {
    project.importRecords({ people: [], notes: {}, records: answered(items) });
    return new Map(people.map(({ name }) => [name, project.renewToken(name)]));
  });
}
