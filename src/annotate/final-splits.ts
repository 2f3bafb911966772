import { InputFormatError } from '../errors.js';
import type { AnnotatedSplit } from '../formats/annotated-split.js';
import { itemAt } from '../present.js';
import type { SplitTask } from './annotation.js';
import { segmentsOfMarks } from './kinds/split-marks.js';
import { AnnotationProject } from './project/annotation-project.js';

function splitOf(task: SplitTask, dbId: string, marks: readonly string[]): AnnotatedSplit {
  const { example: id, position, question, query, tokens, clauses, natSql } = task;
  const segments = segmentsOfMarks(marks).map(({ first, clauses: said, extra }) => ({
    start: first === 0 ? 0 : itemAt(tokens, first).start,
    clauses: said,
    extra,
  }));
  return { id, dbId, position, question, query, clauses, segments, natSql };
}

/**
 * The final answers of a project of the kind SPLIT in its order, and the number of its questions without a decision: not
 * handed in, skipped, or annotators differ.
 * @throws AnnotationError when the file is no project; InputFormatError when it has no questions, or none is decided
 */
export function loadFinalSplits(file: string) {
  return AnnotationProject.with(file, { readonly: true }, (project) => {
    const all = project.summary().kindCounts.SPLIT ?? 0;
    if (all === 0)
      throw new InputFormatError('the project asks for names, not for sub-sentences', {
        where: { file },
        fix: 'Name a project that `perturbql annotate init --kind split` made.',
      });
    const splits = [...project.finalAnswers()].flatMap(({ item: { split, dbId }, state, accepted }) =>
      split === undefined || state !== 'done' ? [] : [splitOf(split, dbId, accepted)],
    );
    if (splits.length > 0) return { splits, undecided: all - splits.length };
    throw new InputFormatError('no question has been decided yet', {
      where: { file },
      fix: 'Annotate first: `perturbql annotate serve`; where annotators differ, a reviewer decides.',
    });
  });
}
