import { tally } from '../counts.js';
import { getOrMake } from '../present.js';
import type { RetrievedTable, StageContext, TableRetriever, TargetTable } from '../stage.js';
import { renderCorpusTable, renderTargetQuery } from './table-context.js';
import type { TableIndex } from './table-index.js';
import { clampTopK } from './top-k.js';

/** Usual values (Robertson & Zaragoza 2009). */
const K1 = 1.2;
const B = 0.75;

interface Posting {
  readonly position: number;
  /** Terms of the table. */
  readonly length: number;
  readonly count: number;
}

function tokenize(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) =>
    word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
  );
}

/** Term statistics of all tables of an index. */
class Bm25Postings {
  readonly #postings = new Map<string, Posting[]>();
  readonly #size: number;
  #length = 0;

  constructor(index: TableIndex) {
    for (const [position, table] of [...index.tables()].entries())
      this.#add(position, tokenize(renderCorpusTable(table)));
    this.#size = index.size;
  }

  #add(position: number, terms: readonly string[]): void {
    this.#length += terms.length;
    for (const [term, count] of tally(terms)) {
      getOrMake(this.#postings, term, () => []).push({ position, length: terms.length, count });
    }
  }

  /** Score by position, of the tables that share a term with the query. */
  score(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    const meanLength = this.#length / Math.max(1, this.#size);
    for (const [term, times] of tally(tokenize(query))) {
      const postings = this.#postings.get(term) ?? [];
      const weight = times * Math.log(1 + (this.#size - postings.length + 0.5) / (postings.length + 0.5));
      for (const { position, length, count } of postings) {
        const norm = K1 * (1 - B + (B * length) / meanLength);
        scores.set(position, (scores.get(position) ?? 0) + (weight * count * (K1 + 1)) / (count + norm));
      }
    }
    return scores;
  }
}

/** Lexical baseline for ADVETA §4.1: BM25 over the same texts that the dense retrievers embed; needs no encoder. */
export class Bm25Retriever implements TableRetriever {
  readonly id = 'bm25';
  readonly fingerprint: string;
  readonly size: number;
  readonly #index: TableIndex;
  #postings: Bm25Postings | null = null;

  constructor(index: TableIndex) {
    this.#index = index;
    this.size = index.size;
    this.fingerprint = `bm25:1:${K1}:${B}:${index.fingerprint}`;
  }

  /** Scores are BM25, above 0; tables that share no word with the query are left out, so fewer than k may come. */
  async retrieve(
    targets: readonly TargetTable[],
    k: number,
    context: StageContext,
  ): Promise<readonly (readonly RetrievedTable[])[]> {
    const limit = clampTopK(k, this.size);
    const results: (readonly RetrievedTable[])[] = [];
    for (const target of targets) {
      context.signal.throwIfAborted();
      results.push(this.#search(renderTargetQuery(target), limit));
      context.emit({ kind: 'progress', stage: this.id, done: results.length, total: targets.length });
    }
    return results;
  }

  async dispose(): Promise<void> {
    this.#postings = null;
  }

  #search(query: string, k: number): readonly RetrievedTable[] {
    this.#postings ??= new Bm25Postings(this.#index);
    const scores = this.#postings.score(query);
    return this.#index.best([...scores.keys()], [...scores.values()], k);
  }
}
