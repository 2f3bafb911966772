import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NOOP_HOST, type RunHost } from '../../run/run-host.js';
import { openWorkerPool, runAbortable } from '../../run/worker-pool.js';
import { openSuite } from './open-suite.js';
import { sqliteVersion } from './sqlite-version.js';
import { databasesFolder, schemaPath } from './suite-files.js';
import type { SuiteFault } from './suite-manifest.js';

/** One schema for a worker thread: check its databases, and what its gold queries and left neighbors give on them. */
export interface VerifyJob {
  readonly suite: string;
  readonly dbId: string;
}

export interface VerifyResult {
  readonly databases: number;
  readonly golds: number;
  /** Gold queries executed, times the databases they are compared on. */
  readonly goldRuns: number;
  /** Time that a thread took for them. */
  readonly goldSeconds: number;
  readonly neighborRuns: number;
  readonly faults: readonly SuiteFault[];
}

/** The result of checking a suite on this machine. */
export interface SuiteVerification extends VerifyResult {
  readonly schemas: number;
  /** Of the SQLite that executed the gold queries here, and of the one that the suite was built with. */
  readonly sqlite: { readonly here: string; readonly built: unknown };
}

const NOTHING: VerifyResult = {
  databases: 0,
  golds: 0,
  goldRuns: 0,
  goldSeconds: 0,
  neighborRuns: 0,
  faults: [],
};

function added(a: VerifyResult, b: VerifyResult): VerifyResult {
  return {
    databases: a.databases + b.databases,
    golds: a.golds + b.golds,
    goldRuns: a.goldRuns + b.goldRuns,
    goldSeconds: a.goldSeconds + b.goldSeconds,
    neighborRuns: a.neighborRuns + b.neighborRuns,
    faults: [...a.faults, ...b.faults],
  };
}

/** Databases of schemas that nothing is said of: a copy of the suite that broke off. */
function strayFolders(suite: string, ids: readonly string[]): readonly SuiteFault[] {
  const folder = databasesFolder(suite);
  const found = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return found
    .filter((entry) => entry.isDirectory() && !ids.includes(entry.name))
    .map(({ name: dbId }) => ({
      dbId,
      kind: 'missing',
      place: schemaPath(suite, dbId),
      sql: null,
      detail: `there are databases in ${join(folder, dbId)}, and nothing that says what they are`,
    }));
}

/**
 * Checks a suite on this machine: every database by its sha256, every gold on its databases, and that the neighbors
 * listed as left give what their gold gives. Faults come in the order of schemas and databases.
 * @throws RunFolderError when the folder holds no finished suite
 */
export async function verifySuite(
  folder: string,
  jobs?: number,
  host: RunHost = NOOP_HOST,
): Promise<SuiteVerification> {
  const { ids, manifest } = openSuite(folder);
  const pool = openWorkerPool('testsuite/suite/verify-worker', jobs);
  let done = 0;
  const check = async (dbId: string): Promise<VerifyResult> => {
    const result = (await pool.run({ suite: folder, dbId } satisfies VerifyJob)) as VerifyResult;
    host.progress('schemas checked', ++done, ids.length);
    return result;
  };
  const close = (): Promise<void> => pool.destroy();
  try {
    const results = await runAbortable(host.signal, close, () => Promise.all(ids.map(check)));
    const sqlite = { here: sqliteVersion(), built: manifest.settings['sqlite'] ?? null };
    const stray = { ...NOTHING, faults: strayFolders(folder, ids) };
    return { schemas: ids.length, ...results.reduce(added, stray), sqlite };
  } finally {
    await close();
  }
}
