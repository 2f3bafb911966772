import { isFixed } from '../dictionary/column-words.js';
import type { StageContext } from '../stage.js';
import { columnInTable } from './column-sentence.js';
import type { Substitute, WordSlot, WordSubstitutes } from './substitution-source.js';

/** BERT-Attack (Li et al. 2020) §4: the 48 words that the model finds likeliest. */
const PREDICTIONS = 48;

/** A word with the logarithm of its probability. */
interface PredictedWord {
  readonly word: string;
  readonly logProbability: number;
}

/** A masked language model. */
export interface MaskedModel {
  readonly fingerprint: string;
  /** Returns the mark of a hidden word in its texts: "[MASK]". */
  maskToken(): Promise<string>;
  /** The `k` likeliest whole words for the one mask of each text, likeliest first. */
  predict(texts: readonly string[], k: number, signal: AbortSignal): Promise<readonly (readonly PredictedWord[])[]>;
}

/**
 * BERT-Attack's word transformer: the words that a masked language model puts in the word's place. The model predicts
 * whole words of letters only; parts of words and function words are discarded (BERT-Attack §3.2).
 */
export class MaskedWords implements WordSubstitutes {
  readonly id = 'masked';
  readonly fingerprint: string;
  readonly #model: MaskedModel;

  constructor(model: MaskedModel) {
    this.#model = model;
    this.fingerprint = `masked-1:${PREDICTIONS}:${model.fingerprint}`;
  }

  async find(slots: readonly WordSlot[], context: StageContext): Promise<readonly (readonly Substitute[])[]> {
    if (slots.length === 0) return [];
    const mask = await this.#model.maskToken();
    const texts = slots.map(({ target, words, at }) => columnInTable(target, words.with(at, mask).join(' ')));
    const predicted = await this.#model.predict(texts, PREDICTIONS, context.signal);
    return slots.map(({ words, at }, i) =>
      (predicted[i] ?? [])
        .filter(({ word }) => word !== words[at] && !isFixed(word))
        .map(({ word, logProbability }) => ({ word, score: logProbability })),
    );
  }
}
