import { join } from 'node:path';
import { PerturbqlError } from '../errors.js';
import type { CandidateDecision } from '../formats/candidates-file.js';
import { loadText, parseJson } from '../formats/json-file.js';
import { renderJsonArray } from '../formats/spider-output.js';
import { renderSpiderTables } from '../formats/spider-tables.js';
import { type AugmentReport, type AugmentSample, summarizeAugment } from '../run/report/augment-report.js';
import { renderAugmentPage } from '../run/report/augment-page.js';
import type { ColumnName } from '../run/report/column-tally.js';
import { RunFolder } from '../run/run-folder.js';
import { createStageContext, type RunHost, SILENT_HOST } from '../run/run-host.js';
import type { TableResult } from '../pipeline.js';
import { columnAt, type Database } from '../schema/schema.js';
import { CandidatePool, type PerturbationKind } from './candidate-pool.js';
import { loadCandidatesFrom } from './candidate-origin.js';
import {
  type CandidatesInput,
  type CandidatesOptions,
  CandidatesRun,
  sha256Text,
  withDefaults,
} from './candidates-run.js';
import { EquivalenceJudge } from './equivalence-judge.js';
import { decideInto } from './generate-candidates.js';
import type { LinkedKeys } from './linked-keys.js';
import { PerturbedDataset } from './perturbed-dataset.js';
import { type PerturbedExample, perturbExample } from './perturb-example.js';
import type { SkippedItem } from './plan-tables.js';
import { reportSettings } from './report-settings.js';

export interface AugmentOptions extends CandidatesOptions {
  /** A run folder, a `candidates.jsonl` or `adveta:DIR`; null = run the pipeline first. */
  readonly candidates: string | null;
  readonly linkedKeys: LinkedKeys;
}

export interface AugmentOutcome {
  readonly written: { readonly original: number; readonly rpl: number; readonly add: number };
  /** Variants that could not be made. */
  readonly leftOut: number;
  readonly redraws: number;
  /** What whoever trains on the result should know. */
  readonly warnings: readonly string[];
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

const KINDS = ['RPL', 'ADD'] as const satisfies readonly PerturbationKind[];

/**
 * Writes a training set three times as large: each example as it is, against an RPL-perturbed and against an
 * ADD-perturbed schema (ADVETA §5.3), in Spider's own format, with provenance and a report. Without `candidates` the
 * pipeline runs first. The same call again resumes an interrupted run; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, ModelFileError, IndexMismatchError or RunFolderError: see each class.
 */
export async function augment(
  input: CandidatesInput & Partial<AugmentOptions>,
  host: RunHost = SILENT_HOST,
): Promise<AugmentOutcome> {
  const options: AugmentOptions = { candidates: null, linkedKeys: 'same', ...input, ...withDefaults(input) };
  const run = new CandidatesRun(options, host);
  try {
    const given = options.candidates === null ? null : loadCandidatesFrom(options.candidates, run.dataset.databases);
    const candidates = given === null ? 'pipeline' : sha256Text(JSON.stringify(given));
    const manifest = await run.manifest('augment', { linkedKeys: options.linkedKeys, candidates });
    const folder = RunFolder.open<TableResult>(options.out, manifest);
    if (folder.complete) {
      folder.close();
      return { ...readOutcome(options.out), fresh: false };
    }
    try {
      const decisions = given ?? (await decideInto(folder, run, host));
      const augmentation = new Augmentation(run, decisions, options.linkedKeys, host);
      await augmentation.run();
      await augmentation.write(folder);
      return { ...augmentation.outcome, fresh: true };
    } catch (error) {
      folder.close();
      throw error;
    }
  } finally {
    await run.dispose();
  }
}

/** Variants that are not there: of every example one of each kind is wanted. */
function countLeftOut({ original, rpl, add }: AugmentOutcome['written']): number {
  return KINDS.length * original - rpl - add;
}

/** What a finished run says of itself. */
function readOutcome(out: string): Omit<AugmentOutcome, 'fresh'> {
  const file = join(out, 'report.json');
  const { written, redraws, warnings } = parseJson(loadText(file), file) as AugmentReport;
  return { written, leftOut: countLeftOut(written), redraws, warnings };
}

class Augmentation {
  readonly #run: CandidatesRun;
  readonly #pool: CandidatePool;
  readonly #linkedKeys: LinkedKeys;
  readonly #host: RunHost;
  readonly #judge: EquivalenceJudge;
  readonly #output: PerturbedDataset;
  readonly #skipped: SkippedItem[];
  readonly #without = new Map<string, ColumnName>();
  readonly #samples: AugmentSample[] = [];
  readonly #written = { original: 0, rpl: 0, add: 0 };
  readonly #unmentioned = { RPL: 0, ADD: 0 };
  #redraws = 0;

