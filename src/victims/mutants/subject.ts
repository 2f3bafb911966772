import type { DatasetExample } from '../../formats/dataset.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import type { RecomposedQuestion } from '../recomposition/recomposed-case.js';

/** A question to a victim, with its gold query: a seed, a mutant, or a mutant that was shrunk. */
export type Subject = Pick<MutantRecord, 'id' | 'seed' | 'db_id' | 'origin' | 'question' | 'query'>;

/** A mutant as it is judged: the gold and fluency of its record play no part. */
export type MutantSubject = Subject & Pick<MutantRecord, 'relations' | 'expectation' | 'details' | 'level' | 'mapping'>;

/** A seed with the mutants that were made of it. */
export interface SeedGroup {
  readonly example: DatasetExample;
  readonly seed: Subject;
  readonly mutants: readonly MutantSubject[];
}

/** A data set's example as it is asked. */
export function seedSubject({ id, dbId, question, query }: DatasetExample): Subject {
  return { id, seed: id, db_id: dbId, origin: dbId, question, query: query === '' ? null : query };
}

/** A composed question, or a parent of one, as it is asked. */
export function recomposedSubject({ id, dbId, question, query }: RecomposedQuestion): Subject {
  return { id, seed: id, db_id: dbId, origin: dbId, question, query };
}
