import { examplesNamed } from '../../formats/dataset.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors.js';
import { writeProvenance } from '../../formats/artifacts/provenance.js';
import { CANDIDATES_FILE, type CandidateDecision } from '../../formats/artifacts/candidates.js';
import { EXECUTING_EXPORTS, type ExportName, PROMPTED_EXPORTS } from '../../formats/exports/export-names.js';
import { DEFAULT_TEMPLATE, loadPromptTemplate, type PromptTemplate } from '../../formats/exports/prompt-template.js';
import { writeExports } from '../../formats/exports/write-exports.js';
import { datasetAdapter } from '../../formats/load-dataset.js';
import { ownFieldsOf } from '../../formats/own-fields.js';
import { writeSpiderDataset } from '../../formats/spider-output.js';
import {
  type AugmentReport,
  loadAugmentOutcome,
  summarizeAugment,
  type WrittenCounts,
} from '../report/augment-report.js';
import { renderDocument } from '../../report/document/render-document.js';
import { augmentDocument } from '../report/augment-document.js';
import { RunItems } from '../../run/reported-run.js';
import { RunFolder } from '../../run/run-folder.js';
import { type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { sha256Of } from '../../run/sha256.js';
import type { TableResult } from '../../pipeline.js';
import type { LeftOutGroup } from '../../report/left-out.js';
import { makeVariants, type VariantParts } from './augmentation.js';
import type { KeptOutcome, PerturbedDataset } from './perturbed-dataset.js';
import { countLeftOut, summarizeVariants, variantSamples, type VariantSummary } from './variant-summary.js';
import { type GivenCandidates, loadGiven } from '../candidates/candidate-forms.js';
import { CandidatePool } from '../relations/names/candidate-pool.js';
import {
  type CandidatesInput,
  type CandidatesOptions,
  CandidatesRun,
  withDefaults,
} from '../candidates/candidates-run.js';
import { hashDatabaseFiles } from '../databases/own-files.js';
import type { SampleChoice } from '../relations/names/candidate-difficulty.js';
import type { MaterializeMode } from '../databases/database-change.js';
import type { UnusableDatabase } from '../databases/unusable-databases.js';
import { writeDatabases } from '../databases/write-databases.js';
import { writtenDatabase } from '../databases/write-variants.js';
import type { MutantSource } from './provenance.js';
import { decideInto, reportSettings } from '../candidates/generate-candidates.js';
import { AUGMENT_DEFAULTS, isPaperPlan, ONE_OF_EACH, type VariantPlan } from './variant-plan.js';
import type { PerturbOptions } from '../relations/names/draw-schema.js';
import { announceRun, type RunWork } from '../candidates/run-estimate.js';
import { writeRunInputs } from '../candidates/run-inputs.js';
import { contentOf, PerturbedRun } from '../verify/perturbed-run.js';
import type { GroupVerdict } from '../verify/verify-groups.js';
import { verifyOpenRun, type Verification } from '../verify/verify-run.js';

export interface AugmentOptions extends CandidatesOptions, PerturbOptions, GivenCandidates {
  /** A run folder, a `candidates.jsonl`, an annotation project or `adveta:DIR`; null = run the pipeline first. */
  readonly candidates: string | null;
  /** How perturbed databases are written; default: `copy` where rows are given. */
  readonly materialize: MaterializeMode;
  /** Further forms that the data set is written in. */
  readonly exports: readonly ExportName[];
  /** File with the prompt of exports that have one; null = the default one. */
  readonly promptTemplate: string | null;
  /** Which of a column's candidates are drawn first. */
  readonly sample: SampleChoice;
  /** How many variants of which kind each example gets. */
  readonly variants: VariantPlan;
  /** Mutants that are written behind the variants (MT-TEQL §4); null = none. */
  readonly mutants: MutantSource | null;
  /** True if every gold query is executed on its perturbed database in the end. */
  readonly verify: boolean;
}

/** The required options; the others have the command line's defaults. */
export type AugmentInput = CandidatesInput & Partial<AugmentOptions>;

export interface AugmentOutcome {
  readonly written: WrittenCounts;
  /** Variants that could not be made. */
  readonly leftOut: number;
  /** The items left out, by reason: records of the input, examples, single variants, columns. */
  readonly skipped: readonly LeftOutGroup[];
  readonly redraws: number;
  /** Notes for whoever trains on the result. */
  readonly warnings: readonly string[];
  /** Databases without a file that holds them: nothing can be executed there, and in part nothing be written. */
  readonly unusable: readonly UnusableDatabase[];
  /** The findings from executing every gold query; null if not asked for or nothing can be executed. */
  readonly verification: Verification | null;
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

const DEFAULTS = {
  ...AUGMENT_DEFAULTS,
  candidates: null,
  variants: ONE_OF_EACH,
  verify: true,
  exports: [],
  promptTemplate: null,
  mutants: null,
} as const satisfies Partial<AugmentOptions>;

function withAugmentDefaults(input: AugmentInput): AugmentOptions {
  const given = { ...DEFAULTS, materialize: materializeModeOf(input), ...input };
  return { ...given, ...withDefaults(given) };
}

/** How a run writes databases: as asked for, else copies where rows are given. */
export function materializeModeOf({
  materialize,
  databases,
  dataset,
  syntheticDatabases,
}: AugmentInput): MaterializeMode {
  const hasRows = databases != null || dataset === 'csv' || syntheticDatabases === true;
  return materialize ?? (hasRows ? 'copy' : 'none');
}

/**
 * Writes a training set three times as large: each example as it is, against an RPL-perturbed and against an
 * ADD-perturbed schema (ADVETA §5.3), in Spider's own format, with provenance and a report. Without `candidates` the
 * pipeline runs first. The same call again resumes an interrupted run; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, ModelFileError, IndexMismatchError or RunFolderError: see each class.
 */
export async function augment(input: AugmentInput, host: RunHost = NOOP_HOST): Promise<AugmentOutcome> {
  const options = withAugmentDefaults(input);
  checkExports(options);
  const { promptTemplate } = options;
  const template = promptTemplate === null ? DEFAULT_TEMPLATE : loadPromptTemplate(promptTemplate);
  const run = await CandidatesRun.open(options, host);
  try {
    const given = loadGiven(options, run.dataset, host);
    await announceRun(run, host, workOf(options, given));
    const { unusable } = run;
    const settings = settingsOf(run, options, given, template);
    const stages = await run.loadStages(host);
    const manifest = run.manifest('augment', stages, settings);
    return await RunFolder.use<TableResult, AugmentOutcome>(options.out, manifest, {
      shard: options.shard,
      read: () => ({ ...readOutcome(options), unusable, fresh: false }),
      work: async (folder) => {
        writeRunInputs(folder, options, run.plan);
        const poolOf = given === null ? (await decideInto(folder, run, stages, host)).poolOf : poolOfGiven(given, run);
        const kept = new RunItems<KeptOutcome>(folder, null, PERTURBED);
        const parts = { run, stages, poolOf, kept, host };
        const output = await makeVariants(options, parts);
        await addMutants(run, options, output, host);
        const report = await writeProducts({ ...parts, options, output, folder, template });
        const { written, leftOut, skipped, redraws, warnings, verification } = report;
        return { written, leftOut, skipped, redraws, warnings, unusable, verification, fresh: true };
      },
    });
  } finally {
    await run.dispose();
  }
}

/** The work of a run with candidates that are given, or its own. */
export function workOf(
  { variants, materialize }: Pick<AugmentOptions, 'variants' | 'materialize'>,
  given: RunWork['given'],
): RunWork {
  return { given, variants, databases: materialize !== 'none' };
}

function checkExports({ exports, promptTemplate, materialize }: AugmentOptions): void {
  if (promptTemplate !== null && !exports.some((name) => PROMPTED_EXPORTS.has(name))) {
    throw new ConfigError('a prompt template is of use only for an export that has prompts', {
      fix: `Add --export chat, or one of ${[...PROMPTED_EXPORTS].slice(1).join(', ')}.`,
    });
  }
  const executing = exports.find((name) => EXECUTING_EXPORTS.has(name));
  if (executing !== undefined && materialize !== 'copy') {
    throw new ConfigError(`--export ${executing} needs databases, and none are written`, {
      fix: 'Give --databases or --synthetic-databases, and leave --materialize out.',
    });
  }
}

/** Candidates that were decided elsewhere, for whatever database. */
function poolOfGiven(given: readonly CandidateDecision[], { rater }: CandidatesRun): () => CandidatePool {
  const pool = new CandidatePool(given.map((decision) => rater.rate(decision)));
  return () => pool;
}

/** What of the options, and of what they name, decides what a run writes. */
function settingsOf(
  run: CandidatesRun,
  {
    linkedKeys,
    abbreviate,
    addPosition,
    keepStar,
    sample,
    variants,
    materialize,
    verify,
    exports,
    mutants,
  }: AugmentOptions,
  given: readonly CandidateDecision[] | null,
  template: PromptTemplate,
): Readonly<Record<string, unknown>> {
  const candidates = given === null ? 'pipeline' : sha256Of(JSON.stringify(given));
  const used = new Set(run.plan.tasks.map(({ target }) => target.dbId));
  const databases = materialize === 'none' ? {} : { databases: hashDatabaseFiles(run.dataset, used) };
  const prompts = exports.some((name) => PROMPTED_EXPORTS.has(name)) ? { template } : {};
  const products = { ...databases, materialize, verify, exports, ...prompts };
  const further = mutants === null ? {} : { mutants: mutants.fingerprint };
  // What is as the paper has it is left out, as in runs of earlier versions.
  const choices = { ...(sample === 'random' ? {} : { sample }), ...(isPaperPlan(variants) ? {} : { variants }) };
  const drawn = { linkedKeys, addPosition, keepStar, ...(abbreviate === 'never' ? {} : { abbreviate }), ...choices };
  return { ...drawn, ...products, ...further, candidates };
}

async function addMutants(
  { dataset }: CandidatesRun,
  { mutants, candidates, materialize, out, shard }: AugmentOptions,
  output: PerturbedDataset,
  host: RunHost,
): Promise<void> {
  // They are of all shards' candidates.
  if (mutants === null || shard != null) return;
  const use = { dataset, out, candidates: candidates ?? join(out, CANDIDATES_FILE) };
  output.addMutants(await mutants.mutantsFor(use, host), materialize !== 'none');
}

/** Reads the outcome that a finished run has recorded. */
function readOutcome({ out, variants }: AugmentOptions): Omit<AugmentOutcome, 'fresh' | 'unusable'> {
  const { written, skipped, redraws, warnings, verification } = loadAugmentOutcome(out);
  return { written, leftOut: countLeftOut(written, variants), skipped, redraws, warnings, verification };
}

interface Products extends VariantParts {
  readonly options: AugmentOptions;
  readonly output: PerturbedDataset;
  readonly folder: RunFolder<TableResult>;
  readonly template: PromptTemplate;
}

/** Prefixes that tell ids from those of tables: of groups that were perturbed, and of examples that were verified. */
const PERTURBED = 'perturbed/';
const VERIFIED = 'verified/';

/**
 * Executes the gold queries of what was written; null where that is not asked for, or nothing can be executed.
 * @throws ShardFinished where the run is a shard, which has no more to do
 */
async function verifyProducts(
  { run, options, output, folder, host }: Products,
  hasDatabases: boolean,
): Promise<Verification | null> {
  const isShard = options.shard != null;
  const isWhole = !isShard || options.mutants === null;
  const isVerified = isWhole && options.verify && hasDatabases && existsSync(join(folder.path, 'database'));
  if (isVerified) {
    const content = options.mutants === null ? contentOf(output) : undefined;
    const access = { databases: options.databases, unfinished: true, content };
    const items = new RunItems<GroupVerdict>(folder, null, VERIFIED);
    return verifyOpenRun(new PerturbedRun(folder.path, access), { jobs: run.options.jobs }, items, host);
  }
  folder.endShard();
  return null;
}

async function writeProducts(products: Products): Promise<AugmentReport> {
  const { run, options, output, poolOf, folder, host, template } = products;
  const hasDatabases = await writeDatabases(run, output, options.materialize, host);
  if (options.shard != null) await verifyProducts(products, hasDatabases);
  if (hasDatabases) output.sqliteFile = (id) => writtenDatabase(options.out, id);
  const { write, fields } = await datasetAdapter(options.dataset);
  writeSpiderDataset(output, folder, fields);
  writeProvenance(folder, output.provenance());
  await write?.(output.perturbedAlone, folder);
  await writeExports(options.exports, output, folder, { template, fieldsOf: ownFieldsOf(output, fields) });
  const verification = await verifyProducts(products, hasDatabases);
  const { plan } = run;
  const summary = summarizeVariants({ ...options, output, plan, poolOf });
  const report = await reportOn(products, summary, verification);
  folder.write('report.json', `${JSON.stringify(report, null, 2)}\n`);
  folder.write('report.html', renderDocument(augmentDocument(report)));
  return report;
}

async function reportOn(
  { run, stages, options, output }: Products,
  summary: VariantSummary,
  verification: Verification | null,
): Promise<AugmentReport> {
  const { dataset, examples } = run.options;
  const { plan } = run;
  return summarizeAugment({
    ...summary,
    dataset,
    ...examplesNamed({ examples }),
    databases: output.originals.map(({ schema }) => schema),
    examples: run.dataset.size,
    leftOut: countLeftOut(summary.written, options.variants),
    samples: variantSamples({ output, plan }),
    settings: await reportSettings(run, stages),
    verification,
    ...(run.dataset.synthetic === undefined ? {} : { synthetic: run.dataset.synthetic }),
  });
}
