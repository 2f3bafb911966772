import { availableParallelism } from 'node:os';
import {
  databaseOf,
  type Dataset,
  type DatasetExample,
  type DatasetPaths,
  examplesNamed,
  PATH_DEFAULTS,
} from '../../formats/dataset.js';
import { type AuditFinding, type GoldFinding, plainFinding } from './finding.js';
import type { ExampleFinding } from './audited-gold.js';
import { loadDatasetAsWritten } from '../../formats/load-dataset.js';
import { hashDatabaseFiles } from '../../variants/databases/own-files.js';
import { findUnusable } from '../../variants/databases/unusable-databases.js';
import { itemAt } from '../../present.js';
import { groupBy } from '../../run/group-by.js';
import { type RunItems, runReported } from '../../run/reported-run.js';
import type { RunManifest } from '../../run/run-folder.js';
import { NOOP_HOST, type RunHost } from '../../run/run-host.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import { ownGroups, type ShardOption } from '../../run/shard.js';
import { forEachConcurrent } from '../../run/concurrency.js';
import { UnfinishedFolder } from '../../run/working-folders.js';
import type { QueryRunner } from '../../sql/execution/query-runner.js';
import { VERSION } from '../../version.js';
import { withQueryRunner } from '../execution/with-query-runner.js';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from './audit-classes.js';
import { type AuditReport, countClasses, loadAuditReport } from './audit-report.js';
import { DatabaseAudit, unanswerableNotes } from './database-audit.js';
import { GoldRows } from './gold-rows.js';
import { checkPredictions } from './predictions-check.js';
import { checkRepair, repairDataset } from './repair-dataset.js';

/** The input and output of `auditDataset`. */
export interface AuditOptions extends Partial<DatasetPaths>, ShardOption {
  /** Files of predictions that are to go with the data set. */
  readonly predictions?: readonly string[] | undefined;
  /**
   * Folder that gets report.json and report.html, and from which an audit that was stopped goes on; null: none is
   * written.
   */
  readonly out?: string | null | undefined;
  /**
   * Folder that gets the data set in its own format with the gold queries that could be repaired; null: none is
   * written.
   */
  readonly repair?: string | null | undefined;
  /** Longest time of one query in milliseconds; default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Processes that execute queries; default: the number of cores. */
  readonly jobs?: number | undefined;
}

/** Fields in which data sets keep an example's id. */
const ID_FIELDS = ['id', 'question_id', 'instance_id', 'qid', 'example_id'];

