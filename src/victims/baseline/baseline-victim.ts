import { sha256Of } from '../../run/sha256.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { failedAnswer, type Victim, type VictimAnswer, type VictimContext, type VictimQuestion } from '../victim.js';
import { BaselineParser } from './baseline-parser.js';
import { FILL_WEIGHTS } from './fill-features.js';
import type { BaselineExample } from './known-example.js';
import type { CellSamples } from './question-values.js';

/** Raised when the parser answers otherwise than before. */
const VERSION = 1;
/** One object, so that what is made of a schema is kept. */
const NO_SAMPLES: CellSamples = [];

export interface BaselineVictimOptions {
  /** The examples that it answers after. */
  readonly examples: readonly BaselineExample[];
  /** Of the examples and the answers. */
  readonly dialect: SqlDialect;
  /** Ids of the examples that a question was made of: it is answered as if these were unknown. */
  readonly leftOut: (questionId: string) => readonly string[];
}

/** The examples, and each of their databases once. */
function fingerprintOf({ examples, dialect }: BaselineVictimOptions): string {
  const databases = new Map(examples.map(({ database, samples }) => [database, samples]));
  const questions = examples.map(({ id, question, query, database }) => [id, question, query, database.id]);
  const content = [VERSION, dialect.name, FILL_WEIGHTS, questions, [...databases]];
  return `baseline:${VERSION}:${sha256Of(JSON.stringify(content))}`;
}

/** The built-in model: a {@link BaselineParser} fitted on examples at its first question. Needs nothing else. */
export class BaselineVictim implements Victim {
  readonly id = 'baseline';
  readonly fingerprint: string;
  readonly concurrency = 1;
  readonly #options: BaselineVictimOptions;
  #parser: BaselineParser | null = null;

  constructor(options: BaselineVictimOptions) {
    this.#options = options;
    this.fingerprint = fingerprintOf(options);
  }

  /** @throws the signal's reason when aborted */
  async answer(asked: VictimQuestion, { signal }: Pick<VictimContext, 'signal'>): Promise<VictimAnswer> {
    signal.throwIfAborted();
    const { id, question, schema, samples = NO_SAMPLES } = asked;
    const sql = this.#fitted().parse(question, schema, samples, this.#options.leftOut(id));
    if (sql === null) return failedAnswer(id, 'no-sql', 'no example’s query fits the question and these tables');
    return { id, sql, raw: sql, cleaned: [], rest: [], failure: null, usage: null };
  }

  #fitted(): BaselineParser {
    if (this.#parser === null) {
      this.#parser = new BaselineParser({ dialect: this.#options.dialect });
      this.#parser.fit(this.#options.examples);
    }
    return this.#parser;
  }
}
