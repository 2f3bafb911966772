import { isFile } from '../regular-file.js';
import type { RunManifest } from '../run/run-folder.js';
import { fileSha256, sha256Of } from '../run/sha256.js';
import { openSuite } from '../testsuite/suite/open-suite.js';
import { VERSION } from '../version.js';
import type { Evaluation } from './evaluate-options.js';
import { hashDatabases } from './execution/database-hashes.js';
import type { PairedFiles } from './inputs/paired-files.js';
import { suiteIdentity } from './suite/suite-match.js';

/** Options whose values are files that are read. */
const FILES = [
  'gold',
  'alternativeGolds',
  'predictions',
  'compare',
  'tables',
  'examples',
  'links',
  'predictedLinks',
] as const;

/** Options that change nothing of the report, or that are in the manifest otherwise. */
const APART = [
  'seed',
  'databases',
  'suite',
  'connection',
  'out',
  'shard',
  'jobs',
  'verdicts',
  'junit',
  'report',
] as const;

/** Returns the manifest of everything that an evaluation depends on. */
export async function evaluationManifest(
  options: Evaluation,
  files: PairedFiles | null,
): Promise<Omit<RunManifest, 'complete'>> {
  const { metrics, suite, seed } = options;
  const apart = new Set<string>([...FILES, ...APART]);
  const settings = Object.entries(options).filter(([name, value]) => value !== undefined && !apart.has(name));
  const inputs: (readonly [role: string, sha256: string])[] = FILES.flatMap((name) => {
    const path = options[name];
    return path !== null && isFile(path) ? [[name, fileSha256(path)] as const] : [];
  });
  if (files !== null && metrics.includes('execution')) {
    const hashes = await hashDatabases(files.pairs, ({ database }) => ({ file: files.databaseFile(database.id) }));
    inputs.push(['databases', sha256Of(JSON.stringify(hashes))]);
  }
  if (files !== null && metrics.includes('suite') && suite !== null) {
    const { sha256 } = suiteIdentity(openSuite(suite), new Set(files.pairs.map(({ database }) => database)));
    inputs.push(['suite', sha256]);
  }
  const common = { command: 'evaluate', version: VERSION, seed, settings: Object.fromEntries(settings) };
  return { ...common, inputs: Object.fromEntries(inputs) };
}
