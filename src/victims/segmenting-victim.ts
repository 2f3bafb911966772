import type { ToldPrompt } from '../chat/chat-asker.js';
import type { QuestionSplitter } from '../compositional/split/question-splitter.js';
import type { Victim, VictimAnswer, VictimContext, VictimQuestion } from './victim.js';

/** A victim whose questions come with their sub-sentences (Spider-SS §4). It owns the splitter. */
export class SegmentingVictim implements Victim {
  readonly id: string;
  readonly fingerprint: string;
  readonly concurrency: number;
  readonly #victim: Victim;
  readonly #splitter: QuestionSplitter;

  constructor(victim: Victim, splitter: QuestionSplitter) {
    this.#victim = victim;
    this.#splitter = splitter;
    this.id = victim.id;
    this.fingerprint = `${victim.fingerprint}+${splitter.fingerprint}`;
    this.concurrency = victim.concurrency;
  }

  /** @inheritdoc */
  async answer(question: VictimQuestion, context: VictimContext): Promise<VictimAnswer> {
    return this.#victim.answer(await this.#split(question), context);
  }

  /** @inheritdoc */
  async tell(question: VictimQuestion): Promise<ToldPrompt | null> {
    return (await this.#victim.tell?.(await this.#split(question))) ?? null;
  }

  /** Disposes of the victim and the splitter. */
  async dispose(): Promise<void> {
    try {
      await this.#victim.dispose?.();
    } finally {
      await this.#splitter.close();
    }
  }

  async #split(question: VictimQuestion): Promise<VictimQuestion> {
    const segments = await this.#splitter.segmentsOf(question.question, question.schema);
    return { ...question, segments };
  }
}
