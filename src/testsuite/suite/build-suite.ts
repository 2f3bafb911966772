import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { PerturbqlError, InputFormatError } from '../../errors.js';
import { renderJsonArray } from '../../formats/json-output.js';
import { renderSpiderTables } from '../../formats/spider-tables.js';
import { readRunManifest, RunFolder, type RunState } from '../../run/run-folder.js';
import { SCRATCH } from '../../run/scratch-folder.js';
import { inPhase, type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { ownItems } from '../../run/shard.js';
import type { DistillTask } from '../distill/distillation.js';
import { reportSuite, type SuiteReport } from '../report/suite-report.js';
import { renderDocument } from '../../report/document/render-document.js';
import { suiteDocument } from '../report/suite-document.js';
import { BuildProgress, type SchemaEntry } from './build-progress.js';
import { openSuite, readSuiteSchema, type Suite } from './open-suite.js';
import { describeSuitePlan } from './suite-estimate.js';
import { type SuiteBuildInput, type SuiteBuildOptions, withSuiteDefaults } from './suite-options.js';
import { planSuite, type PlannedSchema, suiteManifest, type SuitePlan } from './suite-plan.js';
import { writeTiming } from './timing.js';
import { openWorkerPool } from '../../run/worker-pool.js';
import type { SchemaJob, SchemaOutcome, SchemaProgress } from './schema-job.js';

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
