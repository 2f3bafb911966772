import { openEnglishWords } from '../../recipes/open-english-words.js';
import type { StageResources } from '../../recipes/stage-resources.js';
import type { StageContext } from '../../stage.js';
import type { NameAids, NameQuestion, NameVerdict } from './name-aids.js';
import { PipelineNameJudge } from './pipeline-name-judge.js';
import type { SpellingWords } from './spelling.js';

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
      this.#words = await openEnglishWords(this.#resources);
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
