import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { InputFormatError } from '../../errors.js';
import { loadRecord, loadText } from '../../formats/json-file.js';
import { loadSourceValues, type SourceValues } from '../../variants/databases/source-values.js';
import { groupBy } from '../../run/group-by.js';
import { mustGet } from '../../present.js';
import { embeddedIndexFolder } from '../../recipes/stage-resources.js';
import { writeDurably } from '../../run/durable-file.js';
import { RunFolder, type RunManifest } from '../../run/run-folder.js';
import { NOOP_HOST, type RunHost } from '../../run/run-host.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { VERSION } from '../../version.js';
import { openSuite, type Suite } from '../suite/open-suite.js';
import { schemaSha256, suiteFault } from '../suite/suite-manifest.js';
import { sqliteVersion } from '../suite/sqlite-version.js';
import { databaseFolder, schemaPath, storedPath, SUITE_FORMAT } from '../suite/suite-files.js';
import { planSuiteChange, readTransferRun, type RunVariant, type TransferRun } from './transfer-run.js';
import { type TransferBase, transferSchema } from './transfer-schema.js';

/** The report of `perturbql suite transfer`: `carry.json`, plain JSON without times. */
export const transferReport = z.strictObject({
  originals: z.int(),
  /** Perturbed schemas that the suite serves now. */
  variants: z.int(),
  /** Distinct gold queries on them. */
  golds: z.int(),
  /** Gold queries that the suite was not distilled for, or whose result changed. */
  unread: z.int(),
  /** Faults: variants whose databases can't be made, and gold queries that give anything else than their original. */
  faults: z.array(suiteFault),
});
export type TransferReport = z.infer<typeof transferReport>;

/** The outcome for one variant. */
export type TransferEntry = Pick<TransferReport, 'golds' | 'unread' | 'faults'> & { readonly isServed: boolean };

/** Sums up what was transferred. */
export function reportTransfer(originals: number, entries: readonly TransferEntry[]): TransferReport {
  const sum = (key: 'golds' | 'unread'): number => entries.reduce((total, entry) => total + entry[key], 0);
  return {
    originals,
    variants: entries.filter(({ isServed }) => isServed).length,
    golds: sum('golds'),
    unread: sum('unread'),
    faults: entries.flatMap(({ faults }) => faults),
  };
}

export interface TransferOutcome {
  readonly report: TransferReport;
  /** False where an earlier call of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

export interface TransferOptions {
  /** Folder of the suite of the originals. */
  readonly suite: string;
  /** Folder that `perturbql augment` wrote, or one condition's inputs of `perturbql attack prepare`: `RUN/inputs/RPL-0`. */
  readonly run: string;
  /** Folder of the transferred suite. */
  readonly out: string;
}

const REPORT = 'carry.json';

/** A suite serves the schemas that it was made for: the run must be of the same data set. */
function refuseOtherDataset(suite: Suite, { originals }: TransferRun, run: string): void {
  const differs = (schema: Database): boolean => suite.schema(schema.id)?.schemaSha256 !== schemaSha256(schema);
  const other = originals.find(differs);
  if (other === undefined) return;
  const isKnown = suite.schema(other.id) !== null;
  throw new InputFormatError(
    isKnown ? 'the suite was built for another schema of this id' : 'the suite has no such schema',
    {
      where: { file: run, id: other.id },
      fix: `Name a run that was made of the data set that ${suite.path} was built for.`,
    },
  );
}

function transferManifest({ run }: TransferOptions, suite: Suite, from: TransferRun): Omit<RunManifest, 'complete'> {
  const { files, seed, originals, keepStar } = from;
  const schemas = originals.map(({ id }) => fileSha256(schemaPath(suite.path, id)));
  return {
    command: 'suite carry',
    version: VERSION,
    seed,
    settings: { ...suite.manifest.settings, suiteFormat: SUITE_FORMAT, sqlite: sqliteVersion(), keepStar },
    inputs: {
      suite: sha256Of(schemas.join()),
      ...Object.fromEntries(files.map((name) => [name, fileSha256(join(run, name))])),
    },
  };
}

