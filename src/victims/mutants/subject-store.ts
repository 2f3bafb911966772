import { declaredTypes } from '../../formats/declared-types.js';
import { OriginalFiles } from '../../formats/original-files.js';
import type { VictimQuestion } from '../victim.js';
import type { Dataset } from '../../formats/dataset.js';
import { mustGet } from '../../present.js';
import type { DeclaredTypes } from '../../schema/create-tables.js';
import type { Database } from '../../schema/schema.js';
import type { QuerySource } from '../../sql/execution/query-protocol.js';
import { type Cells, isOnOwnSchema, type MutantSet } from '../../metamorphic/mutant-set.js';
import type { Subject } from './subject.js';

export interface WorldOptions {
  readonly dataset: Dataset;
  /** Null where no subject is a mutant. */
  readonly mutants: MutantSet | null;
  /** Folder for files that go when the run is over. */
  readonly scratch: string;
}

/** The schemas, rows and sample values of seeds and mutants. */
export class SubjectStore {
  readonly #options: WorldOptions;
  readonly #files: OriginalFiles;
  readonly #cells = new Map<string, Cells>();
  readonly #types = new Map<string, DeclaredTypes>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#files = new OriginalFiles(options.dataset, options.scratch);
  }

  schemaOf(subject: Subject): Database {
    return isOnOwnSchema(subject) ? this.#mutants.schemaOf(subject.db_id) : this.originOf(subject);
  }

  /** The data set's own schema that a subject's comes from. */
  originOf({ origin }: Subject): Database {
    return mustGet(this.#options.dataset.databases.get(origin), 'options.dataset.databases.get(origin)');
  }

  /** Returns the source that a subject's queries read; null if there are no rows. */
  sourceOf(subject: Subject): QuerySource | null {
    if (!isOnOwnSchema(subject)) return this.sourceOfOrigin(subject.origin);
    const file = this.#mutants.fileOf(subject.db_id);
    return file === null ? null : { file };
  }

  /** Returns the source for queries to a database of the data set's own; null if there are no rows. */
  sourceOfOrigin(dbId: string): QuerySource | null {
    const file = this.#files.of(dbId);
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
      dialect: this.#options.dataset.dialect,
      databaseFile: source?.file ?? null,
      sourceOf: () => source,
      samples: this.#samplesOf(subject),
      types: this.#typesOf(subject),
    };
  }

  get #mutants(): MutantSet {
    return mustGet(this.#options.mutants, 'options.mutants');
  }

  #typesOf(subject: Subject): DeclaredTypes {
    const origin = this.originOf(subject);
    let types = this.#types.get(origin.id);
    if (types === undefined) {
      const file = this.#files.of(origin.id);
      this.#types.set(origin.id, (types = file === null ? [] : declaredTypes(file, origin)));
    }
    return isOnOwnSchema(subject) ? this.#mutants.typesOf(subject.db_id, origin, types) : types;
  }

  #samplesOf(subject: Subject): Cells {
    const origin = this.originOf(subject);
    let cells = this.#cells.get(origin.id);
    if (cells === undefined) this.#cells.set(origin.id, (cells = this.#options.dataset.sampleValues(origin)));
    return isOnOwnSchema(subject) ? this.#mutants.samplesOf(subject.db_id, origin, cells) : cells;
  }
}
