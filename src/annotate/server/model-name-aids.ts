import type { StageResources } from '../../recipes/stage-resources.js';
import type { StageContext } from '../../stage.js';
import type { NameAids, NameQuestion, NameVerdict, SpellingWords } from './name-aids.js';
import { LexicalMatcher } from '../../dictionary/lexical-matcher.js';
import type { JudgedColumn } from '../../nli/bucket-judge.js';
import { compareColumns } from '../../nli/compared-columns.js';
import { mutualEntailment, renderStatement } from '../../nli/statement.js';
import { plannerOf } from '../../registry.js';
import { zip } from '../../present.js';

/** Columns that the NLI model compares for one name, the likest first: someone is waiting. */
const MOST_RIVALS = 8;

/**
 * Tells whether a name would be taken for another column of its table, as the pipeline decides it for RPL: by dictionary,
 * else for a column whose words are as near as the target's and that the NLI model takes for equivalent (ADVETA §4.4).
 */
class PipelineNameJudge {
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
        const statementOf = (each: string): string => renderStatement(entity, each, rival.type);
        const [own, theirs] = [statementOf(name), statementOf(rival.name)];
        return mutualEntailment(this.#resources.scorer(), theirs, own, this.#context);
      }),
    );
    const { rplMin } = this.#resources.thresholds();
    return zip(compared, scores).find(([, score]) => score >= rplMin)?.[0] ?? null;
  }
}

/** Longest wait for the judge; a first question opens the model, which takes longer, and has to be asked again. */
const PATIENCE_MS = 1_000;

export interface ModelNameAidsOptions {
  readonly judge: boolean;
  /** Is told once why a part can't be used; checks go on without it. */
  readonly onMissing: (part: string, error: unknown) => void;
}

function withinPatience(verdict: Promise<NameVerdict | null>): Promise<NameVerdict | 'later' | null> {
  let timer: NodeJS.Timeout;
  const late = new Promise<'later'>((resolve) => {
    timer = setTimeout(() => resolve('later'), PATIENCE_MS);
  });
  return Promise.race([verdict, late]).finally(() => clearTimeout(timer));
}

/** Name checks by the package's word lists and the pipeline's judge, each opened once: the lists by `open`, the judge when first asked. */
export class ModelNameAids implements NameAids {
  readonly #resources: StageResources;
  readonly #judge: PipelineNameJudge;
  readonly #onMissing: ModelNameAidsOptions['onMissing'];
  #words: SpellingWords | null = null;
  #isJudging: boolean;

  constructor(resources: StageResources, context: StageContext, options: ModelNameAidsOptions) {
    this.#resources = resources;
    this.#judge = new PipelineNameJudge(resources, context);
    this.#onMissing = options.onMissing;
    this.#isJudging = options.judge;
  }

  get words(): SpellingWords | null {
    return this.#words;
  }

  /** Opens the word lists; until then, and where they are missing, checks go without spelling hints. */
  async open(): Promise<void> {
    try {
      this.#words = await this.#resources.englishWords();
    } catch (error) {
      this.#onMissing('the word lists', error);
    }
  }

  async judge(question: NameQuestion): Promise<NameVerdict | 'later' | null> {
    return this.#isJudging ? withinPatience(this.#ask(question)) : null;
  }

  async #ask(question: NameQuestion): Promise<NameVerdict | null> {
    try {
      return await this.#judge.judge(question);
    } catch (error) {
      if (this.#isJudging) this.#onMissing('the judge', error);
      this.#isJudging = false;
      return null;
    }
  }
}
