import { RETRIEVERS } from '../../../registry.js';
import type { StageResources } from '../../../recipes/stage-resources.js';
import type { TableIndex } from '../../../retriever/table-index.js';
import { spellingKey } from '../../../schema/name-identity.js';
import type { Database } from '../../../schema/schema.js';
import type { CorpusTable, StageContext, TableRetriever } from '../../../stage.js';
import { isOrdinary } from '../schema/usable-columns.js';

/** A table of a corpus, and how near it is to a schema. */
export interface FurtherTable {
  readonly table: CorpusTable;
  readonly level: 'related' | 'unrelated';
}

/** Says which tables a schema could have, too. */
export interface FurtherTables {
  readonly fingerprint: string;
  of(database: Database, context: StageContext): Promise<readonly FurtherTable[]>;
}

/** Tables of each kind that are given per schema. */
const MAX_TABLES_OF_A_KIND = 6;
/**
 * Tables of the index that are looked at for each table of the schema: those are of its domain, and no further ones.
 */
const NEAR = 30;

/** Checks whether a schema has a table of that name, or one whose name is among the other's words. */
function isThere({ tables }: Database, { title }: CorpusTable): boolean {
  const words = spellingKey(title);
  return tables.some(({ name }) => words.includes(spellingKey(name)) || spellingKey(name).includes(words));
}

/** Tables of the index: the nearest to the schema's tables in turn, and some that are near to none of them. */
class IndexTables implements FurtherTables {
  readonly fingerprint: string;
  readonly #retriever: TableRetriever;
  readonly #index: TableIndex;

  constructor(retriever: TableRetriever, index: TableIndex) {
    this.#retriever = retriever;
    this.#index = index;
    this.fingerprint = retriever.fingerprint;
  }

  async of(database: Database, context: StageContext): Promise<readonly FurtherTable[]> {
    const targets = database.tables
      .filter((table) => isOrdinary(table) && table.columns.length > 0)
      .map((table) => ({ dbId: database.id, table, questions: [], values: table.columns.map(() => []) }));
    const retrieved = await this.#retriever.retrieve(targets, NEAR, context);
    const near = new Map<string, CorpusTable>();
    for (let rank = 0; rank < NEAR; rank++) {
      for (const own of retrieved) {
        const table = own[rank]?.table;
        if (table !== undefined && !near.has(table.id)) near.set(table.id, table);
      }
    }
    const isNew = (table: CorpusTable): boolean => !isThere(database, table);
    const related = [...near.values()].filter(isNew).slice(0, MAX_TABLES_OF_A_KIND);
    const unrelated = this.#drawn(database, context).filter((table) => !near.has(table.id) && isNew(table));
    return [
      ...related.map((table) => ({ table, level: 'related' as const })),
      ...unrelated.slice(0, MAX_TABLES_OF_A_KIND).map((table) => ({ table, level: 'unrelated' as const })),
    ];
  }

  /** Tables of the whole index, by the run's seed and the database's id. */
  #drawn({ id }: Database, context: StageContext): readonly CorpusTable[] {
    const rng = context.rngFor(`${id}~further tables`);
    return Array.from({ length: NEAR }, () => this.#index.table(rng.int(this.#retriever.size)));
  }
}

/** The tables of the index in use. */
export async function furtherTables(stages: StageResources): Promise<FurtherTables> {
  const retriever = await RETRIEVERS[stages.settings.retriever.id](stages);
  return new IndexTables(retriever, await stages.index());
}
