import { join } from 'node:path';
import type { Answer } from '../../src/annotate/annotation.js';
import { initSplitProject, type SplitInitOptions } from '../../src/annotate/init/init-split-project.js';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { DEFAULT_SETTINGS, type NewPerson } from '../../src/annotate/project/project-content.js';
import { QuestionAligner } from '../../src/compositional/align/align-question.js';
import { annotatedSplitOf } from '../../src/compositional/align/annotated-split.js';
import { joinKeysOf } from '../../src/compositional/clauses/join-keys.js';
import { clausesOf } from '../../src/compositional/clauses/read-clauses.js';
import { segmentsAt } from '../../src/compositional/split/segment.js';
import { itemAt, mustGet } from '../../src/present.js';
import { EXAMPLES } from '../variants/relations/cases.js';

/** Words that sub-sentences of some of our examples begin with, by the example's place. */
const BREAKS: readonly (readonly [place: number, begins: readonly string[]])[] = [
  [0, ['come from']],
  [1, ['that mature', ', cheapest']],
  [3, ['whose gardener']],
  [12, ['with the highest']],
];

const ALL = [...EXAMPLES.examples()];

/** Proposed splits of four of our examples. */
export function sampleSplits(): SplitInitOptions['splits'] {
  return BREAKS.map(([position, begins]) => {
    const { id, dbId, question, query: gold } = itemAt(ALL, position);
    const database = mustGet(EXAMPLES.databases.get(dbId), dbId);
    const segments = segmentsAt(question, [0, ...begins.map((words) => question.indexOf(words))]);
    const query = clausesOf(gold, database, joinKeysOf(database));
    const aligned = new QuestionAligner(database).align({ id, question, segments, query });
    return { split: annotatedSplitOf(aligned, database, { position, gold }), database };
  });
}

/** Makes `split.db` in a folder: Ada and Ben annotate every question both, Rita reviews. */
export function createSplitProject(folder: string, splits: SplitInitOptions['splits'] = sampleSplits()): string {
  const out = join(folder, 'split.db');
  const people: NewPerson[] = [
    { name: 'Ada', role: 'annotator' },
    { name: 'Ben', role: 'annotator' },
    { name: 'Rita', role: 'reviewer' },
  ];
  const settings = { ...DEFAULT_SETTINGS, name: 'Gardens', overlap: 2, chunkSize: 3 };
  initSplitProject({ splits, out, people, settings });
  return out;
}

/** An answer of these marks that is handed in. */
export function marksAnswer(accepted: readonly string[], given: Partial<Answer> = {}): Answer {
  return { state: 'done', accepted, written: [], comment: '', flagged: false, ...given };
}

/** Works with a project and closes it. */
export function inProject<T>(file: string, work: (project: AnnotationProject) => T): T {
  const project = AnnotationProject.open(file);
  try {
    return work(project);
  } finally {
    project.close();
  }
}
