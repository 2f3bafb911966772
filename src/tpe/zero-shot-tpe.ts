import type { EntailmentScorer, StageContext, TargetTable, TpePredictor } from '../stage.js';
import { ENTITY_LABELS, type RankedEntity, rankEntities } from './entity-labels.js';
import { itemAt } from '../present.js';
import { pick } from '../seeded-rng.js';

/** Primary entity by zero-shot NLI over 48 labels from caption, columns and one random value per column (ADVETA appendix B.2). */
export class ZeroShotTpe implements TpePredictor {
  readonly id = 'zero-shot';
  readonly fingerprint: string;
  readonly #scorer: EntailmentScorer;

  constructor(scorer: EntailmentScorer) {
    this.#scorer = scorer;
    this.fingerprint = `zero-shot:1:${scorer.fingerprint}`;
  }

  async predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]> {
    const ranked = await this.rank(targets, context);
    return ranked.map((ofTable) => itemAt(ofTable, 0).label);
  }

  /** For each table all labels, the likeliest first: the softmax over the labels' entailment logits. */
  rank(targets: readonly TargetTable[], context: StageContext): Promise<readonly (readonly RankedEntity[])[]> {
    return Promise.all(targets.map((target) => this.#rankOne(target, context)));
  }

  async #rankOne(target: TargetTable, context: StageContext): Promise<readonly RankedEntity[]> {
    const premise = describeTable(target, context);
    const pairs = ENTITY_LABELS.map((label) => ({ premise, hypothesis: `This table is about one ${label} per row.` }));
    const scores = await this.#scorer.score(pairs, context);
    return rankEntities(scores.map(({ entailmentLogit }) => entailmentLogit));
  }
}

/** Caption, then each column with a value drawn from its samples: "singers: name Ann Lee, age 31." */
function describeTable(target: TargetTable, context: StageContext): string {
  const rng = context.rngFor(`${target.dbId}/${target.table.originalName}:tpe`);
  const cells = target.table.columns.map(({ name }, c) => {
    const values = target.values[c] ?? [];
    return values.length === 0 ? name : `${name} ${pick(values, rng)}`;
  });
  return `${target.table.name}: ${cells.join(', ')}.`;
}
