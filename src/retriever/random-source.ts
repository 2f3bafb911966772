import type { Candidate, CandidateOrigin, CandidateSource, StageContext, TargetColumn } from '../stage.js';
import { KEPT_CANDIDATES } from '../reranker/word-vector-ranker.js';
import type { TableIndex } from './table-index.js';
import { sampled } from '../seeded-rng.js';

/** The random baseline of ADVETA §5.4's comparison: column names drawn from the whole corpus, whatever the table. */
export class RandomSource implements CandidateSource {
  readonly id = 'random';
  readonly fingerprint: string;
  readonly #index: TableIndex;
  readonly #keep: number;
  #origins: readonly CandidateOrigin[] | null = null;

  constructor(index: TableIndex, keep: number = KEPT_CANDIDATES) {
    this.#index = index;
    this.#keep = keep;
    this.fingerprint = `random:1:${keep}:${index.fingerprint}`;
  }

  /** `keep` distinct names per column, fewer where the corpus has no more; names of the target's own table are left out. */
  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    context.signal.throwIfAborted();
    this.#origins ??= this.#collectNames();
    const origins = this.#origins;
    return columns.map((column) => this.#draw(column, origins, context));
  }

  /** Each name of the corpus once, with the first column that has it. */
  #collectNames(): readonly CandidateOrigin[] {
    const origins = new Map<string, CandidateOrigin>();
    for (const table of this.#index.tables()) {
      for (const [position, column] of table.columns.entries()) {
        if (origins.has(column)) continue;
        origins.set(column, {
          table: table.id,
          title: table.title,
          column,
          type: table.types[position] ?? 'text',
          score: null,
        });
      }
    }
    return [...origins.values()];
  }

  #draw(
    { target, column }: TargetColumn,
    origins: readonly CandidateOrigin[],
    context: StageContext,
  ): readonly Candidate[] {
    const own = new Set(target.table.columns.map(({ name }) => name.toLowerCase()));
    const names = origins.filter((origin) => !own.has(origin.column));
    const rng = context.rngFor(JSON.stringify([this.id, target.dbId, target.table.originalName, column]));
    const drawn = sampled(names, this.#keep, rng);
    return drawn.map((origin) => ({ name: origin.column, source: 'random', origin, similarity: null }));
  }
}
