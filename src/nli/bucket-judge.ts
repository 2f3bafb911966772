import type { EntailmentPair, EntailmentScore, EntailmentScorer, ListedFor, StageContext } from '../stage.js';
import type { ColumnType } from '../schema/schema.js';
import type { NameEstimate } from './acceptability/acceptability-model.js';
import {
  type BidirectionalScore,
  type BucketDecision,
  decideBucket,
  type OpenBuckets,
  type Thresholds,
  thresholdsFor,
} from './bucket-rule.js';
import { renderStatement } from './statement.js';
import { itemAt, zip } from '../present.js';

/** One candidate name to be judged against its target and the other columns of the table. */
export interface JudgeRequest {
  readonly primaryEntity: string;
  readonly target: JudgedColumn;
  readonly candidate: string;
  /** The use that a list of the project's own gives for it. */
  readonly listedFor?: ListedFor | undefined;
  /** What is known of it besides: taken together with how the judge reads it. */
  readonly estimate?: NameEstimate | null;
  /** The other columns, the one most likely to be equivalent first; an ADD candidate is compared with each. */
  readonly others: readonly JudgedColumn[];
  /** Those of them that an RPL candidate is compared with: it must be equivalent to none. */
  readonly rivals: readonly JudgedColumn[];
  readonly open: OpenBuckets;
}

export interface JudgedColumn {
  readonly name: string;
  /** The text that the judge reads instead of the name: "stadium" for "stadium id", which refers to its stadium. */
  readonly readAs?: string;
  readonly type: ColumnType;
}

export interface JudgeVerdict extends BucketDecision {
  /** Scores against the target. */
  readonly target: BidirectionalScore;
  /** Scores seen against other columns, in the order compared. */
  readonly others: readonly BidirectionalScore[];
  /** Those that the candidate was held to. */
  readonly thresholds: Thresholds;
}

/** ADVETA §4.4: asks for entailment scores one by one, until the bucket rule is settled. */
export class BucketJudge {
  readonly #scorer: EntailmentScorer;
  readonly #thresholds: Thresholds;
  readonly #fullScores: boolean;

  constructor(scorer: EntailmentScorer, thresholds: Thresholds, options: { readonly fullScores: boolean }) {
    this.#scorer = scorer;
    this.#thresholds = thresholds;
    this.#fullScores = options.fullScores;
  }

  /** Whether readers must be likely to take a name. */
  get asksReading(): boolean {
    return this.#thresholds.reading !== undefined;
  }

  /** The same judge, which tells of each pair that it asks about. */
  telling(tell: (pair: EntailmentPair, score: EntailmentScore) => void): BucketJudge {
    const { id, fingerprint } = this.#scorer;
    const score: EntailmentScorer['score'] = async (pairs, context) => {
      const scores = await this.#scorer.score(pairs, context);
      for (const [pair, given] of zip(pairs, scores)) tell(pair, given);
      return scores;
    };
    return new BucketJudge({ id, fingerprint, score }, this.#thresholds, { fullScores: this.#fullScores });
  }

  async judge(request: JudgeRequest, context: StageContext): Promise<JudgeVerdict> {
    const compare = (column: JudgedColumn): Comparison =>
      new Comparison(this.#scorer, request.primaryEntity, request.candidate, column, context);
    const thresholds = thresholdsFor(this.#thresholds, request.listedFor);
    const targetComparison = compare(request.target);
    let target = readWith(await targetComparison.forward(), request.estimate ?? null);
    if (this.#fullScores) target = await targetComparison.backward(target);
    // No score is both high enough for RPL and low enough for ADD: e1 says which columns are to be compared.
    const isReplacement = request.open.rpl && target.e1 >= thresholds.rplMin;
    const compared = isReplacement ? request.rivals : request.others;
    const others: BidirectionalScore[] = [];
    let current: Comparison | null = null;
    for (;;) {
      const step = decideBucket(target, others, compared.length - others.length, request.open, thresholds);
      if (step.kind === 'decided') return { ...step.decision, target, others, thresholds };
      if (step.kind === 'need-other') {
        current = compare(itemAt(compared, others.length));
        others.push(await current.forward());
      } else if (step.of === 'target') target = await targetComparison.backward(target);
      else others.push(await current!.backward(others.pop()!));
    }
  }
}

function readWith(score: BidirectionalScore, estimate: NameEstimate | null): BidirectionalScore {
  const reading = score.reading ?? null;
  return reading === null || estimate === null ? score : { ...score, reading: estimate.combine(reading) };
}

/** The two directions of one candidate with one column. The target's type stands on both sides. */
class Comparison {
  readonly #scorer: EntailmentScorer;
  readonly #column: string;
  readonly #forward: EntailmentPair;
  readonly #context: StageContext;

  constructor(
    scorer: EntailmentScorer,
    primaryEntity: string,
    candidate: string,
    column: JudgedColumn,
    context: StageContext,
  ) {
    const statement = (name: string): string => renderStatement(primaryEntity, name, column.type);
    this.#scorer = scorer;
    this.#column = column.name;
    this.#forward = { premise: statement(column.readAs ?? column.name), hypothesis: statement(candidate) };
    this.#context = context;
  }

  async forward(): Promise<BidirectionalScore> {
    const { entailment, reading } = await this.#score(this.#forward);
    return { column: this.#column, e1: entailment, e2: null, reading };
  }

  async backward(seen: BidirectionalScore): Promise<BidirectionalScore> {
    const { premise, hypothesis } = this.#forward;
    const { entailment } = await this.#score({ premise: hypothesis, hypothesis: premise });
    return { ...seen, e2: entailment };
  }

  async #score(pair: EntailmentPair): Promise<EntailmentScore> {
    return itemAt(await this.#scorer.score([pair], this.#context), 0);
  }
}
