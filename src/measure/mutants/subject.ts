import type { DatasetExample } from '../../formats/dataset.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';

/** A question to a victim, with its gold query: a seed, a mutant, or a composition. */
export type Subject = Pick<MutantRecord, 'id' | 'seed' | 'db_id' | 'origin' | 'question' | 'query'>;

/** A mutant as it is judged: the gold and fluency of its record play no part. */
export type MutantSubject = Subject & Pick<MutantRecord, 'relations' | 'expectation' | 'details' | 'level' | 'mapping'>;

/** A seed with the mutants that were made of it. */
export interface SeedGroup {
  readonly example: DatasetExample;
  readonly seed: Subject;
  readonly mutants: readonly MutantSubject[];
}

/** A question to a database of the data set's own, as it is asked. */
export function seedSubject({
  id,
  dbId,
  question,
  query,
}: Pick<DatasetExample, 'id' | 'dbId' | 'question' | 'query'>): Subject {
  return { id, seed: id, db_id: dbId, origin: dbId, question, query: query === '' ? null : query };
}
