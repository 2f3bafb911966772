import type { EntailmentScorer, StageContext, TargetTable, TpePredictor } from '../stage.js';
import { ENTITY_LABELS } from './entity-labels.js';

/** Primary entity by zero-shot NLI over 48 labels from caption, columns and one random value per column (ADVETA appendix B.2). */
export class ZeroShotTpe implements TpePredictor {
  readonly id = 'zero-shot';
  readonly fingerprint: string;
  readonly #scorer: EntailmentScorer;

  constructor(scorer: EntailmentScorer) {
    this.#scorer = scorer;
    this.fingerprint = `zero-shot:1:${scorer.fingerprint}`;
  }

  predict(targets: readonly TargetTable[], context: StageContext): Promise<readonly string[]> {
    return Promise.all(targets.map((target) => this.#predictOne(target, context)));
  }

  /** The argmax of a softmax over labels is the argmax of the entailment logits. */
  async #predictOne(target: TargetTable, context: StageContext): Promise<string> {
    const premise = describeTable(target, context);
    const pairs = ENTITY_LABELS.map((label) => ({ premise, hypothesis: `This table is about one ${label} per row.` }));
    const scores = await this.#scorer.score(pairs, context);
    let best = 0;
    scores.forEach((score, i) => {
      if (score.entailmentLogit > scores[best]!.entailmentLogit) best = i;
    });
    return ENTITY_LABELS[best]!;
  }
}

/** Caption, then each column with a value drawn from its samples: "singers: name Ann Lee, age 31." */
function describeTable(target: TargetTable, context: StageContext): string {
  const rng = context.rngFor(`${target.dbId}/${target.table.originalName}:tpe`);
  const cells = target.table.columns.map(({ name }, c) => {
    const values = target.values[c] ?? [];
    return values.length === 0 ? name : `${name} ${values[rng.int(values.length)]!}`;
  });
  return `${target.table.name}: ${cells.join(', ')}.`;
}
