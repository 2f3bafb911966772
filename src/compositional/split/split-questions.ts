import { SqlRewriteError } from '../../errors.js';
import { zip } from '../../present.js';
import type { Database } from '../../schema/schema.js';
import { QuestionAligner } from '../align/align-question.js';
import { splitWithGold } from '../align/split-with-gold.js';
import type { ClauseQuery } from '../clauses/clause.js';
import { joinKeysOf } from '../clauses/join-keys.js';
import { clausesOf } from '../clauses/read-clauses.js';
import { type AskedQuestion, readAskedQuestions } from './asked-questions.js';
import { QuestionSplitter, splitRefusal, type SplitText } from './question-splitter.js';
import { SchemaPhrases } from './schema-phrases.js';

/** Questions parsed at a time. */
const CHUNK = 256;

/** A question with its tokens and its sub-sentences. */
export interface SplitResult extends SplitText {
  readonly id: string;
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

/** Splits questions again by what their queries say, where those are known. */
class GoldSplitter {
  readonly #note: (line: string) => void;
  readonly #known = new Map<Database, { readonly phrases: SchemaPhrases; readonly aligner: QuestionAligner }>();

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** The question's sub-sentences; those that it has alone where nothing can be had of its query. */
  split(asked: AskedQuestion, alone: SplitText): SplitText {
    const { id, question, database } = asked;
    const query = database === null ? null : this.#clausesOf(asked, database);
    if (database === null || query === null) return alone;
    const { phrases, aligner } = this.#helpersOf(database);
    const { tokens } = alone;
    const mentions = phrases.find(tokens);
    return { tokens, segments: splitWithGold({ id, question, tokens, mentions, query }, aligner) };
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
  const splitter = await QuestionSplitter.open();
  const golds = new GoldSplitter(note);
  try {
    for (const chunk of chunksOf(readAskedQuestions(questions, tables))) {
      const asked = chunk.filter(({ question, place }) => {
        const reason = splitRefusal(question);
        if (reason !== null) note(`${place}: skipped, ${reason}`);
        return reason === null;
      });
      const texts = await splitter.split(asked);
      yield* zip(asked, texts).map(([one, text]): SplitResult => ({ id: one.id, ...golds.split(one, text) }));
    }
  } finally {
    await splitter.close();
  }
}