function ownId({ record }: DatasetExample): string | null {
  if (typeof record !== 'object' || record === null) return null;
  const fields: Readonly<Record<string, unknown>> = { ...record };
  const id = ID_FIELDS.map((name) => fields[name]).find(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return id === undefined ? null : String(id);
}

/** Examples whose id in the file is an earlier one's. */
function findDuplicateIds(examples: Iterable<DatasetExample>): readonly ExampleFinding[] {
  const first = new Map<string, string>();
  const findings: ExampleFinding[] = [];
  for (const example of examples) {
    const id = ownId(example);
    if (id === null) continue;
    const known = first.get(id);
    if (known === undefined) first.set(id, example.id);
    else
      findings.push({
        ...plainFinding('duplicate-id', `The id ${JSON.stringify(id)} is also that of ${known}.`),
        example,
      });
  }
  return findings;
}

/** A finding about an example, as it is reported. */
function ofExample({ example, ...finding }: ExampleFinding): AuditFinding {
  const { id, dbId, question, query: sql } = example;
  return { id: `${id}/${finding.class}`, example: id, dbId, question, sql, ...finding };
}

function ofFile(file: string, finding: GoldFinding, at: number): AuditFinding {
  return {
    id: `${file}/${finding.class}:${at}`,
    example: null,
    dbId: null,
    question: null,
    sql: null,
    ...finding,
    sentence: `${file}: ${finding.sentence}`,
  };
}

/** The findings about one database's examples. */
interface AuditedDatabase {
  /** Examples by their place in the data set. */
  readonly findings: readonly (GoldFinding & { readonly place: number })[];
  readonly golds: number;
  readonly hasRows: boolean;
}

/** The audit of one data set. */
class DatasetAudit {
  readonly #dataset: Dataset;
  readonly #examples: readonly DatasetExample[];
  readonly #runner: QueryRunner;
  readonly #host: RunHost;
  readonly #scratch: string;
  readonly #places: ReadonlyMap<DatasetExample, number>;
  #done = 0;

  constructor(
    dataset: Dataset,
    examples: readonly DatasetExample[],
    runner: QueryRunner,
    host: RunHost,
    scratch: string,
  ) {
    this.#dataset = dataset;
    this.#examples = examples;
    this.#runner = runner;
    this.#host = host;
    this.#scratch = scratch;
    this.#places = new Map(examples.map((example, i) => [example, i]));
  }

  /** Returns the faults in the examples of each database, or of each of a shard. */
  async databases(width: number, items: RunItems<AuditedDatabase>): Promise<readonly AuditedDatabase[]> {
    const databases = ownGroups(
      items.shard,
      groupBy(this.#examples, ({ dbId }) => dbId),
    );
    const audited: AuditedDatabase[] = [];
    await forEachConcurrent(databases, width, this.#host.signal, async ([dbId, examples], signal) => {
      audited.push(await items.of(dbId, () => this.#audit(dbId, examples, signal)));
    });
    return audited;
  }

  /** All that is wrong with examples, by their order and the classes'. */
  findings(databases: readonly AuditedDatabase[]): readonly AuditFinding[] {
    const twice = findDuplicateIds(this.#examples).map((finding) => this.#placed(finding));
    const found = [...databases.flatMap(({ findings }) => findings), ...twice];
    const rankOf = ({ class: name }: GoldFinding): number => AUDIT_CLASS_NAMES.indexOf(name);
    return found
      .sort((a, b) => a.place - b.place || rankOf(a) - rankOf(b))
      .map(({ place, ...finding }) => ofExample({ ...finding, example: itemAt(this.#examples, place) }));
  }

  #placed({ example, ...finding }: ExampleFinding): AuditedDatabase['findings'][number] {
    return { ...finding, place: this.#places.get(example) ?? 0 };
  }

  async #audit(dbId: string, examples: readonly DatasetExample[], signal: AbortSignal): Promise<AuditedDatabase> {
    const database = databaseOf(this.#dataset, dbId);
    const file = this.#dataset.hasRows(dbId) ? this.#dataset.sqliteFile(dbId, this.#scratch) : null;
    const rows = file === null ? null : new GoldRows(this.#runner, file, signal);
    const audit = new DatabaseAudit(database, this.#dataset.dialect, rows, () => {
      this.#done += 1;
      this.#host.progress('examples audited', this.#done, this.#examples.length);
    });
    const findings = (await audit.findings(examples)).map((finding) => this.#placed(finding));
    return { findings, golds: audit.golds, hasRows: rows !== null };
  }
}

/** Examples whose gold can't be trusted. */
function countDoubtful(findings: readonly AuditFinding[]): number {
  const doubtful = findings.filter(
    (finding) => finding.example !== null && AUDIT_CLASSES[finding.class].level !== 'note',
  );
  return new Set(doubtful.map(({ example }) => example)).size;
}

/**
 * The data set with databases that have no file which holds them taken for such without rows, and noted: gold queries
 * that fail there say nothing of the gold queries.
 * @throws InputFormatError where that is all of them
 */
function withoutUnusable(dataset: Dataset, databases: string | null): Dataset {
  const unusable = findUnusable(dataset, databases);
  if (unusable.length === 0) return dataset;
  const ids = new Set(unusable.map(({ id }) => id));
  const notes = unusable.map(
    ({ id, file, reason }) => `${file ?? id}: ${reason}, so its gold queries are not executed`,
  );
  return {
    ...dataset,
    notes: [...(dataset.notes ?? []), ...notes],
    hasRows: (id) => !ids.has(id) && dataset.hasRows(id),
  };
}

/**
 * Says which gold queries of a data set can't be trusted, and why: each finding with what shows it, where the databases
 * have rows. Gold queries run in child processes, on connections that can't write; no input is written to.
 * @throws ConfigError where a path is missing that the format needs, or the gold queries can't be written to `repair`;
 * InputFormatError where a file is wrong
 */
export async function auditDataset(options: AuditOptions, host: RunHost = NOOP_HOST): Promise<AuditReport> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const paths = { ...PATH_DEFAULTS, ...given };
  const { jobs = availableParallelism(), timeoutMs, out = null, repair = null, shard = null } = options;
  const dataset = withoutUnusable(await loadDatasetAsWritten(paths), paths.databases);
  if (repair !== null) checkRepair(dataset, repair);
  const examples = [...dataset.examples()];
  const files = (options.predictions ?? []).flatMap((file) =>
    checkPredictions(file, examples, dataset.databases).map((finding, i) => ofFile(file, finding, i)),
  );
  const folders: UnfinishedFolder[] = [];
  const limits = timeoutMs === undefined ? {} : { timeoutMs };
  return withQueryRunner({ jobs, limits }, async (runner, scratch) => {
    const audit = new DatasetAudit(dataset, examples, runner, host, scratch);
    const report = await runReported<AuditedDatabase, AuditReport>({
      out,
      shard,
      manifest: () => manifestOf(dataset, options),
      load: loadAuditReport,
      work: async (items) => {
        const databases = await audit.databases(jobs, items);
        items.end();
        const all = [...files, ...audit.findings(databases)];
        const found = reportOf(dataset, { paths, examples, databases, all });
        if (repair === null) return { ...found, repair };
        const folder = new UnfinishedFolder(repair);
        folders.push(folder);
        const repaired = await repairDataset(dataset, examples, shown(all), folder.path);
        return { ...found, repair: { folder: repair, repaired } };
      },
      write: async (found, folder) => {
        folder.write('report.html', await renderPage(found));
        folders.pop()?.finish();
      },
    });
    // Filled last: once it is, it is refused when the same command is given again.
    folders.pop()?.finish();
    return report;
  }).finally(() => folders.pop()?.abandon());
}

/** What was audited, and found. */
interface Audited {
  readonly paths: Pick<DatasetPaths, 'examples'>;
  readonly examples: readonly DatasetExample[];
  readonly databases: readonly AuditedDatabase[];
  readonly all: readonly AuditFinding[];
}

function reportOf(dataset: Dataset, { paths, examples, databases, all }: Audited): Omit<AuditReport, 'repair'> {
  return {
    ...examplesNamed(paths),
    dataset: dataset.format,
    examples: dataset.size,
    golds: databases.reduce((sum, { golds }) => sum + golds, 0),
    databases: databases.length,
    databasesWithRows: databases.filter(({ hasRows }) => hasRows).length,
    skipped: dataset.skipped,
    notes: [...(dataset.notes ?? []), ...unanswerableNotes(examples)],
    classes: countClasses(all),
    doubtful: countDoubtful(shown(all)),
    findings: shown(all),
    possible: all.filter(({ isShown }) => !isShown),
  };
}

const shown = (findings: readonly AuditFinding[]): readonly AuditFinding[] => findings.filter(({ isShown }) => isShown);

function manifestOf(dataset: Dataset, options: AuditOptions): Omit<RunManifest, 'complete'> {
  const { examples = null, predictions = [], timeoutMs = null, repair = null } = options;
  const used = new Set(Array.from(dataset.examples(), ({ dbId }) => dbId));
  return {
    command: 'audit',
    version: VERSION,
    seed: 0,
    settings: { dataset: dataset.format, timeoutMs, repair },
    inputs: {
      ...dataset.fingerprints,
      ...examplesNamed({ examples }),
      databases: hashDatabaseFiles(dataset, used),
      predictions: sha256Of(predictions.map(fileSha256).join()),
    },
  };
}

async function renderPage(report: AuditReport): Promise<string> {
  const [{ renderDocument }, { auditDocument }] = await Promise.all([
    import('../../report/document/render-document.js'),
    import('./report/audit-document.js'),
  ]);
  return renderDocument(auditDocument(report, VERSION));
}
