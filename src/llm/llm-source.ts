import { settleAll } from '../run/concurrency.js';
import type { Candidate, CandidateSource, StageContext, TargetColumn } from '../stage.js';
import type { NameProposer } from './proposed-names.js';

/** Cosine of two names, -1 to 1, null where either has no vector. */
type Similarity = (a: string, b: string) => number | null;

/**
 * Names that a language model proposes for a column with its table as context, beyond ADVETA. A name is meant for RPL or
 * for ADD and can enter no other bucket; whether it enters that one, rules and judge decide as for any source.
 */
export class LlmSource implements CandidateSource {
  readonly id = 'llm';
  readonly fingerprint: string;
  readonly #proposer: NameProposer;
  readonly #keep: number;
  readonly #similarity: Similarity;

  /** `keep`: names taken of each list, the first ones. */
  constructor(proposer: NameProposer, keep: number, similarity: Similarity) {
    this.#proposer = proposer;
    this.#keep = keep;
    this.#similarity = similarity;
    this.fingerprint = `llm-2:${keep}:${proposer.fingerprint}`;
  }

  /** @throws EndpointError or ConfigError when the model can't be asked; then no call is under way any more */
  async propose(columns: readonly TargetColumn[], context: StageContext): Promise<readonly (readonly Candidate[])[]> {
    return settleAll(columns.map((column) => this.#proposeFor(column, context)));
  }

  async #proposeFor(column: TargetColumn, context: StageContext): Promise<readonly Candidate[]> {
    context.signal.throwIfAborted();
    const names = await this.#proposer.propose(column, context);
    if (names === null) return [];
    const own = column.target.table.columns[column.column]?.name ?? '';
    const listed = [
      ...names.replacements.slice(0, this.#keep).map((name) => ({ name, proposedFor: 'RPL' as const })),
      ...names.additions.slice(0, this.#keep).map((name) => ({ name, proposedFor: 'ADD' as const })),
    ];
    return listed.map(({ name, proposedFor }) => ({
      name,
      source: 'llm',
      origin: null,
      similarity: this.#similarity(name, own),
      proposedFor,
      listedFor: 'table',
    }));
  }
}
