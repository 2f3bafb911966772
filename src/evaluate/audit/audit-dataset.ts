import { availableParallelism, tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset, DatasetExample } from '../../formats/dataset.js';
import { PATH_DEFAULTS } from '../../formats/dataset.js';
import { loadDatasetAsWritten } from '../../formats/load-dataset.js';
import { findUnusable } from '../../perturb/database/unusable-databases.js';
import { present } from '../../present.js';
import { writeDurably } from '../../run/durable-file.js';
import { groupBy } from '../../run/group-by.js';
import { type RunHost, SILENT_HOST } from '../../run/run-host.js';
import { sideBySide } from '../../run/side-by-side.js';
import { UnfinishedFolder } from '../../run/unfinished-folder.js';
import { QueryRunner } from '../../sql/execution/query-runner.js';
import { AUDIT_CLASS_NAMES, AUDIT_CLASSES } from './audit-classes.js';
import type { AuditOptions } from './audit-options.js';
import { type AuditReport, countClasses } from './audit-report.js';
import { DatabaseAudit } from './database-audit.js';
import { findDuplicateIds } from './examples/duplicate-ids.js';
import type { ExampleFinding } from './examples/audited-example.js';
import type { AuditFinding, GoldFinding } from './finding.js';
import { GoldRows } from './gold-rows.js';
import { auditPairs } from './perturbed/audit-pairs.js';
import { reportPairs } from './perturbed/pair-verdict.js';
import { repairPairs } from './perturbed/repair-pairs.js';
import { checkPredictions } from './predictions-check.js';
import { checkRepair, repairDataset } from './repair-dataset.js';

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

