import { InputFormatError, PerturbqlError } from '../../errors.js';
import { whereReadable } from '../../sql/sql-fault.js';
import { countNoun, formatCount } from '../../counts.js';
import { renderSeconds } from '../../report/figures.js';
import { openWorkerPool, threadCount } from '../../run/worker-pool.js';
import type { Database } from '../../schema/schema.js';
import { neighborsOf } from '../neighbors/neighbors.js';
import { type SuiteBuildInput, type SuiteBuildOptions, withSuiteDefaults } from './suite-options.js';
import { type PlannedSchema, planSuite, suiteManifest, type SuitePlan } from './suite-plan.js';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { renderJsonArray } from '../../formats/json-file.js';
import { renderSpiderTables } from '../../formats/spider-tables.js';
import { readRunManifest, RunFolder, type RunState } from '../../run/run-folder.js';
import { SCRATCH } from '../../run/working-folders.js';
import { inPhase, NOOP_HOST, type RunHost } from '../../run/run-host.js';
import { ownItems } from '../../run/shard.js';
import type { DistillTask } from '../distill/distillation.js';
import { reportSuite, type SuiteReport } from '../report/suite-report.js';
import { renderDocument } from '../../report/document/render-document.js';
import { suiteDocument } from '../report/suite-document.js';
import {
  BuildProgress,
  type SchemaEntry,
  type SchemaJob,
  type SchemaOutcome,
  type SchemaProgress,
} from './build-progress.js';
import { openSuite, readSuiteSchema, type Suite } from './open-suite.js';
import { writeTiming } from './timing.js';

/** Gold queries of a schema whose neighbors are counted; the others are taken to have as many. */
const SAMPLED_GOLDS = 6;

/**
 * CPU seconds that a build takes: until it begins, for each gold query, whose hardest neighbors take most of the
 * search and whose databases are reduced, and for each neighbor. Measured with 300 random databases: 20 s for 30 gold
 * queries of the examples with 1,764 neighbors, 54 s for 101 of four databases of Spider dev with 3,795; earlier 81 s
 * for 207 of Spider dev, 9 s for 10 plain ones on a table of 300 columns; with 100 a tenth less.
 */
const SECONDS_TO_BEGIN = 1;
const SECONDS_PER_GOLD = 0.3;
const SECONDS_PER_GOLD_AND_HUNDRED = 0.02;
const SECONDS_PER_NEIGHBOR = 0.0045;

/**
 * Packed bytes of an original’s byte, and of all other files of a schema: rough figures of Spider dev, 3.4 MB in all.
 */
const PACKED_SHARE = 0.3;
const PACKED_BYTES = 150_000;

interface Estimate {
  /** Neighbors that are to be distinguished, and those in addition to them that are shown to be equivalent. */
  readonly counted: number;
  readonly equivalent: number;
}

const NONE: Estimate = { counted: 0, equivalent: 0 };

function added(a: Estimate, b: Estimate): Estimate {
  return { counted: a.counted + b.counted, equivalent: a.equivalent + b.equivalent };
}

function neighborsOfGold(sql: string, database: Database, seed: number): Estimate {
  return whereReadable(() => {
    const neighbors = neighborsOf(sql, database, { seed });
    const equivalent = neighbors.filter((one) => one.equivalent !== null).length;
    return { counted: neighbors.length - equivalent, equivalent };
  }, NONE);
}

/** About how many neighbors a schema's gold queries have, told from some gold queries from all over the list. */
function estimateNeighbors({ golds, database }: PlannedSchema, seed: number): Estimate {
  const step = Math.max(1, golds.length / SAMPLED_GOLDS);
  const sampled = [...new Set(Array.from({ length: SAMPLED_GOLDS }, (_, i) => golds[Math.floor(i * step)]))];
  const counts = sampled.flatMap((sql) => (sql === undefined ? [] : [neighborsOfGold(sql, database, seed)]));
  const { counted, equivalent } = counts.reduce(added, NONE);
  const share = golds.length / counts.length;
  return { counted: share * counted, equivalent: share * equivalent };
}

/** To two digits: it is an estimate. */
const rough = (n: number): string => formatCount(Number(n.toPrecision(2)));

