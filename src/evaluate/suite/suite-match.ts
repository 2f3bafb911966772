import { setMaxListeners } from 'node:events';
import type { Piscina } from 'piscina';
import { compareText, getOrMake } from '../../present.js';
import { InputFormatError } from '../../errors.js';
import { sha256Of } from '../../run/sha256.js';
import { openWorkerPool, runAbortable } from '../../run/worker-pool.js';
import type { Database } from '../../schema/schema.js';
import type { StageContext } from '../../stage.js';
import type { Suite } from '../../testsuite/suite/open-suite.js';
import { executionModeName } from '../execution/execution-tasks.js';
import type { EvaluationPair, Metric } from '../metric.js';
import type { SuitePair, SuiteReply, SuiteSettings, SuiteTask, SuiteVerdict } from './suite-task.js';
import { schemaSha256 } from '../../testsuite/suite/suite-manifest.js';
import { schemaPath, schemasFolder } from '../../testsuite/suite/suite-files.js';

/**
 * Checks that a suite was made for the schemas that are judged on it.
 * @throws InputFormatError naming the first that it lacks, or has otherwise
 */
export function checkSuite(suite: Suite, databases: Iterable<Database>): void {
  const ids = new Set(suite.ids);
  const all = [...databases];
  const [missing, ...more] = new Set(all.flatMap(({ id }) => (ids.has(id) ? [] : [id])));
  if (missing !== undefined) {
    const others = more.length === 0 ? '' : `, and ${more.length} more that the gold queries ask for`;
    throw new InputFormatError(`the suite has no schema ${missing}${others}`, {
      where: { file: schemasFolder(suite.path) },
      fix: 'Build a suite of all databases of this gold with `perturbql suite build`, or name another with --suite.',
    });
  }
  for (const database of all) {
    const file = suite.schema(database.id);
    if (file === null || file.schemaSha256 === schemaSha256(database)) continue;
    throw new InputFormatError('the suite was made for other tables, columns, types or keys than --tables has', {
      where: { file: schemaPath(suite.path, database.id), id: database.id },
      fix: 'Name the tables.json that the suite was built with, or build a suite for this one.',
    });
  }
}

export interface SuiteMatchOptions {
  readonly suite: Suite;
  readonly settings: SuiteSettings;
  /** Schemas side by side; default: the machine's cores. */
  readonly jobs?: number | undefined;
  /** True if databases stay open from call to call, the suite being what it was at first; default: they do not. */
  readonly keepsOpen?: boolean;
  /** Pairs of which a counterexample is wanted where they are wrong; default: none. */
  readonly explains?: (pair: EvaluationPair) => boolean;
}

/** The data that scores on a suite depend on, so that they can be repeated. */
export interface SuiteIdentity {
  readonly path: string;
  /** Of what the suite says of the schemas that were used: their databases' hashes are in it. */
  readonly sha256: string;
  /** Schemas and databases of them that were used. */
  readonly schemas: number;
  readonly databases: number;
}

/** A task with the places, in the list that is judged, of the pairs that each of its pairs covers. */
interface PlacedTask {
  readonly database: Database;
  readonly pairs: Map<string, { readonly pair: SuitePair; readonly places: number[] }>;
}

/** Pairs by schema, each once where they are alike, those of one gold query one after another. */
function tasksOf(pairs: readonly EvaluationPair[], explains: (pair: EvaluationPair) => boolean): PlacedTask[] {
  const tasks = new Map<string, PlacedTask>();
  for (const [place, pair] of pairs.entries()) {
    const { database, gold, predicted } = pair;
    const task = getOrMake(tasks, database.id, () => ({ database, pairs: new Map() }));
    const isExplained = explains(pair);
    const key = JSON.stringify([gold, predicted, isExplained]);
    const known = task.pairs.get(key);
    if (known === undefined) task.pairs.set(key, { pair: { gold, predicted, isExplained }, places: [place] });
    else known.places.push(place);
  }
  return [...tasks.values()];
}

/** Returns the data that scores of pairs on these schemas depend on. */
export function suiteIdentity(suite: Suite, databases: Iterable<Database>): SuiteIdentity {
  const ids = [...new Set([...databases].map(({ id }) => id))].sort();
  const files = ids.flatMap((id) => suite.schema(id) ?? []);
  return {
    path: suite.path,
    sha256: sha256Of(files.map((file) => `${JSON.stringify(file)}\n`).join('')),
    schemas: files.length,
    databases: files.reduce((sum, file) => sum + file.databases.length, 0),
  };
}

/**
 * Test-suite accuracy (Zhong et al. 2020): a prediction is correct when its result equals the gold's on every database
 * of a distilled suite that the gold is judged on. Results are compared as for execution. Queries are bounded by the
 * rows that they look at, not by time, so that a verdict does not depend on the machine.
 */
export class SuiteMatch implements Metric<SuiteVerdict> {
  readonly id = 'suite';
  readonly fingerprint: string;
  /** How results are compared, by name, with its version. */
  readonly mode: string;
  readonly #options: SuiteMatchOptions;
  #pool: Piscina | null = null;

  constructor(options: SuiteMatchOptions) {
    this.#options = options;
    this.mode = executionModeName(options.settings.mode, options.settings);
    this.fingerprint = `suite-${this.mode}`;
  }

  /** @throws InputFormatError where the suite does not have a pair's schema, or a database of it is damaged */
  async judge(pairs: readonly EvaluationPair[], context: StageContext): Promise<readonly SuiteVerdict[]> {
    const { suite, explains = () => false } = this.#options;
    const tasks = tasksOf(pairs, explains);
    checkSuite(
      suite,
      tasks.map(({ database }) => database),
    );
    const size = ({ database, pairs: own }: PlacedTask): number =>
      own.size * (suite.schema(database.id)?.databases.length ?? 0);
    tasks.sort((a, b) => size(b) - size(a)); // the longest work is not left for the end
    const verdicts = new Array<SuiteVerdict>(pairs.length);
    let done = 0;
    // A thread that works for another call goes on.
    const stopping = new AbortController();
    setMaxListeners(0, stopping.signal); // one a task
    const work = async (task: PlacedTask): Promise<void> => {
      for (const [place, verdict] of await this.#judgeTask(task, stopping.signal)) {
        verdicts[place] = { id: pairs[place]?.id ?? '', ...verdict };
        done += 1;
      }
      context.emit({ kind: 'progress', stage: this.id, done, total: pairs.length });
    };
    await runAbortable(
      context.signal,
      async () => stopping.abort(),
      () => Promise.all(tasks.map(work)),
    );
    return verdicts;
  }

  /** Ends its threads. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.destroy();
  }

  async #judgeTask(
    { database, pairs }: PlacedTask,
    signal: AbortSignal,
  ): Promise<readonly (readonly [place: number, verdict: Omit<SuiteVerdict, 'id'>])[]> {
    const { suite, settings, keepsOpen: keeps = false } = this.#options;
    const entries = [...pairs.values()].sort((a, b) => compareText(a.pair.gold, b.pair.gold));
    const task: SuiteTask = { suite: suite.path, database, pairs: entries.map(({ pair }) => pair), settings, keeps };
    const reply = (await this.#threads().run(task, { signal })) as SuiteReply;
    if ('fault' in reply) throw new InputFormatError(reply.fault.message, reply.fault);
    return reply.verdicts.flatMap((verdict, i) => (entries[i]?.places ?? []).map((place) => [place, verdict] as const));
  }

  #threads(): Piscina {
    this.#pool ??= openWorkerPool('evaluate/suite/suite-worker', this.#options.jobs);
    return this.#pool;
  }
}
