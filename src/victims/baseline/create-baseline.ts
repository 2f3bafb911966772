import { sha256Of } from '../../run/sha256.js';
import type { SqlDialect } from '../../sql/dialect.js';
import { failedAnswer, type Victim, type VictimAnswer, type VictimContext, type VictimQuestion } from '../victim.js';
import { BaselineParser } from './baseline-parser.js';
import { FILL_WEIGHTS } from './fill-features.js';
import type { BaselineExample } from './known-example.js';
import type { CellSamples } from './question-values.js';
import { countNoun } from '../../counts.js';
import { basename } from 'node:path';
import { ConfigError } from '../../errors.js';
import { databaseOf, type Dataset, type DatasetExample } from '../../formats/dataset.js';
import { loadDataset } from '../../formats/load-dataset.js';
import { requireExamples } from '../../variants/candidates/candidates-run.js';
import type { MadeVictim, VictimWorld } from '../victim-kind.js';
import { memoizeObject } from '../../schema/memoize.js';
import { describeTooFew } from './too-few-examples.js';

/** Raised when the parser answers otherwise than before. */
const VERSION = 1;
/** One object, so that what is made of a schema is kept. */
const NO_SAMPLES: CellSamples = [];

interface BaselineVictimOptions {
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
      this.#parser = new BaselineParser(this.#options.dialect);
      this.#parser.fit(this.#options.examples);
    }
    return this.#parser;
  }
}

function* baselineExamples(
  dataset: Dataset,
  isLearned: (example: DatasetExample) => boolean,
): Generator<BaselineExample> {
  const samplesOf = memoizeObject((database: BaselineExample['database']) => dataset.sampleValues(database));
  for (const example of dataset.examples()) {
    if (!isLearned(example) || example.query === '') continue;
    const { id, dbId, question, query } = example;
    const database = databaseOf(dataset, dbId);
    yield { id, question, query, database, samples: samplesOf(database) };
  }
}

/**
 * The built-in parser, which will be fitted on the examples of a file, or on those asked about without the one that is
 * asked.
 * @throws ConfigError where none has a gold query
 */
export async function createBaseline(
  train: string | null,
  { paths, asked, examplesOf, isLearned }: VictimWorld,
): Promise<MadeVictim> {
  const dataset = train === null ? asked : await loadDataset({ ...paths, examples: train });
  requireExamples(dataset, { examples: train });
  const examples = [...baselineExamples(dataset, train === null ? isLearned : () => true)];
  if (examples.length === 0 && [...dataset.examples()].some(({ query }) => query === '')) {
    throw new ConfigError('the built-in parser has no example with a gold query to learn from', {
      fix: 'Name a file of questions with their queries with --train, or another victim.',
    });
  }
  const leftOut = train === null ? examplesOf : (): readonly string[] => [];
  const from = train === null ? 'those attacked, leave-one-out' : basename(train);
  // Of those attacked it learns from the others.
  const warning = describeTooFew(train === null ? Math.max(0, examples.length - 1) : examples.length);
  return {
    ...(warning === null ? {} : { warning }),
    victim: new BaselineVictim({ examples, dialect: dataset.dialect, leftOut }),
    description: `built-in nearest-example parser with ${countNoun(examples.length, 'example')}: ${from}`,
  };
}
