import { mustGet, zip } from '../present.js';
import {
  type Candidate,
  type CandidateRanker,
  type CandidateSource,
  targetColumn,
  type RetrievedColumn,
  type RetrievedTable,
  type StageContext,
  type TableRetriever,
  type TargetColumn,
  type TargetTable,
} from '../stage.js';
import { sharedEntity } from '../naturalness/named-entity.js';
import { KEPT_CANDIDATES } from '../reranker/word-vector-ranker.js';
import { defaultTopK } from './top-k.js';
import { memoizeObject } from '../schema/memoize.js';

export interface RetrievalSettings {
  /** Tables to retrieve; null for `defaultTopK` of the index. */
  readonly k: number | null;
  /** Candidates to keep per column. */
  readonly keep: number;
  /**
   * Tables scoring below this share of the nearest one's score are left out, beyond the first few and, where these come
   * first, those of the target's very entity; 0 keeps all.
   */
  readonly domainFloor: number;
  /** True if tables of the target's very entity come first; in the paper all stay in the retriever's order. */
  readonly ownEntityFirst: boolean;
}

/** Tables that are kept whatever their score: about one domain of the starter index. */
const ALWAYS_KEPT = 12;

/**
 * The retrieved tables of the target's own domain. The paper's top 100 of 600k are 0.02 % of its index, those of a
 * small index as many per cent: its tail is of other domains, and a name from there fits no table of this one (ADVETA
 * §2.3).
 */
function keepDomain(tables: readonly RetrievedTable[], floor: number): readonly RetrievedTable[] {
  const lowest = floor * (tables[0]?.score ?? 0);
  return tables.filter(({ score }, rank) => rank < ALWAYS_KEPT || score >= lowest);
}

/**
 * The tables of the domain, before them those of the target's very entity, which are of its domain however they score:
 * a gender that both "Candidates" and "People" have goes with a table of people as the gender of people.
 */
function ownEntityFirst(
  tables: readonly RetrievedTable[],
  domain: readonly RetrievedTable[],
  tableName: string,
): readonly RetrievedTable[] {
  const own = tables.filter(({ table }) => sharedEntity(table.title, tableName) === 1);
  return [...own, ...domain.filter((table) => !own.includes(table))];
}

/** All columns of the retrieved tables in their order: a name's first origin is the one that counts. */
function collectColumns(tables: readonly RetrievedTable[]): readonly RetrievedColumn[] {
  return tables.flatMap(({ table, score }) =>
    table.columns.map((name, column) => ({
      name,
      origin: { table: table.id, title: table.title, column: name, type: table.types[column] ?? 'text', score },
    })),
  );
}

/** Columns of one table share its retrieval; targets that differ in anything the query may use do not. */
function identityOf(target: TargetTable): string {
  return JSON.stringify([target.dbId, target.table, target.questions, target.values]);
}

/** ADVETA §4.1 and §4.2 as one source: retrieves tables once per target table, then ranks their columns per column. */
export class RetrievalSource implements CandidateSource {
  readonly id = 'retrieval';
  readonly fingerprint: string;
  /** Tables retrieved per target. */
  readonly k: number;
  readonly #retriever: TableRetriever;
  readonly #ranker: CandidateRanker;
  readonly #keep: number;
  readonly #domainFloor: number;
  readonly #ownEntityFirst: boolean;

  constructor(
    retriever: TableRetriever,
    ranker: CandidateRanker,
    settings: RetrievalSettings = { k: null, keep: KEPT_CANDIDATES, domainFloor: 0, ownEntityFirst: false },
  ) {
    const { k, keep, domainFloor, ownEntityFirst } = settings;
    this.#retriever = retriever;
    this.#ranker = ranker;
    this.#keep = keep;
    this.#domainFloor = domainFloor;
    this.#ownEntityFirst = ownEntityFirst;
    this.k = k ?? defaultTopK(retriever.size);
    const own = [this.k, keep, domainFloor, ownEntityFirst ? 'entity' : 'nearest'].join(':');
    this.fingerprint = `retrieval:6:${own}:${retriever.fingerprint}:${ranker.fingerprint}`;
  }

  /** Give it all columns of a table in one call: what is retrieved is not kept between calls. */
  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    const keyOf = memoizeObject(identityOf);
    const targets = new Map(columns.map(({ target }) => [keyOf(target), target]));
    const tables = await this.#retriever.retrieve([...targets.values()], this.k, context);
    const retrieved = new Map(
      zip([...targets], tables).map(([[key, target], found]) => [key, this.#columnsFor(target, found)]),
    );
    const queries = columns.map((column) => ({
      name: targetColumn(column).name,
      retrieved: mustGet(retrieved.get(keyOf(column.target)), 'what was retrieved for each table'),
    }));
    return this.#ranker.rank(queries, this.#keep, context);
  }

  #columnsFor(target: TargetTable, tables: readonly RetrievedTable[]): readonly RetrievedColumn[] {
    const domain = keepDomain(tables, this.#domainFloor);
    return collectColumns(this.#ownEntityFirst ? ownEntityFirst(tables, domain, target.table.name) : domain);
  }

  async dispose(): Promise<void> {
    await this.#retriever.dispose?.();
    await this.#ranker.dispose?.();
  }
}
