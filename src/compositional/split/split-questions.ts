import { SqlRewriteError } from '../../errors.js';
import { elementAt } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { QuestionAligner } from '../align/align-question.js';
import { splitWithGold } from '../align/split-with-gold.js';
import type { ClauseQuery } from '../clauses/clause.js';
import { joinKeysOf } from '../clauses/join-keys.js';
import { clausesOf } from '../clauses/read-clauses.js';
import { EnglishParser } from '../parser/english-parser.js';
import type { DependencyToken } from '../parser/parse.js';
import { type AskedQuestion, readAskedQuestions } from './asked-questions.js';
import { isEnglish } from './question-language.js';
import { SchemaPhrases } from './schema-phrases.js';
import type { Segment } from './segment.js';
import { splitQuestion } from './split-question.js';

/** Questions parsed at a time. */
const CHUNK = 256;
/** A question with its tokens and its sub-sentences. */
export interface SplitResult {
  readonly id: string;
  readonly tokens: readonly DependencyToken[];
  readonly segments: readonly Segment[];
}

/** Where a split reads from and what it tells. */
export interface SplitInput {
  /** JSON lines, or a JSON array, of {id?, db_id?, question, query?}. */
  readonly questions: string;
  /** Spider's tables.json. */
  readonly tables: string;
  /** Told of each question that is left out. */
  readonly note: (line: string) => void;
}

/** Why a question can't be split; null where it can. */
function refusal(question: string): string | null {
  if (question.trim() === '') return 'the question is empty';
  return isEnglish(question) ? null : 'the question is not in English';
}

function* chunksOf<T>(items: Iterable<T>): Generator<readonly T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Splits questions that were parsed, each with its query where that is known. */
class QuestionSplitter {
  readonly #note: (line: string) => void;
  readonly #known = new Map<Database, { readonly phrases: SchemaPhrases; readonly aligner: QuestionAligner }>();

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  split(asked: AskedQuestion, tokens: readonly DependencyToken[]): SplitResult {
    const { id, question, database } = asked;
    if (database === null) return { id, tokens, segments: splitQuestion(question, tokens, []) };
    const { phrases, aligner } = this.#helpersOf(database);
    const mentions = phrases.find(tokens);
    const query = this.#clausesOf(asked, database);
    if (query === null) return { id, tokens, segments: splitQuestion(question, tokens, mentions) };
    return { id, tokens, segments: splitWithGold({ id, question, tokens, mentions, query }, aligner) };
  }

  #helpersOf(database: Database): { readonly phrases: SchemaPhrases; readonly aligner: QuestionAligner } {
    const helpers = this.#known.get(database) ?? {
      phrases: new SchemaPhrases(database),
      aligner: new QuestionAligner(database),
    };
    this.#known.set(database, helpers);
    return helpers;
  }

  #clausesOf({ query, place }: AskedQuestion, database: Database): ClauseQuery | null {
    if (query === null) return null;
    try {
      return clausesOf(query, database, joinKeysOf(database, [query]));
    } catch (error) {
      if (!(error instanceof SqlRewriteError)) throw error;
      this.#note(`${place}: split without its query, ${error.message}`);
      return null;
    }
  }
}

/**
 * Splits the questions of a file into sub-sentences, in order; where a record has a query, by what that says, too. Empty
 * questions and those in another language are noted and left out.
 * @throws InputFormatError naming the line or record that is no question
 */
export async function* splitQuestions({ questions, tables, note }: SplitInput): AsyncGenerator<SplitResult> {
  const parser = await EnglishParser.open();
  const splitter = new QuestionSplitter(note);
  try {
    for (const chunk of chunksOf(readAskedQuestions(questions, tables))) {
      const asked = chunk.filter(({ question, place }) => {
        const reason = refusal(question);
        if (reason !== null) note(`${place}: skipped, ${reason}`);
        return reason === null;
      });
      const parsed = await parser.parse(asked.map(({ question }) => question));
      yield* asked.map((one, at) => splitter.split(one, elementAt(parsed, at)));
    }
  } finally {
    await parser.close();
  }
}
