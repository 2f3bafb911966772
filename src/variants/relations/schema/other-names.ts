import { getOrMake } from '../../../present.js';
import { CandidatePool } from '../names/candidate-pool.js';
import type { CandidateDecision } from '../../../formats/artifacts/candidates.js';
import { SOURCES } from '../../../registry.js';
import type { StageResources } from '../../../recipes/stage-resources.js';
import { type ColumnRef, type Database, placedColumn, type Table } from '../../../schema/schema.js';
import type { CandidateSource, StageContext } from '../../../stage.js';

/** Says how else a column can be called. */
export interface OtherNames {
  readonly fingerprint: string;
  /** Natural names, the nearest first. */
  of(database: Database, ref: ColumnRef, context: StageContext): Promise<readonly string[]>;
}

/** Names by a dictionary of synonyms, each column asked once. */
class DictionaryNames implements OtherNames {
  readonly fingerprint: string;
  readonly #source: CandidateSource;
  readonly #known = new Map<string, Promise<readonly string[]>>();

  constructor(source: CandidateSource) {
    this.#source = source;
    this.fingerprint = source.fingerprint;
  }

  of(database: Database, ref: ColumnRef, context: StageContext): Promise<readonly string[]> {
    const { table } = placedColumn(database, ref);
    // The names around a column help to choose senses.
    const key = JSON.stringify([ref.column, table.name, table.columns.map(({ name }) => name)]);
    return getOrMake(this.#known, key, () => this.#ask(database.id, table, ref.column, context));
  }

  async #ask(dbId: string, table: Table, column: number, context: StageContext): Promise<readonly string[]> {
    const target = { dbId, table, questions: [], values: table.columns.map(() => []) };
    const [candidates = []] = await this.#source.propose([{ target, column }], context);
    return candidates.map(({ name }) => name);
  }
}

/** Names that the judge took for replaceable (ADVETA §4.4), from a run of `perturbql candidates`. */
class DecidedNames implements OtherNames {
  readonly fingerprint = 'decided';
  readonly #pool: CandidatePool;

  constructor(decisions: readonly CandidateDecision[]) {
    this.#pool = new CandidatePool(decisions);
  }

  of(database: Database, ref: ColumnRef): Promise<readonly string[]> {
    return Promise.resolve(this.#pool.of(database, ref, 'RPL').map(({ candidate }) => candidate));
  }
}

/** The names of decided candidates where there are any, else those of the dictionary. */
export async function otherNames(
  stages: StageResources,
  candidates: readonly CandidateDecision[] | null,
): Promise<OtherNames> {
  if (candidates !== null) return new DecidedNames(candidates);
  return new DictionaryNames(await SOURCES.dictionary(stages));
}
