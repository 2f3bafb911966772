import { zip } from '../../present.js';
import { memoizeObject } from '../../schema/memoize.js';
import type { Database } from '../../schema/schema.js';
import { EnglishParser } from '../parser/english-parser.js';
import type { DependencyToken } from '../parser/parse.js';
import { SchemaPhrases } from './schema-phrases.js';
import { type Segment, segmentsAt } from './segment.js';
import { splitQuestion } from './split-question.js';

/** Fewer words than these say nothing of a language. */
const FEWEST_WORDS = 4;
const LATIN = /^\p{Script=Latin}+$/u;
const WORD = /\p{L}+/gu;

const ENGLISH: ReadonlySet<string> = new Set(
  'the of and to in is are was were what which who whose how many much for with that by from show list find give name names each all their have has had does do did not on at than count return tell me it its or'.split(
    ' ',
  ),
);
/** Frequent words of other languages that no English question has. */
const FOREIGN: ReadonlySet<string> = new Set(
  [
    'der die das und wie viele welche welcher wer ist sind nicht mit von für ein eine den dem namen gibt',
    'le les des du et quel quelle quels quelles est sont combien dans pour avec qui une sur nom noms',
    'el los las del y cuál cuáles cuántos cuántas qué quién es son en con por para una nombre nombres muestra',
    'os e qual quais quantos quantas são com uma dos das nome nomes quem',
    'il gli e qual quali quanti quante chi sono di con una nome nomi della delle che',
    'het en wat welke hoeveel zijn niet een van naam namen wie',
  ].flatMap((words) => words.split(' ')),
);

/** Checks whether a question is likely in English; what has too few words for an answer counts as English. */
export function isEnglish(question: string): boolean {
  const words =
    question
      .replaceAll(/"[^"]*"/gu, ' ')
      .toLowerCase()
      .match(WORD) ?? [];
  if (words.length > 0 && words.filter((word) => LATIN.test(word)).length * 2 < words.length) return false;
  if (words.length < FEWEST_WORDS) return true;
  const count = (known: ReadonlySet<string>): number => words.filter((word) => known.has(word)).length;
  return count(FOREIGN) <= count(ENGLISH);
}

/** A question, and the schema whose names stay whole in it; null where that is not known. */
export interface QuestionToSplit {
  readonly question: string;
  readonly database: Database | null;
}

/** A question's tokens and sub-sentences. */
export interface SplitText {
  readonly tokens: readonly DependencyToken[];
  readonly segments: readonly Segment[];
}

/** Why a question can't be split; null where it can. */
export function splitRefusal(question: string): string | null {
  if (question.trim() === '') return 'the question is empty';
  return isEnglish(question) ? null : 'the question is not in English';
}

/** Splits questions into sub-sentences with the shipped parser. */
export class QuestionSplitter {
  /** Names parser and rules. */
  readonly fingerprint: string;
  readonly #parser: EnglishParser;
  readonly #phrasesOf = memoizeObject((database: Database) => new SchemaPhrases(database));

  private constructor(parser: EnglishParser) {
    this.#parser = parser;
    this.fingerprint = `split-2:${parser.fingerprint}`;
  }

  /** @throws ModelFileError when the parser's files are missing or damaged */
  static async open(): Promise<QuestionSplitter> {
    return new QuestionSplitter(await EnglishParser.open());
  }

  /** Splits questions, in their order; all are read at once, so give some hundreds at a time. */
  async split(questions: readonly QuestionToSplit[]): Promise<readonly SplitText[]> {
    const parsed = await this.#parser.parse(questions.map(({ question }) => question));
    return zip(questions, parsed).map(([{ question, database }, tokens]) => {
      const mentions = database === null ? [] : this.#phrasesOf(database).find(tokens);
      return { tokens, segments: splitQuestion(question, tokens, mentions) };
    });
  }

  /** The sub-sentences of one question, which cover it; the whole of one that can't be split. */
  async segmentsOf(question: string, database: Database): Promise<readonly Segment[]> {
    if (splitRefusal(question) !== null) return segmentsAt(question, [0]);
    const [text] = await this.split([{ question, database }]);
    return text?.segments ?? segmentsAt(question, [0]);
  }

  /** Frees the parser. */
  async close(): Promise<void> {
    await this.#parser.close();
  }
}
