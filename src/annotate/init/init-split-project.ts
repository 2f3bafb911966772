import type { AnnotatedSplit } from '../../formats/annotated-split.js';
import type { Database } from '../../schema/schema.js';
import type { AnnotationItem, ItemContext, SplitTask } from '../annotation.js';
import { marksOf, type MarkedSegment, segmentsOfMarks, tokensOfQuestion } from '../kinds/split-marks.js';
import { createProject } from '../project/create-project.js';
import { memoizeObject } from '../../schema/memoize.js';
import type { NewPerson, ProjectItem, ProjectSettings } from '../project/project-content.js';

/** Longest "table.column" that can be marked as extra. */
const LONGEST_COLUMN = 150;

export interface SplitInitOptions {
  /** Proposed splits, in the order in which they are shown, each with the schema of its database. */
  readonly splits: readonly { readonly split: AnnotatedSplit; readonly database: Database }[];
  /** The file to make. */
  readonly out: string;
  readonly people: readonly NewPerson[];
  readonly settings: ProjectSettings;
}

const columnsOf = memoizeObject(({ tables }: Database): ItemContext['columns'] => {
  const columns = tables.flatMap((table) =>
    table.columns.map(({ name, originalName, type }) => ({
      name,
      originalName: `${table.originalName}.${originalName}`,
      type,
    })),
  );
  return columns.filter(({ originalName }) => originalName.length <= LONGEST_COLUMN);
});

/** Segments by token: one that begins within a word begins with it, as blocks are not taken apart. */
function markedSegments({ segments }: AnnotatedSplit, tokens: SplitTask['tokens']): readonly MarkedSegment[] {
  return segments.map(({ start, clauses, extra }) => ({
    first: Math.max(
      0,
      tokens.findLastIndex((token) => token.start <= start),
    ),
    clauses,
    extra,
  }));
}

function itemOf(split: AnnotatedSplit): AnnotationItem {
  const { id: example, dbId, position, question, query, clauses, natSql } = split;
  const tokens = tokensOfQuestion(question);
  // Read again: two segments that begin within one word become one.
  const proposal = marksOf(segmentsOfMarks(marksOf(markedSegments(split, tokens))));
  return {
    id: [dbId, example, 'SPLIT'].map(encodeURIComponent).join('/'),
    kind: 'SPLIT',
    dbId,
    table: dbId,
    tableOriginal: example,
    column: question,
    columnOriginal: example,
    type: 'text',
    candidates: [],
    split: { example, position, question, query, tokens, clauses, proposal, natSql },
  };
}

/** The items of a project that asks how questions are split; what is proposed is where their annotators start from. */
export function splitItems(splits: SplitInitOptions['splits']): readonly ProjectItem[] {
  return splits.map(({ split, database }) => {
    const columns = columnsOf(database);
    return { item: itemOf(split), context: { entity: null, columns, rows: [], questions: [] }, scores: [] };
  });
}

/**
 * Makes an annotation project of proposed splits (Spider-SS, appendix C).
 * @throws AnnotationError when the file or another's log exists, or nothing would be in it
 */
export function initSplitProject({ splits, out, people, settings }: SplitInitOptions): void {
  createProject(out, splitItems(splits), { settings, people });
}
