import { SqlRewriteError } from '../../errors.js';
import type { DatasetExample, SkippedExample } from '../../formats/dataset.js';
import { zip } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { QuestionAligner } from '../align/align-question.js';
import type { AlignedQuestion } from '../align/aligned-question.js';
import { splitWithGold } from '../align/split-with-gold.js';
import type { JoinKey } from '../clauses/join-keys.js';
import { clausesOf } from '../clauses/read-clauses.js';
import type { EnglishParser } from '../parser/english-parser.js';
import { isEnglish } from '../split/question-splitter.js';
import type { AlignedQuestions, AlignedSource } from './aligned-source.js';

/** Longest question that is parsed, in words: others are no questions. */
const MOST_WORDS = 200;

/** Why a question is not split; null where it is. */
function unfitReason(question: string): string | null {
  const words = question.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return 'a question without words';
  if (words.length > MOST_WORDS) return `a question of more than ${MOST_WORDS} words`;
  return isEnglish(question) ? null : 'a question in another language than English';
}

/** Sub-sentences with their clauses as our parser, splitter and aligner find them. */
export class AutomaticSource implements AlignedSource {
  /** About the more certain half of Spider dev's questions (docs/compositional.md). */
  readonly minConfidence = 0.5;
  readonly fingerprint: string;
  readonly #parser: EnglishParser;

  constructor(parser: EnglishParser) {
    this.#parser = parser;
    this.fingerprint = `automatic v2, parser ${parser.fingerprint}`;
  }

  async align(
    examples: readonly DatasetExample[],
    database: Database,
    keys: readonly JoinKey[],
  ): Promise<AlignedQuestions> {
    const leftOut: SkippedExample[] = [];
    const fit = examples.filter(({ id, question }) => {
      const reason = unfitReason(question);
      if (reason !== null) leftOut.push({ id, reason });
      return reason === null;
    });
    const trees = await this.#parser.parse(fit.map(({ question }) => question));
    const aligner = new QuestionAligner(database);
    const questions = zip(fit, trees).flatMap(([{ id, question, query: gold }, tokens]): readonly AlignedQuestion[] => {
      try {
        const query = clausesOf(gold, database, keys);
        const segments = splitWithGold({ id, question, tokens, query }, aligner);
        return [aligner.align({ id, question, segments, query })];
      } catch (error) {
        if (!(error instanceof SqlRewriteError)) throw error;
        leftOut.push({ id, reason: error.message });
        return [];
      }
    });
    return { questions, leftOut };
  }

  dispose(): Promise<void> {
    return this.#parser.close();
  }
}
