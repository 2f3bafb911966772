import { statSync } from 'node:fs';
import { InputFormatError } from '../errors.js';
import type { AdvetaCandidate } from '../formats/adveta-candidates.js';
import { isSqliteFile } from '../formats/is-sqlite-file.js';
import { addCandidateForm, type NamedTable, toDecisions } from '../perturb/candidate-forms.js';
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

function* tablesOfProject(file: string): Generator<NamedTable> {
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    for (const { item, context } of project.items()) {
      const own = { name: item.column, originalName: item.columnOriginal };
      const columns = [...context.columns.map(({ name, originalName }) => ({ name, originalName })), own];
      yield { dbId: item.dbId, name: item.table, originalName: item.tableOriginal, columns };
    }
  } finally {
    project.close();
  }
}

// Whoever imports this file lets `--candidates` name an annotation project.
addCandidateForm({
  matches: (from) => statSync(from, { throwIfNoEntry: false })?.isFile() === true && isSqliteFile(from),
  load: (from, databases) => toDecisions(loadFinalCandidates(from), databases),
  tables: tablesOfProject,
});
