import type { Column, ColumnType, Table } from './schema/schema.js';
import { itemAt } from './present.js';

/** A seeded stream of random numbers; one per item, so order and concurrency do not matter. */
export interface Rng {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, bound). */
  int(bound: number): number;
}

/** An event that a stage reports while it works; the surface decides what to print. */
export type StageEvent =
  | { readonly kind: 'progress'; readonly stage: string; readonly done: number; readonly total: number }
  | { readonly kind: 'count'; readonly name: string; readonly by: number }
  | { readonly kind: 'warning'; readonly message: string };

export interface StageContext {
  readonly signal: AbortSignal;
  /** The random stream of one item: hash(seed, item id). */
  rngFor(itemId: string): Rng;
  emit(event: StageEvent): void;
}

/** The common part of all swappable parts. */
export interface Stage {
  readonly id: string;
  /** Version, settings and file hashes: the cache key of what the stage returns. */
  readonly fingerprint: string;
  dispose?(): Promise<void>;
}

/** A table to be perturbed, with its context (ADVETA §2.1). */
export interface TargetTable {
  readonly dbId: string;
  readonly table: Table;
  /** Questions asked of it; the retrieval query, as in the paper. */
  readonly questions: readonly string[];
  /** Sample cell values, one list per column, possibly empty. */
  readonly values: readonly (readonly string[])[];
  /** The other tables of its database: what fits one of them better is no addition to this one. */
  readonly siblings?: readonly Table[];
}

/** A column to be perturbed. */
export interface TargetColumn {
  readonly target: TargetTable;
  /** Position in `target.table.columns`. */
  readonly column: number;
}

/** The column itself. */
export const targetColumn = ({ target, column }: TargetColumn): Column => itemAt(target.table.columns, column);

/** A table of the corpus behind the index. */
export interface CorpusTable {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly types: readonly ColumnType[];
  /** Up to three sample rows, each as long as `columns`. */
  readonly rows: readonly (readonly string[])[];
}

export interface RetrievedTable {
  readonly table: CorpusTable;
  /** Cosine similarity to the query, or the retriever's own score, higher is nearer. */
  readonly score: number;
}

/** ADVETA §4.1: the tables most related to each target, best first, at most `k` each. */
export interface TableRetriever extends Stage {
  retrieve(
    targets: readonly TargetTable[],
    k: number,
    context: StageContext,
  ): Promise<readonly (readonly RetrievedTable[])[]>;
  /** Number of tables it can retrieve from. */
  readonly size: number;
}

/** The traits of a source that those who merge, screen and list its candidates need. */
export interface SourceTraits {
  /** The one bucket that its names are for, unless a candidate says otherwise; left out, they are open to both. */
  readonly bucket?: 'RPL' | 'ADD';
  /** The origin of a name: a dictionary of the language, retrieved tables, the nature of rows, or a language model. */
  readonly knownBy?: 'dictionary' | 'retrieval' | 'row' | 'model';
}

/** Where a name can come from, with its traits; `annotation` is a human's. */
const SOURCE_TRAITS = {
  bank: {},
  retrieval: { knownBy: 'retrieval' },
  // ADVETA §4.3: additions come from tables, a dictionary's words are replacements.
  dictionary: { bucket: 'RPL', knownBy: 'dictionary' },
  attributes: { bucket: 'ADD', knownBy: 'row' },
  vocabulary: {},
  random: {},
  neighbors: {},
  masked: {},
  llm: { knownBy: 'model' },
  annotation: {},
} as const satisfies Readonly<Record<string, SourceTraits>>;
export type CandidateSourceKind = keyof typeof SOURCE_TRAITS;

export const CANDIDATE_SOURCES = Object.keys(SOURCE_TRAITS) as [CandidateSourceKind, ...CandidateSourceKind[]];

/** The traits of a source, by its kind, which is all that a recorded decision says of it. */
export function sourceTraits(kind: CandidateSourceKind): SourceTraits {
  return SOURCE_TRAITS[kind];
}

/** The retrieved table and column that a candidate's name was taken from. */
export interface CandidateOrigin {
  readonly table: string;
  readonly title: string;
  readonly column: string;
  readonly type: ColumnType;
  /** How near that table is to the target's, as the retriever scores it; null where nothing was retrieved. */
  readonly score: number | null;
}

/** The scope of a name in the project's lists: a column's name anywhere, or that column in tables like the target's. */
export type ListedFor = 'name' | 'column';

/** A name proposed for a target column. */
export interface Candidate {
  readonly name: string;
  readonly source: CandidateSourceKind;
  readonly origin: CandidateOrigin | null;
  /** Cosine of the word vectors of candidate and target, -1 to 1; null where either has no vector. */
  readonly similarity: number | null;
  /** Whether the dictionary proposes it for the column, too, where it is of another source. */
  readonly inDictionary?: boolean;
  /**
   * Whether a list of the project's own has it: the thesaurus for the whole name, or the bank for such a column of such
   * a table.
   */
  readonly listedFor?: ListedFor;
  /** The one bucket that its source means it for; left out, it is open to both. */
  readonly proposedFor?: 'RPL' | 'ADD';
  /** As an addition: whether its source lists it next to that very column. */
  readonly isNextTo?: boolean;
}

/** Proposes candidates for each column, best first. */
export interface CandidateSource extends Stage {
  propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]>;
}

/** A column name from a retrieved table, not yet ranked. */
export interface RetrievedColumn {
  readonly name: string;
  readonly origin: CandidateOrigin;
}

/** ADVETA §4.2: ranks retrieved columns against a target column, keeps the best distinct names. */
export interface CandidateRanker extends Stage {
  rank(
    targets: readonly { readonly name: string; readonly retrieved: readonly RetrievedColumn[] }[],
    keep: number,
    context: StageContext,
  ): Promise<readonly (readonly Candidate[])[]>;
  /** Cosine similarity of two names, null where either has no vector. */
  similarity(a: string, b: string): number | null;
}

export interface EntailmentPair {
  readonly premise: string;
  readonly hypothesis: string;
}

/** How readers would take the hypothesis's name, as far as a model has learned it from theirs: three probabilities. */
export interface Reading {
  /** That it reads right in place of the premise's. */
  readonly replacement: number;
  /** That it reads right as a further column next to it. */
  readonly addition: number;
  /** That it is close to it in topic. */
  readonly topic: number;
}

/** An NLI model's scores for one pair: the softmax over its three labels, which sums to 1, and one raw logit. */
export interface EntailmentScore {
  readonly entailment: number;
  readonly neutral: number;
  readonly contradiction: number;
  /** Unnormalized, for a softmax over several hypotheses (zero-shot classification, ADVETA appendix B.2). */
  readonly entailmentLogit: number;
  /** Null from models that have learned from no readers. */
  readonly reading: Reading | null;
}

/** ADVETA §4.4: scores each pair on its own, whatever its neighbours in the batch. */
export interface EntailmentScorer extends Stage {
  /** Pairs that share one call of a service, whose scores are kept as soon as it answers; left out where none do. */
  readonly batchSize?: number;
  score(pairs: readonly EntailmentPair[], context: StageContext): Promise<readonly EntailmentScore[]>;
}

/** The table primary entity (TPE), ADVETA §2.1 and appendix B.2: one noun phrase per table, lower case, singular. */
export interface TpePredictor extends Stage {
  predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]>;
}
