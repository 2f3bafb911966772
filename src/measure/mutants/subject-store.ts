import { type DatasetExample, databaseOf, type Dataset } from '../../formats/dataset.js';
import type { MutantRecord } from '../../formats/artifacts/mutants.js';
import type { LazyQuestion } from '../../victims/answer-cache.js';
import type { OriginalRows } from '../original-rows.js';
import type { VictimQuestion } from '../../victims/victim.js';
import { mustGet } from '../../present.js';
import type { DeclaredTypes } from '../../sql/create-tables.js';
import type { Database } from '../../schema/schema.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import { type Cells, isOnOwnSchema, type MutantSet } from '../../variants/mutate/mutant-set.js';

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

/** The schemas, rows and sample values of seeds, mutants and compositions. */
export class SubjectStore {
  readonly #dataset: Dataset;
  readonly #run: MutantSet | null;
  readonly #rows: OriginalRows;

  /** `mutants` is null where no subject is one. */
  constructor(
    { dataset, mutants }: { readonly dataset: Dataset; readonly mutants: { readonly run: MutantSet } | null },
    rows: OriginalRows,
  ) {
    this.#dataset = dataset;
    this.#run = mutants?.run ?? null;
    this.#rows = rows;
  }

  schemaOf(subject: Subject): Database {
    return isOnOwnSchema(subject) ? this.#mutants.schemaOf(subject.db_id) : this.originOf(subject);
  }

  /** The data set's own schema that a subject's comes from. */
  originOf({ origin }: Subject): Database {
    return databaseOf(this.#dataset, origin);
  }

  /** Returns the source that a subject's queries read; null if there are no rows. */
  sourceOf(subject: Subject): QuerySource | null {
    if (!isOnOwnSchema(subject)) return this.#rows.sourceOf(subject.origin);
    const file = this.#mutants.fileOf(subject.db_id);
    return file === null ? null : { file };
  }

  /** Returns the question to a victim. */
  questionOf(subject: Subject): VictimQuestion {
    const source = this.sourceOf(subject);
    return {
      id: subject.id,
      question: subject.question,
      dbId: subject.db_id,
      schema: this.schemaOf(subject),
      dialect: this.#dataset.dialect,
      databaseFile: source?.file ?? null,
      sourceOf: () => source,
      samples: this.#samplesOf(subject),
      types: this.#typesOf(subject),
    };
  }

  /** Lists the questions to a victim, in their order. */
  questionsOf(subjects: readonly Subject[]): readonly LazyQuestion[] {
    return subjects.map((subject) => ({ id: subject.id, make: () => this.questionOf(subject) }));
  }

  get #mutants(): MutantSet {
    return mustGet(this.#run, 'a run of mutants');
  }

  #typesOf(subject: Subject): DeclaredTypes {
    const origin = this.originOf(subject);
    const types = this.#rows.typesOf(origin);
    return isOnOwnSchema(subject) ? this.#mutants.typesOf(subject.db_id, origin, types) : types;
  }

  #samplesOf(subject: Subject): Cells {
    const origin = this.originOf(subject);
    const cells = this.#rows.cellsOf(origin);
    return isOnOwnSchema(subject) ? this.#mutants.samplesOf(subject.db_id, origin, cells) : cells;
  }
}