/** Describes the work of a build and its approximate cost, in lines for people. */
function describeSuitePlan(
  { schemas, dataset }: SuitePlan,
  { seed, budget, jobs, databases }: Pick<SuiteBuildOptions, 'seed' | 'budget' | 'jobs' | 'databases'>,
): readonly string[] {
  const goldQueries = schemas.reduce((sum, one) => sum + one.golds.length, 0);
  const { counted, equivalent } = schemas.map((one) => estimateNeighbors(one, seed)).reduce(added, NONE);
  const perGold = SECONDS_PER_GOLD + (SECONDS_PER_GOLD_AND_HUNDRED * budget.randomDatabases) / 100;
  const seconds = SECONDS_TO_BEGIN + goldQueries * perGold + (counted + equivalent) * SECONDS_PER_NEIGHBOR;
  const threads = Math.min(threadCount(jobs), schemas.length);
  const originals = schemas.reduce((sum, { database }) => sum + (dataset.sqliteBytes?.(database.id) ?? 0), 0);
  const isBare = databases !== null && !schemas.some(({ database }) => dataset.hasRows(database.id));
  const bytes = originals * PACKED_SHARE + schemas.length * PACKED_BYTES;
  return [
    `${countNoun(schemas.length, 'schema')}, ${countNoun(dataset.size, 'example')} with ${countNoun(goldQueries, 'distinct gold query', 'distinct gold queries')}`,
    `about ${rough(counted)} neighbors, in addition to ${rough(equivalent)} shown to be equivalent; up to ${countNoun(budget.randomDatabases, 'random database')} for each schema, ${budget.targetedDatabases} more for each neighbor that is left`,
    `about ${renderSeconds(seconds)} of CPU time in ${countNoun(threads, 'thread')}, and ${rough(bytes / 1e6)} MB of disk`,
    ...(isBare ? [`warning: ${databases} has a database of none of these schemas: there will be no original`] : []),
    ...(dataset.notes ?? []).map((note) => `warning: ${note}`),
  ];
}

/**
 * Threads that distill schemas, one each at a time. When the signal asks for it, they stop at their next step and say
 * how far they have come.
 */
class SchemaRunner {
  readonly #pool: Piscina;
  readonly #signal: AbortSignal;
  /** Of the schemas that are under way or wait for a thread. */
  readonly #ports = new Set<MessagePort>();

