import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/errors.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../src/formats/dataset.js';
import { loadDatasetAsWritten } from '../../src/formats/load-dataset.js';
import { type RunHost, NOOP_HOST } from '../../src/run/run-host.js';
import { UnfinishedFolder } from '../../src/run/working-folders.js';
import { QueryRunner } from '../../src/sql/execution/query-runner.js';
import { auditPairs } from './perturbed/audit-pairs.js';
import { type PerturbationReport, reportPairs } from './perturbed/pair-verdict.js';
import { repairPairs } from './perturbed/repair-pairs.js';

/** What is audited: a published set of perturbations in its own format. */
interface PublishedOptions extends Partial<DatasetPaths> {
  /** New folder that gets the set's files with repaired gold queries; left out: none is written. */
  readonly repair?: string | undefined;
  /** Processes that execute queries. */
  readonly jobs?: number;
}

/**
 * Says of a published set of perturbations, kind by kind, how many gold queries bind, run and give the rows of the original, and
 * why the others don't; and writes the set with golds derived again.
 * @throws ConfigError where the set is none of perturbations, or the folder is not empty; InputFormatError where it can't be read
 */
export async function auditPublished(
  { repair, jobs = 2, ...paths }: PublishedOptions,
  host: RunHost = NOOP_HOST,
): Promise<PerturbationReport & { readonly repaired: number | null }> {
  const { pairs } = await loadDatasetAsWritten({ ...PATH_DEFAULTS, ...paths });
  if (pairs === undefined) {
    throw new ConfigError(`${paths.dataset ?? 'the data set'} is no published set of perturbations`, {
      fix: 'Name evoschema or dr-spider with --dataset.',
    });
  }
  const folder = repair === undefined ? null : new UnfinishedFolder(repair);
  const scratch = mkdtempSync(join(tmpdir(), 'perturbql-published-'));
  const runner = new QueryRunner({ jobs, limits: {} });
  try {
    const verdicts = await auditPairs(pairs, runner, scratch, jobs, host);
    const repaired = folder === null ? null : repairPairs(pairs, verdicts, folder.path);
    folder?.finish();
    return { ...reportPairs(verdicts), repaired };
  } catch (error) {
    folder?.abandon();
    throw error;
  } finally {
    await runner.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}