/** The audit of one data set. */
class DatasetAudit {
  readonly #dataset: Dataset;
  readonly #examples: readonly DatasetExample[];
  readonly #runner: QueryRunner;
  readonly #host: RunHost;
  readonly #scratch: string;
  readonly #found: ExampleFinding[] = [];
  golds = 0;
  databasesWithRows = 0;
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
  }

  /** All that is wrong with examples, by their order and the classes'. */
  async findings(width: number): Promise<readonly AuditFinding[]> {
    const databases = groupBy(this.#examples, ({ dbId }) => dbId);
    await sideBySide(databases, width, this.#host.signal, ([dbId, examples], signal) =>
      this.#audit(dbId, examples, signal),
    );
    this.#found.push(...findDuplicateIds(this.#examples));
    const places = new Map(this.#examples.map((example, i) => [example, i]));
    const placeOf = ({ example }: ExampleFinding): number => places.get(example) ?? 0;
    const rankOf = ({ class: name }: ExampleFinding): number => AUDIT_CLASS_NAMES.indexOf(name);
    return this.#found.sort((a, b) => placeOf(a) - placeOf(b) || rankOf(a) - rankOf(b)).map(ofExample);
  }

  async #audit(dbId: string, examples: readonly DatasetExample[], signal: AbortSignal): Promise<void> {
    const database = present(this.#dataset.databases.get(dbId), `the schema of ${dbId}`);
    const file = this.#dataset.hasRows(dbId) ? this.#dataset.sqliteFile(dbId, this.#scratch) : null;
    const rows = file === null ? null : new GoldRows(this.#runner, file, signal);
    if (rows !== null) this.databasesWithRows += 1;
    const audit = new DatabaseAudit(database, this.#dataset.dialect, rows, () => {
      this.#done += 1;
      this.#host.progress('examples audited', this.#done, this.#examples.length);
    });
    this.#found.push(...(await audit.findings(examples)));
    this.golds += audit.golds;
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
 * The data set with databases that have no file which holds them taken for such without rows, and noted: golds that fail
 * there say nothing of the golds.
 * @throws InputFormatError where that is all of them
 */
function withoutUnusable(dataset: Dataset, databases: string | null): Dataset {
  const unusable = findUnusable(dataset, databases);
  if (unusable.length === 0) return dataset;
  const ids = new Set(unusable.map(({ id }) => id));
  const notes = unusable.map(({ id, file, reason }) => `${file ?? id}: ${reason}, so its golds are not executed`);
  return {
    ...dataset,
    notes: [...(dataset.notes ?? []), ...notes],
    hasRows: (id) => !ids.has(id) && dataset.hasRows(id),
  };
}

/**
 * Says which golds of a data set can't be trusted, and why: each finding with what shows it, where the databases have
 * rows. Golds run in child processes, on connections that can't write; no input is written to.
 * @throws ConfigError where a path is missing that the format needs, or the golds can't be written to `repair`; InputFormatError where a file is wrong
 */
export async function auditDataset(options: AuditOptions, host: RunHost = SILENT_HOST): Promise<AuditReport> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const paths = { ...PATH_DEFAULTS, ...given };
  const { jobs = availableParallelism(), timeoutMs, out = null, repair = null } = options;
  const dataset = withoutUnusable(await loadDatasetAsWritten(paths), paths.databases);
  if (repair !== null) checkRepair(dataset.format, repair);
  const examples = [...dataset.examples()];
  const files = (options.predictions ?? []).flatMap((file) =>
    checkPredictions(file, examples, dataset.databases).map((finding, i) => ofFile(file, finding, i)),
  );
  const scratch = mkdtempSync(join(tmpdir(), 'perturbql-audit-'));
  const runner = new QueryRunner({ jobs, limits: timeoutMs === undefined ? {} : { timeoutMs } });
  try {
    const audit = new DatasetAudit(dataset, examples, runner, host, scratch);
    const all = [...files, ...(await audit.findings(jobs))];
    const { pairs } = dataset;
    const verdicts = pairs === undefined ? null : await auditPairs(pairs, runner, scratch, jobs, host);
    const report = (repaired: number): AuditReport => ({
      dataset: dataset.format,
      examples: examples.length,
      golds: audit.golds,
      databases: new Set(examples.map(({ dbId }) => dbId)).size,
      databasesWithRows: audit.databasesWithRows,
      skipped: dataset.skipped,
      notes: dataset.notes ?? [],
      classes: countClasses(all),
      doubtful: countDoubtful(shown(all)),
      findings: shown(all),
      possible: all.filter(({ isShown }) => !isShown),
      perturbations: verdicts === null ? null : reportPairs(verdicts),
      repair: repair === null ? null : { folder: repair, repaired },
    });
    return await writeProducts({ out, repair }, report, async (folder) => {
      if (pairs !== undefined && verdicts !== null) return repairPairs(pairs, verdicts, folder);
      return repairDataset(dataset, examples, shown(all), folder);
    });
  } finally {
    await runner.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

const shown = (findings: readonly AuditFinding[]): readonly AuditFinding[] => findings.filter(({ isShown }) => isShown);

/**
 * Writes the repaired data set and the report as far as they are asked for. The folder of the data set is filled last:
 * once it is, it is refused when the same command is given again.
 */
async function writeProducts(
  { out, repair }: { readonly out: string | null; readonly repair: string | null },
  reportOf: (repaired: number) => AuditReport,
  writeRepaired: (folder: string) => Promise<number>,
): Promise<AuditReport> {
  const unfinished = repair === null ? null : new UnfinishedFolder(repair);
  try {
    const report = reportOf(unfinished === null ? 0 : await writeRepaired(unfinished.path));
    if (out !== null) await writeReport(out, report);
    unfinished?.finish();
    return report;
  } catch (error) {
    unfinished?.abandon();
    throw error;
  }
}

async function writeReport(folder: string, report: AuditReport): Promise<void> {
  const [{ renderAuditPage }, { VERSION }] = await Promise.all([
    import('./report/audit-page.js'),
    import('../../version.js'),
  ]);
  writeDurably(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeDurably(join(folder, 'report.html'), renderAuditPage(report, VERSION));
}