/** Takes an original over as it is stored: its databases are what those of its variants are made of. */
function copyOriginal(suite: Suite, dbId: string, out: string): TransferBase {
  const schema = mustGet(suite.schema(dbId), 'suite.schema(dbId)');
  const files = schema.databases.map(({ name }) => suite.bytes(dbId, name));
  for (const { name } of schema.databases) {
    const stored = storedPath(suite.path, dbId, name);
    writeDurably(join(databaseFolder(out, dbId), basename(stored)), [readFileSync(stored)]);
  }
  writeDurably(schemaPath(out, dbId), loadText(schemaPath(suite.path, dbId)));
  return { schema, files };
}

class SuiteTransfer {
  readonly #suite: Suite;
  readonly #run: TransferRun;
  readonly #folder: RunFolder<TransferEntry>;
  readonly #host: RunHost;
  readonly #sources: SourceValues;

  constructor(suite: Suite, run: TransferRun, folder: RunFolder<TransferEntry>, host: RunHost, sources: SourceValues) {
    this.#suite = suite;
    this.#run = run;
    this.#folder = folder;
    this.#host = host;
    this.#sources = sources;
  }

  async run(): Promise<TransferReport> {
    const { variants, originals } = this.#run;
    const byOriginal = groupBy(variants, ({ original }) => original.id);
    for (const { id } of originals) {
      const base = copyOriginal(this.#suite, id, this.#folder.path);
      for (const variant of byOriginal.get(id) ?? []) await this.#transferVariant(variant, base);
    }
    const entries = variants.flatMap(({ schema }) => this.#folder.journal.get(schema.id) ?? []);
    const report = reportTransfer(originals.length, entries);
    this.#folder.write(REPORT, `${JSON.stringify(report, null, 2)}\n`);
    return report;
  }

  async #transferVariant(variant: RunVariant, base: TransferBase): Promise<void> {
    const { journal, path } = this.#folder;
    const { id } = variant.schema;
    if (journal.get(id) === undefined) {
      // Lets an interrupt through.
      await nextTurn();
      this.#host.signal.throwIfAborted();
      const change = planSuiteChange(variant, this.#sources, this.#run.seed);
      const { file, faults } = transferSchema(variant, base, change, this.#run.keepStar);
      if (file !== null) writeDurably(schemaPath(path, id), `${JSON.stringify(file)}\n`);
      const [goldQueries, unread] = [file?.golds.length ?? 0, file?.unread.length ?? 0];
      journal.append(id, { golds: goldQueries, unread, faults: [...faults], isServed: file !== null });
    }
    this.#host.progress('variants transferred', journal.size, this.#run.variants.length);
  }
}

/** Sample values of the columns that added ones come from. */
function sourcesOf({ variants }: TransferRun): Promise<SourceValues> {
  const added = variants.filter(({ kind }) => kind !== 'RPL');
  const origins = added.flatMap(({ changes }) => changes.map(({ origin }) => origin));
  return loadSourceValues(embeddedIndexFolder(), origins);
}

/**
 * Transfers a suite to the perturbed variants of a run by renaming and adding columns, so that none is built again: a
 * variant has its original's databases and its own gold queries, which are executed and must give what the originals'
 * gave. Stored are the originals' databases, once, and each variant's change; `openSuite` applies it. The same call again
 * resumes; the same inputs give the same bytes.
 * @throws RunFolderError where a folder is none of its kind or `out` holds something else; InputFormatError where the run
 * is of another data set
 */
export async function transferSuite(options: TransferOptions, host: RunHost = NOOP_HOST): Promise<TransferOutcome> {
  const suite = openSuite(options.suite);
  const run = readTransferRun(options.run);
  refuseOtherDataset(suite, run, options.run);
  return RunFolder.use<TransferEntry, TransferOutcome>(options.out, transferManifest(options, suite, run), {
    read: () => ({ report: readReport(options.out), fresh: false }),
    work: async (folder) => {
      const report = await new SuiteTransfer(suite, run, folder, host, await sourcesOf(run)).run();
      return { report, fresh: true };
    },
  });
}

function readReport(out: string): TransferReport {
  const file = join(out, REPORT);
  return loadRecord(transferReport, file, 'report', 'Transfer the suite again, to another --out folder.');
}
