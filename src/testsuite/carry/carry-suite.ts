import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { InputFormatError } from '../../errors.js';
import { checkRecord, loadText, parseJson } from '../../formats/json-file.js';
import { loadSourceValues, type SourceValues } from '../../perturb/database/values/source-values.js';
import { groupBy } from '../../run/group-by.js';
import { present } from '../../present.js';
import { embeddedIndexFolder } from '../../recipes/stage-resources.js';
import { writeDurably } from '../../run/durable-file.js';
import { RunFolder, type RunManifest } from '../../run/run-folder.js';
import { type RunHost, SILENT_HOST } from '../../run/run-host.js';
import { fileSha256, sha256Of } from '../../run/sha256.js';
import type { Database } from '../../schema/schema.js';
import { VERSION } from '../../version.js';
import { openSuite, type Suite } from '../suite/open-suite.js';
import { schemaSha256 } from '../suite/schema-sha256.js';
import { sqliteVersion } from '../suite/sqlite-version.js';
import { databaseFolder, schemaPath, storedPath, SUITE_FORMAT } from '../suite/suite-files.js';
import { type CarriedEntry, carriedReport, type CarriedReport, reportCarried } from './carried-report.js';
import { type CarriedRun, readCarriedRun, type RunVariant } from './carried-run.js';
import { type CarriedBase, carrySchema } from './carry-schema.js';
import { planSuiteChange } from './variant-change.js';

export interface CarryOutcome {
  readonly report: CarriedReport;
  /** False where an earlier call of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

export interface CarryOptions {
  /** Folder of the suite of the originals. */
  readonly suite: string;
  /** Folder that `perturbql augment` wrote, or one condition's inputs of `perturbql attack prepare`: `RUN/inputs/RPL-0`. */
  readonly run: string;
  /** Folder of the carried suite. */
  readonly out: string;
}

const REPORT = 'carry.json';

/** A suite serves the schemas that it was made for: the run must be of the same data set. */
function refuseOtherDataset(suite: Suite, { originals }: CarriedRun, run: string): void {
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

function carryManifest({ run }: CarryOptions, suite: Suite, from: CarriedRun): Omit<RunManifest, 'complete'> {
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
function copyOriginal(suite: Suite, dbId: string, out: string): CarriedBase {
  const schema = present(suite.schema(dbId), 'suite.schema(dbId)');
  const files = schema.databases.map(({ name }) => suite.bytes(dbId, name));
  for (const { name } of schema.databases) {
    const stored = storedPath(suite.path, dbId, name);
    writeDurably(join(databaseFolder(out, dbId), basename(stored)), [readFileSync(stored)]);
  }
  writeDurably(schemaPath(out, dbId), loadText(schemaPath(suite.path, dbId)));
  return { schema, files };
}

class SuiteCarrier {
  readonly #suite: Suite;
  readonly #run: CarriedRun;
  readonly #folder: RunFolder<CarriedEntry>;
  readonly #host: RunHost;
  readonly #sources: SourceValues;

  constructor(suite: Suite, run: CarriedRun, folder: RunFolder<CarriedEntry>, host: RunHost, sources: SourceValues) {
    this.#suite = suite;
    this.#run = run;
    this.#folder = folder;
    this.#host = host;
    this.#sources = sources;
  }

  async carry(): Promise<CarriedReport> {
    const { variants, originals } = this.#run;
    const byOriginal = groupBy(variants, ({ original }) => original.id);
    for (const { id } of originals) {
      const base = copyOriginal(this.#suite, id, this.#folder.path);
      for (const variant of byOriginal.get(id) ?? []) await this.#carryVariant(variant, base);
    }
    const entries = variants.map(({ schema }) =>
      present(this.#folder.journal.get(schema.id), 'folder.journal.get(schema.id)'),
    );
    const report = reportCarried(originals.length, entries);
    this.#folder.write(REPORT, `${JSON.stringify(report, null, 2)}\n`);
    return report;
  }

  async #carryVariant(variant: RunVariant, base: CarriedBase): Promise<void> {
    const { journal, path } = this.#folder;
    const { id } = variant.schema;
    if (journal.get(id) === undefined) {
      // Lets an interrupt through.
      await nextTurn();
      this.#host.signal.throwIfAborted();
      const change = planSuiteChange(variant, this.#sources, this.#run.seed);
      const { file, faults } = carrySchema(variant, base, change, this.#run.keepStar);
      if (file !== null) writeDurably(schemaPath(path, id), `${JSON.stringify(file)}\n`);
      const [golds, unread] = [file?.golds.length ?? 0, file?.unread.length ?? 0];
      journal.append(id, { golds, unread, faults: [...faults], isServed: file !== null });
    }
    this.#host.progress('variants carried', journal.results.length, this.#run.variants.length);
  }
}

/** Sample values of the columns that added ones come from. */
function sourcesOf({ variants }: CarriedRun): Promise<SourceValues> {
  const added = variants.filter(({ kind }) => kind === 'ADD');
  const origins = added.flatMap(({ changes }) => changes.map(({ origin }) => origin));
  return loadSourceValues(embeddedIndexFolder(), origins);
}

/**
 * Carries a suite over to the perturbed variants of a run by renaming and adding columns, so that none is built anew: a
 * variant has its original's databases and its own gold queries, which are executed and must give what the originals'
 * gave. Stored are the originals' databases, once, and each variant's change; `openSuite` applies it. The same call again
 * resumes; the same inputs give the same bytes.
 * @throws RunFolderError where a folder is none of its kind or `out` holds something else; InputFormatError where the run
 * is of another data set
 */
export async function carrySuite(options: CarryOptions, host: RunHost = SILENT_HOST): Promise<CarryOutcome> {
  const suite = openSuite(options.suite);
  const run = readCarriedRun(options.run);
  refuseOtherDataset(suite, run, options.run);
  const folder = RunFolder.open<CarriedEntry>(options.out, carryManifest(options, suite, run));
  try {
    if (folder.complete) {
      folder.close();
      return { report: readReport(options.out), fresh: false };
    }
    const report = await new SuiteCarrier(suite, run, folder, host, await sourcesOf(run)).carry();
    folder.finish();
    return { report, fresh: true };
  } catch (error) {
    folder.close();
    throw error;
  }
}

function readReport(out: string): CarriedReport {
  const file = join(out, REPORT);
  return checkRecord(
    carriedReport,
    parseJson(loadText(file), file),
    { file, id: 'report' },
    'Carry the suite over again, to another --out folder.',
  );
}
