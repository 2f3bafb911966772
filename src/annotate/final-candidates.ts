import { isFile } from '../regular-file.js';
import { InputFormatError } from '../errors.js';
import type { AdvetaCandidate } from '../formats/adveta-release.js';
import { isSqliteFile } from '../formats/sqlite-tables.js';
import { type CandidateForm, type NamedTable, toDecisions } from '../variants/candidates/candidate-forms.js';
import { AnnotationProject } from './project/annotation-project.js';

/** Headers of the tables that are known by an id alone, as those of ADVETA's WikiSQL are. */
function headersOf(project: AnnotationProject): ReadonlyMap<string, { readonly header: readonly string[] }> {
  const headers = new Map<string, { readonly header: readonly string[] }>();
  for (const { item, context } of project.items()) {
    if (item.tableOriginal !== item.dbId || headers.has(item.dbId)) continue;
    headers.set(item.dbId, { header: context.columns.map(({ name }) => name) });
  }
  return headers;
}

function requireNames(project: AnnotationProject, file: string): void {
  const { items, kindCounts } = project.summary();
  if (kindCounts.SPLIT === undefined || kindCounts.SPLIT < items) return;
  throw new InputFormatError('the project splits questions, and has no names', {
    where: { file },
    fix: 'Name a project that was made of candidates; this one is for `perturbql compose --annotations`.',
  });
}

/**
 * The names that people chose in a project: of each item those of its final answer, adjudicated, single, or of the
 * majority.
 * @throws AnnotationError when the file is no project; InputFormatError when no name has been chosen
 */
export function loadFinalCandidates(file: string): readonly AdvetaCandidate[] {
  return AnnotationProject.with(file, { readonly: true }, (project) => {
    requireNames(project, file);
    const headers = headersOf(project);
    const candidates = [...project.finalAnswers()].flatMap(({ item, accepted, written }) => {
      const { kind: bucket, dbId, tableOriginal: table, column, columnOriginal } = item;
      if (bucket === 'SPLIT') return [];
      return [...accepted, ...written].map((candidate) => ({
        dbId,
        table,
        column,
        columnOriginal,
        candidate,
        bucket,
        ...headers.get(dbId),
      }));
    });
    if (candidates.length > 0) return candidates;
    throw new InputFormatError('nobody has chosen a name yet', {
      where: { file },
      fix: 'Annotate first: `perturbql annotate serve`.',
    });
  });
}

function* tablesOfProject(file: string): Generator<NamedTable> {
  const project = AnnotationProject.open(file, { readonly: true });
  try {
    for (const { item, context } of project.items()) {
      if (item.kind === 'SPLIT') continue;
      const own = { name: item.column, originalName: item.columnOriginal };
      const columns = [...context.columns.map(({ name, originalName }) => ({ name, originalName })), own];
      yield { dbId: item.dbId, name: item.table, originalName: item.tableOriginal, columns };
    }
  } finally {
    project.close();
  }
}

/** Annotation projects as what `--candidates` may name. */
export const PROJECT_CANDIDATES: CandidateForm = {
  matches: (from) => isFile(from) && isSqliteFile(from),
  load: (from, databases, { onFound }) => toDecisions(loadFinalCandidates(from), databases, onFound),
  tables: tablesOfProject,
};
