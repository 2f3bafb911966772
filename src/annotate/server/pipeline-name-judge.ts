import { LexicalMatcher } from '../../dictionary/lexical-matcher.js';
import type { JudgedColumn } from '../../nli/bucket-judge.js';
import { compareColumns } from '../../nli/compared-columns.js';
import { mutualEntailment } from '../../nli/mutual-entailment.js';
import { renderStatement } from '../../nli/statement.js';
import { itemAt, mustGet } from '../../present.js';
import type { StageResources } from '../../recipes/stage-resources.js';
import { plannerOf } from '../../registry.js';
import type { StageContext } from '../../stage.js';
import type { NameQuestion, NameVerdict } from './name-aids.js';

/** Columns that the NLI model compares for one name, the likest first: someone is waiting. */
const MOST_RIVALS = 8;

/**
 * Tells whether a name would be taken for another column of its table, as the pipeline decides it for RPL: by dictionary,
 * else for a column whose words are as near as the target's and that the NLI model takes for equivalent (ADVETA §4.4).
 */
export class PipelineNameJudge {
  readonly #resources: StageResources;
  readonly #context: StageContext;
  #matcher: Promise<LexicalMatcher> | null = null;

  constructor(resources: StageResources, context: StageContext) {
    this.#resources = resources;
    this.#context = context;
  }

  async judge(question: NameQuestion): Promise<NameVerdict> {
    const takenFor = (await this.#synonymOf(question)) ?? (await this.#entailedBy(question));
    return { takenFor: takenFor?.name ?? null };
  }

  async #synonymOf({ name, others, entity }: NameQuestion): Promise<JudgedColumn | null> {
    this.#matcher ??= plannerOf(this.#resources, 'wordnet').then((planner) => new LexicalMatcher(planner));
    const matcher = await this.#matcher;
    for (const other of others) if (await matcher.areEquivalent(other.name, name, entity)) return other;
    return null;
  }

  async #entailedBy({ name, target, others, entity }: NameQuestion): Promise<JudgedColumn | null> {
    const ranker = await this.#resources.ranker();
    const { rivals } = compareColumns(name, target.name, others, (a, b) => ranker.similarity(a, b));
    const compared = rivals.slice(0, MOST_RIVALS);
    const scores = await Promise.all(
      compared.map((rival) => {
        const [a, b] = [rival.name, name].map((each) => renderStatement(entity, each, rival.type));
        return mutualEntailment(this.#resources.scorer(), mustGet(a, 'a'), mustGet(b, 'b'), this.#context);
      }),
    );
    const { rplMin } = this.#resources.thresholds();
    return compared.find((_, i) => itemAt(scores, i) >= rplMin) ?? null;
  }
}
