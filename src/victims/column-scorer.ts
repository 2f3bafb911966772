import { SqlRewriteError } from '../errors.js';
import type { ExactMatch } from '../evaluate/exact/exact-match.js';
import type { Hardness } from '../evaluate/exact/hardness.js';
import { readRepaired } from '../evaluate/linking/schema-use.js';
import { countSets, type SetCount } from '../evaluate/linking/set-scores.js';
import type { EvaluationPair, Outcome, Verdict } from '../evaluate/metric.js';
import { columnKey, type ColumnRef } from '../schema/schema.js';
import { askedColumns } from '../sql/asked-columns.js';
import type { SqlDialect } from '../sql/dialect.js';

/** A change of what counts as asked for is another version. */
const COLUMNS_MODE = 'asked-columns@1';

/** The verdict on an answer with columns: `correct` are all that the gold query asks for, and no others. */
export interface ColumnsVerdict extends Verdict {
  readonly outcome: Extract<Outcome, 'correct' | 'wrong' | 'empty' | 'bad-gold'>;
  /** Columns that the gold asks for and the answer names; null where the gold can't be read. */
  readonly counts: SetCount | null;
  readonly hardness: Hardness | null;
}

/** Scores of an answer with columns: nothing can be said of SQL. */
export interface ColumnScore {
  readonly exact: null;
  readonly execution: null;
  readonly columns: ColumnsVerdict;
}

/**
 * How many columns an answer with SQL names of those that the gold asks for, both outside of join conditions; null
 * where the gold can't be read. An answer that can't be read on the schema names none.
 */
export function countSqlColumns(
  { gold, predicted, database }: Pick<EvaluationPair, 'gold' | 'predicted' | 'database'>,
  dialect: SqlDialect,
): SetCount | null {
  const [asked, named] = [gold, predicted].map((sql) =>
    readRepaired(sql, (text) => new Set(askedColumns(text, database, dialect).map(columnKey))),
  );
  return typeof asked === 'object' ? countSets(asked, typeof named === 'object' ? named : new Set()) : null;
}

/** An answer with its gold. */
export interface ColumnsToScore {
  /** Equal for answers that get the same score. */
  readonly id: string;
  readonly pair: () => Omit<EvaluationPair, 'id'>;
  /** Null where there is no answer. */
  readonly columns: readonly ColumnRef[] | null;
}

/**
 * Scores answers with columns against those that the gold uses outside of its join conditions, which no question speaks
 * of. Each distinct answer once.
 */
export class ColumnScorer {
  readonly fingerprints = { columns: COLUMNS_MODE };
  readonly #dialect: SqlDialect;
  readonly #exact: Pick<ExactMatch, 'hardnessOf'>;
  readonly #known = new Map<string, ColumnScore>();

  constructor(dialect: SqlDialect, exact: Pick<ExactMatch, 'hardnessOf'>) {
    this.#dialect = dialect;
    this.#exact = exact;
  }

  /** One score per answer, in their order. */
  async score(answers: readonly ColumnsToScore[]): Promise<readonly ColumnScore[]> {
    return answers.map((answer) => {
      const score = this.#known.get(answer.id) ?? { exact: null, execution: null, columns: this.#judge(answer) };
      this.#known.set(answer.id, score);
      return score;
    });
  }

  #judge({ id, pair, columns }: ColumnsToScore): ColumnsVerdict {
    const asked = { id, ...pair() };
    const hardness = this.#exact.hardnessOf(asked);
    let gold: readonly ColumnRef[];
    try {
      gold = askedColumns(asked.gold, asked.database, this.#dialect);
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      return { id, outcome: 'bad-gold', reason: error.message, counts: null, hardness };
    }
    const counts = countSets(new Set(gold.map(columnKey)), new Set((columns ?? []).map(columnKey)));
    if (columns === null) return { id, outcome: 'empty', counts, hardness };
    const isSame = counts.matched === counts.gold && counts.gold === counts.predicted;
    return { id, outcome: isSame ? 'correct' : 'wrong', counts, hardness };
  }
}
