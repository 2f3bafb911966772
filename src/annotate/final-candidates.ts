import { InputFormatError } from '../errors.js';
import type { AdvetaCandidate } from '../formats/adveta-candidates.js';
import { AnnotationProject } from './project/annotation-project.js';

/**
 * The names that people chose in a project: of each item those of its final answer, adjudicated, single, or of the
 * majority.
 * @throws AnnotationError when the file is no project; InputFormatError when no name has been chosen
 */
export function loadFinalCandidates(file: string): readonly AdvetaCandidate[] {
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    const candidates = [...project.finalAnswers()].flatMap(({ item, accepted, written }) =>
      [...accepted, ...written].map((candidate) => ({
        dbId: item.dbId,
        table: item.tableOriginal,
        column: item.column,
        columnOriginal: item.columnOriginal,
        candidate,
        bucket: item.kind,
      })),
    );
    if (candidates.length > 0) return candidates;
    throw new InputFormatError('nobody has chosen a name yet', {
      where: { file },
      fix: 'Annotate first: `perturbql annotate serve`.',
    });
  } finally {
    project.close();
  }
}
