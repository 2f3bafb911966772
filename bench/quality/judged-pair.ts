import { type BidirectionalScore, decideBucket, type Thresholds } from '../../src/nli/bucket-rule.js';
import type { ColumnType } from '../../src/schema/schema.js';
import type { EntailmentScorer, StageContext } from '../../src/stage.js';
import type { LabeledPair } from './labeled-pairs.js';

/** How a name is put to the scorer. */
export type NameRendering = (primaryEntity: string, name: string, type: ColumnType) => string;

/** What the measures need of a labeled pair. */
export interface JudgedPair {
  readonly bucket: LabeledPair['bucket'];
  /** min(e1, e2) against the target column. */
  readonly lower: number;
  /** max(e1, e2) against the target column. */
  readonly upper: number;
  /** The ADD rule as the product has it: against every column of the table. */
  readonly passesAddRule: boolean;
}

const ADD_ONLY = { rpl: false, add: true } as const;

/** Scores labeled pairs against their targets, and against the other columns as far as the ADD rule needs them. */
export class PairJudge {
  readonly #scorer: EntailmentScorer;
  readonly #render: NameRendering;
  readonly #thresholds: Thresholds;
  readonly #context: StageContext;

  constructor(scorer: EntailmentScorer, render: NameRendering, thresholds: Thresholds, context: StageContext) {
    this.#scorer = scorer;
    this.#render = render;
    this.#thresholds = thresholds;
    this.#context = context;
  }

  async judge(pair: LabeledPair, primaryEntity: string): Promise<JudgedPair> {
    const { columns } = pair.target.table;
    const against = (column: number): Promise<BidirectionalScore> => {
      const { name, type } = columns[column]!;
      const statement = (text: string): string => this.#render(primaryEntity, text, type);
      return this.#both(name, statement(name), statement(pair.candidate));
    };
    const target = await against(pair.column);
    const left = columns.map((_, column) => column).filter((column) => column !== pair.column);
    const passesAddRule = await this.#passesAddRule(target, left, against);
    return {
      bucket: pair.bucket,
      lower: Math.min(target.e1, target.e2!),
      upper: Math.max(target.e1, target.e2!),
      passesAddRule,
    };
  }

  async #both(column: string, target: string, candidate: string): Promise<BidirectionalScore> {
    const [forward, backward] = await this.#scorer.score(
      [
        { premise: target, hypothesis: candidate },
        { premise: candidate, hypothesis: target },
      ],
      this.#context,
    );
    return { column, e1: forward!.entailment, e2: backward!.entailment };
  }

  async #passesAddRule(
    target: BidirectionalScore,
    left: readonly number[],
    against: (column: number) => Promise<BidirectionalScore>,
  ): Promise<boolean> {
    const others: BidirectionalScore[] = [];
    for (;;) {
      const step = decideBucket(target, others, left.length - others.length, ADD_ONLY, this.#thresholds);
      if (step.kind === 'decided') return step.decision.bucket === 'ADD';
      others.push(await against(left[others.length]!));
    }
  }
}