  constructor(jobs: number | undefined, signal: AbortSignal) {
    this.#pool = openWorkerPool('testsuite/suite/schema-worker', jobs);
    this.#signal = signal;
    signal.addEventListener('abort', this.#stop);
  }

  /**
   * Distills a schema and writes its files; `progress` is told about once a second how far it is.
   * @throws InputFormatError where the schema's database can't be used
   */
  async run(
    job: Pick<SchemaJob, 'suite' | 'resume'> & { readonly task: DistillTask },
    progress: (progress: SchemaProgress) => void,
  ): Promise<Exclude<SchemaOutcome, { kind: 'refused' }>> {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', progress);
    this.#ports.add(port1);
    if (this.#signal.aborted) this.#stop();
    try {
      const outcome = (await this.#pool.run({ ...job, port: port2 }, { transferList: [port2] })) as SchemaOutcome;
      if (outcome.kind !== 'refused') return outcome;
      const { message, where, fix } = outcome;
      throw new InputFormatError(message, { where, fix });
    } finally {
      this.#ports.delete(port1);
      port1.removeAllListeners('message');
      port1.close();
    }
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop);
    await this.#pool.destroy();
  }

  readonly #stop = (): void => {
    for (const port of this.#ports) port.postMessage('stop');
  };
}

export interface SuiteOutcome {
  readonly report: SuiteReport;
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

/** The effect of a folder's state on the cost of a build. */
const STATE_LINES: Readonly<Record<RunState, readonly string[]>> = {
  new: [],
  begun: ['started before: the build resumes'],
  complete: ['already complete: the build only checks its files, and remakes what is damaged'],
};

/** Describes a build and its cost, in lines for people; nothing is written. @throws as `buildSuite` */
export async function previewSuite(input: SuiteBuildInput, host: RunHost = NOOP_HOST): Promise<readonly string[]> {
  const options = withSuiteDefaults(input);
  const plan = await inPhase(host, 'reading inputs', () => planSuite(options));
  const state = RunFolder.preview(options.out, await suiteManifest(options, plan));
  return [...describeSuitePlan(plan, options), ...STATE_LINES[state]];
}

/**
 * Distills a test suite for the gold queries of a data set (Zhong et al. 2020): per schema, few databases that tell the
 * gold queries from their neighbors. Deterministic for its seed, whatever the number of threads. The same call again
 * resumes an interrupted build where it was; a finished one is left as it is but for files that are damaged, which are
 * made again.
 * @throws InputFormatError, ConfigError or RunFolderError: see each class
 */
export async function buildSuite(input: SuiteBuildInput, host: RunHost = NOOP_HOST): Promise<SuiteOutcome> {
  const options = withSuiteDefaults(input);
  const plan = await inPhase(host, 'reading inputs', () => planSuite(options));
  const own = ownSchemas(plan, options);
  try {
    return await RunFolder.use<SchemaEntry, SuiteOutcome>(options.out, await suiteManifest(options, plan), {
      shard: options.shard,
      read: async (folder) => {
        const damaged = damagedSchemas(plan, folder);
        if (damaged.length === 0) return { report: reportAgain(plan, folder), fresh: false };
        host.note(`damaged, made again: ${idsOf(damaged).join(', ')}`);
        await distillSchemas(damaged, damaged, { plan, folder, options, host });
        return { report: finishSuite(plan, folder), fresh: true };
      },
      work: async (folder) => {
        for (const line of describeSuitePlan(own, options)) host.note(line);
        const open = own.schemas.filter(({ database: { id } }) => folder.journal.get(id)?.kind !== 'done');
        await distillSchemas(open, own.schemas, { plan, folder, options, host });
        folder.endShard();
        return { report: finishSuite(plan, folder), fresh: true };
      },
    });
  } finally {
    rmSync(join(options.out, SCRATCH), { recursive: true, force: true });
  }
}

const REPORTS = ['report.json', 'report.html', 'tables.json'];

const idsOf = (schemas: readonly PlannedSchema[]): string[] => schemas.map(({ database }) => database.id);

/** The plan for the run, or for its shard, weighed by queries. */
function ownSchemas({ schemas, ...plan }: SuitePlan, { shard }: SuiteBuildOptions): SuitePlan {
  const own = ownItems(shard, new Map(schemas.map(({ database, golds }) => [database.id, golds.length])));
  return { ...plan, schemas: schemas.filter(({ database }) => own.has(database.id)) };
}

/** Checks whether a finished suite has all files of a schema as they were written. */
function isIntact(suite: Suite, dbId: string): boolean {
  try {
    const schema = suite.schema(dbId);
    schema?.databases.forEach(({ name }) => suite.bytes(dbId, name));
    return schema !== null;
  } catch (error) {
    if (error instanceof PerturbqlError) return false;
    throw error;
  }
}

/** Schemas of a finished suite that have a damaged file. */
function damagedSchemas({ schemas }: SuitePlan, { path }: RunFolder<SchemaEntry>): readonly PlannedSchema[] {
  const suite = openSuite(path);
  return schemas.filter(({ database }) => !isIntact(suite, database.id));
}

/** The means of distilling schemas. */
interface Distilling {
  readonly plan: SuitePlan;
  readonly folder: RunFolder<SchemaEntry>;
  readonly options: SuiteBuildOptions;
  readonly host: RunHost;
}

/** Distills schemas; `shown` are those whose progress is shown, finished ones among them. */
async function distillSchemas(
  schemas: readonly PlannedSchema[],
  shown: readonly PlannedSchema[],
  { plan, folder, options, host }: Distilling,
): Promise<void> {
  const progress = new BuildProgress(idsOf(shown), folder, options.budget, host);
  const runner = new SchemaRunner(options.jobs, host.signal);
  const distill = async (task: DistillTask): Promise<void> => {
    const { id } = task.database;
    const job = { suite: folder.path, task, resume: progress.resumeOf(id) };
    const outcome = await runner.run(job, (one) => progress.underWay(id, one));
    if (outcome.kind === 'done') progress.done(id, outcome);
    else if (outcome.progress !== null) progress.underWay(id, outcome.progress);
  };
  try {
    // The largest first, so that no thread is left with it in the end.
    const tasks = schemas
      .map((schema) => taskOf(schema, plan, options))
      .sort((a, b) => b.golds.length - a.golds.length);
    await Promise.all(tasks.map(distill));
    host.signal.throwIfAborted();
  } finally {
    await runner.close();
  }
}

function taskOf({ database, golds }: PlannedSchema, { dataset }: SuitePlan, options: SuiteBuildOptions): DistillTask {
  const { seed, budget, out, data } = options;
  return { database, file: dataset.sqliteFile(database.id, join(out, SCRATCH)), golds, seed, budget, data };
}

/** Sums up what is in the folder. */
function reportOf(path: string, { schemas }: SuitePlan): SuiteReport {
  const ids = idsOf(schemas).sort();
  return reportSuite(
    path,
    readRunManifest(path),
    ids.map((id) => readSuiteSchema(path, id)),
  );
}

/** The report, and the schemas for `evaluate --tables`: not every data set has them in Spider's form. */
function writeReports(report: SuiteReport, { schemas, named }: SuitePlan, folder: RunFolder<SchemaEntry>): void {
  folder.write('tables.json', renderJsonArray(schemas.map(({ database }) => renderSpiderTables(database))));
  folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  folder.write('report.html', renderDocument(suiteDocument(report, named)));
}

/** The report of a finished suite; written again where a copy of the suite lacks it. */
function reportAgain(plan: SuitePlan, folder: RunFolder<SchemaEntry>): SuiteReport {
  const report = reportOf(folder.path, plan);
  if (REPORTS.some((name) => !existsSync(join(folder.path, name)))) writeReports(report, plan, folder);
  return report;
}

function finishSuite(plan: SuitePlan, folder: RunFolder<SchemaEntry>): SuiteReport {
  const report = reportOf(folder.path, plan);
  writeReports(report, plan, folder);
  const times = plan.schemas.map(({ database: { id } }) => [id, folder.journal.get(id)?.seconds] as const);
  writeTiming(
    folder.path,
    Object.fromEntries(times.filter((time): time is readonly [string, number] => time[1] !== undefined)),
  );
  return report;
}