  constructor(run: CandidatesRun, decisions: readonly CandidateDecision[], linkedKeys: LinkedKeys, host: RunHost) {
    this.#run = run;
    this.#pool = new CandidatePool(decisions);
    this.#linkedKeys = linkedKeys;
    this.#host = host;
    this.#output = new PerturbedDataset(new Set(run.dataset.databases.keys()));
    this.#judge = new EquivalenceJudge(run, createStageContext(run.options.seed, host));
    this.#skipped = [...run.plan.skipped];
  }

  get outcome(): Omit<AugmentOutcome, 'fresh'> {
    const leftOut = countLeftOut(this.#written);
    return { written: this.#written, leftOut, redraws: this.#redraws, warnings: this.#warnings() };
  }

  #warnings(): readonly string[] {
    const { RPL, ADD } = this.#unmentioned;
    const warnings: string[] = [];
    if (this.#written.rpl + this.#written.add === 0) warnings.push('nothing was perturbed; the report has the reasons');
    if (RPL + ADD > 0) {
      warnings.push(
        `${RPL} RPL and ${ADD} ADD variants perturb a column that their query does not mention, as none that it mentions has candidates`,
      );
    }
    return warnings;
  }

  async run(): Promise<void> {
    const { dataset, plan } = this.#run;
    for (const [done, example] of dataset.examples.entries()) {
      this.#host.progress('examples perturbed', done, dataset.examples.length);
      this.#host.signal.throwIfAborted();
      this.#output.addOriginal(example);
      this.#written.original++;
      const mention = plan.mentions.get(example.id);
      if (mention === undefined) continue;
      const database = dataset.databases.get(example.dbId)!;
      for (const kind of KINDS) {
        const request = {
          database,
          example,
          mention,
          kind,
          pool: this.#pool,
          linkedKeys: this.#linkedKeys,
          areEquivalent: this.#judge.areEquivalent,
          seed: this.#run.options.seed,
        };
        await this.#addVariant(request);
      }
    }
    this.#host.progress('examples perturbed', dataset.examples.length, dataset.examples.length);
  }

  async #addVariant(request: Parameters<typeof perturbExample>[0]): Promise<void> {
    const { database, example, kind } = request;
    const id = `${example.id} ${kind}`;
    try {
      const variant = await perturbExample(request);
      if (variant === null) {
        this.#skipped.push({ id, reason: `no column of its database has ${kind} candidates` });
        return;
      }
      this.#output.addVariant(example, database, variant);
      this.#written[kind === 'RPL' ? 'rpl' : 'add']++;
      this.#note(database, variant, id, example);
    } catch (error) {
      if (!(error instanceof PerturbqlError)) throw error;
      // The place differs from query to query; without it, equal reasons are counted together.
      this.#skipped.push({ id, reason: error.message.split(' at offset ')[0]! });
    }
  }

  #note(
    database: Database,
    variant: PerturbedExample,
    id: string,
    { question, query }: { question: string; query: string },
  ): void {
    this.#redraws += variant.redraws;
    if (variant.unmentioned) this.#unmentioned[variant.kind]++;
    const nameOf = (ref: { table: number; column: number }): ColumnName => ({
      dbId: database.id,
      table: database.tables[ref.table]!.name,
      column: columnAt(database, ref).name,
    });
    for (const ref of variant.without)
      this.#without.set(`${database.id}/${ref.table}.${ref.column}/${variant.kind}`, nameOf(ref));
    const changes = variant.changes.map((change) => ({ ...nameOf(change.ref), to: change.name }));
    this.#samples.push({
      id,
      question,
      dbId: database.id,
      kind: variant.kind,
      changes: changes.map(({ table, column, to }) => ({ table, column, to })),
      queryBefore: query,
      queryAfter: variant.sql.sql,
    });
  }

  async write(folder: RunFolder<TableResult>): Promise<void> {
    const { databases, examples, records: kept } = this.#run.dataset;
    const used = new Set(examples.map(({ dbId }) => dbId));
    const originals = [...databases.values()].filter(({ id }) => used.has(id));
    const { records, schemas, provenance } = this.#output;
    folder.write(
      'tables.json',
      renderJsonArray([...originals.map(({ id }) => kept.get(id)), ...schemas.map(renderSpiderTables)]),
    );
    folder.write('examples.json', renderJsonArray(records));
    folder.write(
      'gold.sql',
      records.map(({ query, db_id }) => `${query.replace(/[\t\r\n]+/g, ' ').trim()}\t${db_id}\n`),
    );
    folder.write(
      'provenance.jsonl',
      provenance.map((line) => `${JSON.stringify(line)}\n`),
    );
    const report = summarizeAugment({
      dataset: this.#run.options.dataset,
      databases: originals,
      examples: examples.length,
      written: this.#written,
      skipped: this.#skipped,
      redraws: this.#redraws,
      columnsWithoutCandidates: [...this.#without.values()],
      samples: this.#samples,
      settings: await reportSettings(this.#run),
      warnings: this.#warnings(),
    });
    folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
    folder.write('report.html', renderAugmentPage(report));
    folder.finish();
  }
}
