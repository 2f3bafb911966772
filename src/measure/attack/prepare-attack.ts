import { join, resolve, basename } from 'node:path';
import { z } from 'zod';
import { ConfigError, InputFormatError, RunFolderError } from '../../errors.js';
import { QuestionSplitter } from '../../compositional/split/question-splitter.js';
import type { Segment } from '../../compositional/split/segment.js';
import { DATASET_FORMATS } from '../../formats/dataset-formats.js';
import { DEFAULT_TEMPLATE, type PromptTemplate, templateSha256 } from '../../formats/exports/prompt-template.js';
import { loadRecord } from '../../formats/json-file.js';
import { ADVETA_PREFIX } from '../../variants/candidates/candidate-forms.js';
import { ADD_POSITIONS } from '../../variants/augment/variant-plan.js';
import type { MaterializeMode } from '../../variants/databases/database-change.js';
import { ABBREVIATE_CHOICES, LINKED_KEYS } from '../../variants/relations/names/new-column-names.js';
import { readRunManifest, RunFolder } from '../../run/run-folder.js';
import { type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { askedManifest } from '../victim-job.js';
import { openRows, attackInputs, type AttackOutcome } from './attack.js';
import { ATTACK_SAMPLES, type AttackPlanOptions, withPlanDefaults, withAttackDefaults } from './attack-options.js';
import { type AttackInputs, type AttackPlan, loadAttackInputs, planAttack, planFingerprints } from './attack-plan.js';
import { folderOf, type InputFolder, writeInputFolders } from './input-folders.js';
import type { PerturbedRows } from './perturbed-rows.js';
import { type AttackQuestion, QuestionMaker } from './attack-questions.js';
import { mustGet } from '../../present.js';
import { leaveScratch, scratchFolder } from '../../run/working-folders.js';
import { type NotedQuestion, writeVictimInputs } from '../../victims/file-victim.js';
import type { VictimQuestion } from '../../victims/victim.js';
import type { ScoringOptions } from '../../victims/scoring.js';

interface PrepareOptions extends AttackPlanOptions {
  readonly out: string;
  /** Prompt of the inputs. */
  readonly template: PromptTemplate;
  /** How the databases of the Spider folders are written. */
  readonly materialize: MaterializeMode;
  /** True if the inputs have the questions' sub-sentences. */
  readonly segments: boolean;
}

/** The required options; the others have the command line's defaults. */
export type PrepareInput = Pick<PrepareOptions, 'candidates' | 'out'> & Partial<PrepareOptions>;

export interface PrepareOutcome {
  /** Questions of the inputs: those that repeat another are left out. */
  readonly questions: number;
  /** Of the Spider folders, below `inputs/`: "original", "RPL-0". */
  readonly folders: readonly string[];
  readonly examples: number;
  readonly leftOut: AttackPlan['leftOut'];
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

const INPUTS = 'inputs';
const SUMMARY = join(INPUTS, 'attack.json');

const summaryFormat = z.object({
  /** The options that the attack is made from; paths are absolute. */
  options: z.object({
    dataset: z.enum(DATASET_FORMATS),
    tables: z.string().nullable(),
    examples: z.string().nullable(),
    databases: z.string().nullable(),
    candidates: z.string().nullable(),
    readings: z.string().nullable().exactOptional(),
    compositions: z.string().nullable().default(null),
    mutants: z.string().nullable().default(null),
    seeds: z.array(z.int()),
    sample: z.enum(ATTACK_SAMPLES).default('random'),
    linkedKeys: z.enum(LINKED_KEYS),
    abbreviate: z.enum(ABBREVIATE_CHOICES).default('never'),
    addPosition: z.enum(ADD_POSITIONS),
    keepStar: z.boolean(),
  }),
  questions: z.int(),
  folders: z.array(z.string()),
  examples: z.int(),
  leftOut: z.array(z.object({ reason: z.string(), examples: z.int() })),
});
type PreparedSummary = z.infer<typeof summaryFormat>;

function absolute(path: string | null): string | null {
  return path === null ? null : resolve(path);
}

function absoluteCandidates(candidates: string): string {
  if (!candidates.startsWith(ADVETA_PREFIX)) return resolve(candidates);
  return `${ADVETA_PREFIX}${resolve(candidates.slice(ADVETA_PREFIX.length))}`;
}

/**
 * The options as a later command finds them, wherever it is called. A connection may hold a password: it is left out.
 */
function storedOptions(options: PrepareOptions): z.input<typeof summaryFormat>['options'] {
  const { dataset, tables, examples, databases, readings = null, candidates, compositions, mutants } = options;
  const { seeds, sample, linkedKeys, abbreviate, addPosition, keepStar } = options;
  return {
    dataset,
    tables: absolute(tables),
    examples: absolute(examples),
    databases: absolute(databases),
    ...(readings === null ? {} : { readings: absolute(readings) }),
    candidates: candidates === null ? null : absoluteCandidates(candidates),
    compositions: absolute(compositions),
    mutants: absolute(mutants),
    seeds: [...seeds],
    ...(sample === 'random' ? {} : { sample }),
    linkedKeys,
    ...(abbreviate === 'never' ? {} : { abbreviate }),
    addPosition,
    keepStar,
  };
}

function manifestOf(options: PrepareOptions, inputs: AttackInputs): ReturnType<typeof askedManifest> {
  const { seeds, examples, template, materialize, segments } = options;
  const prompt = templateSha256(template);
  return askedManifest({
    command: 'attack prepare',
    seed: seeds[0] ?? 0,
    settings: { ...planFingerprints(options, inputs), prompt, materialize, ...(segments && { segments }) },
    inputs: inputs.dataset.fingerprints,
    examples,
    databases: null,
  });
}

/** A file that was made for this run alone is gone when a model looks for it. */
function withLastingFile(asked: VictimQuestion, scratch: string): VictimQuestion {
  return asked.databaseFile?.startsWith(scratch) === true ? { ...asked, databaseFile: null } : asked;
}

/** Of each question, the first: it is where the folders in Spider's format have it. */
function* notedQuestions(
  questions: Iterable<AttackQuestion>,
  folders: readonly InputFolder[],
  scratch: string,
): Generator<NotedQuestion> {
  const byName = new Map(folders.map((folder) => [folder.name, folder]));
  const seen = new Set<string>();
  for (const { id, make, example, condition, seed, repeats, dbId, planned } of questions) {
    if (repeats !== id || seen.has(id)) continue;
    seen.add(id);
    const folder = planned === null ? null : mustGet(byName.get(folderOf(planned)), 'the folder of a question');
    const place = planned && folder?.databaseOf(planned.group.database, planned.tables);
    const asked = withLastingFile(make(), scratch);
    const notes = { example, condition, seed, folder: folder?.name ?? null, folder_db_id: place?.dbId ?? dbId };
    yield { question: { ...asked, databaseFile: place?.file ?? asked.databaseFile }, notes };
  }
}

/**
 * Writes the questions of an attack for a model that runs anywhere: `inputs/questions.jsonl`, a line each with id,
 * question, tables and prompt, and per condition and seed a folder in Spider's format. `scoreAttack` takes its answers.
 * @throws InputFormatError, ConfigError, SqlRewriteError or RunFolderError: see each class
 */
export async function prepareAttack(input: PrepareInput, host: RunHost = NOOP_HOST): Promise<PrepareOutcome> {
  const options: PrepareOptions = {
    template: DEFAULT_TEMPLATE,
    materialize: 'none',
    segments: false,
    ...withPlanDefaults(input),
  };
  if (options.materialize !== 'none' && options.databases === null) {
    throw new ConfigError(`there are no databases to write as ${options.materialize}`, { fix: 'Give --databases.' });
  }
  const inputs = await loadAttackInputs(options, host);
  return RunFolder.use<never, PrepareOutcome>(options.out, manifestOf(options, inputs), {
    read: () => {
      const { questions, folders, examples, leftOut } = readSummary(options.out);
      return { questions, folders, examples, leftOut, fresh: false };
    },
    work: async (folder) => {
      const rows = await openRows(inputs, options.out);
      try {
        const plan = await planAttack(options, inputs, host);
        return { ...(await writeInputs(options, plan, rows, folder, host)), fresh: true };
      } finally {
        rows.dispose();
        leaveScratch(options.out);
      }
    },
  });
}

/** The sub-sentences of questions, by id. */
async function splitAll(noted: Iterable<NotedQuestion>): Promise<ReadonlyMap<string, readonly Segment[]>> {
  const splitter = await QuestionSplitter.open();
  try {
    const split = new Map<string, readonly Segment[]>();
    for (const { question } of noted) {
      split.set(question.id, await splitter.segmentsOf(question.question, question.schema));
    }
    return split;
  } finally {
    await splitter.close();
  }
}

function withSegments(noted: NotedQuestion, segments: readonly Segment[] | undefined): NotedQuestion {
  return segments === undefined ? noted : { ...noted, question: { ...noted.question, segments } };
}

async function writeInputs(
  options: PrepareOptions,
  plan: AttackPlan,
  rows: PerturbedRows,
  folder: RunFolder<never>,
  host: RunHost,
): Promise<Omit<PreparedSummary, 'options'>> {
  const { databases, materialize, out } = options;
  const written = await writeInputFolders({ plan, materialize, databases, out: join(out, INPUTS) }, host);
  const maker = new QuestionMaker(plan.inputs, rows, true);
  const noted = (): Iterable<NotedQuestion> => notedQuestions(maker.all(plan), written, scratchFolder(out));
  const segments = options.segments ? await splitAll(noted()) : new Map<string, readonly Segment[]>();
  let questions = 0;
  const counted = function* (): Generator<NotedQuestion> {
    for (const one of noted()) {
      questions++;
      yield withSegments(one, segments.get(one.question.id));
    }
  };
  writeVictimInputs(join(out, INPUTS, 'questions.jsonl'), counted(), options.template);
  const names = written.map(({ name }) => name);
  const counts = { questions, folders: names, examples: plan.examples, leftOut: [...plan.leftOut] };
  const summary: z.input<typeof summaryFormat> = { options: storedOptions(options), ...counts };
  folder.write(SUMMARY, `${JSON.stringify(summary, null, 2)}\n`);
  return counts;
}

const FIX = 'Name a folder that `perturbql attack prepare` wrote and finished.';

function readSummary(run: string): PreparedSummary {
  const file = join(run, SUMMARY);
  return loadRecord(summaryFormat, file, 'inputs', FIX);
}

type Values = Readonly<Record<string, unknown>>;

/** Returns a key whose value has changed; candidates may be named by another path. */
function otherKey(now: Values, then: Values): string | undefined {
  return Object.keys(now).find((key) => key !== 'candidates' && JSON.stringify(then[key]) !== JSON.stringify(now[key]));
}

/** Earlier versions kept the hash of the readings, and not where they lie: without them other names would be scored. */
function namelessReadings(run: string): RunFolderError {
  return new RunFolderError('the inputs were prepared with --readings by a version that did not keep where they lie', {
    where: { file: join(run, SUMMARY) },
    fix: 'Prepare the inputs again in another folder, or add the file as "readings" to the "options" of attack.json.',
  });
}

/**
 * The options of prepared inputs, and what they were made of, read again.
 * @throws RunFolderError when the folder holds none, or was prepared with readings that it does not name
 * @throws InputFormatError when the data set or the candidates are not those that they were made of
 */
export async function loadPrepared(
  run: string,
  changed: Partial<Pick<AttackPlanOptions, 'databases' | 'connection'>> = {},
): Promise<{ readonly options: AttackPlanOptions; readonly inputs: AttackInputs }> {
  const { command, complete, settings, inputs: before } = readRunManifest(run);
  if (command !== 'attack prepare' || !complete) {
    const what = command === 'attack prepare' ? 'the inputs are not finished' : `this is a run of ${command}`;
    throw new RunFolderError(what, { where: { file: run }, fix: FIX });
  }
  const options: AttackPlanOptions = { connection: null, ...readSummary(run).options, ...changed };
  if (before['readings'] !== undefined && (options.readings ?? null) === null) throw namelessReadings(run);
  const inputs = await loadAttackInputs(options, NOOP_HOST);
  const plan = planFingerprints(options, inputs);
  const other = otherKey(inputs.dataset.fingerprints, before) ?? otherKey(plan, settings);
  if (other === undefined) return { options, inputs };
  throw new InputFormatError(`the inputs were made of other data: ${other} has changed since`, {
    where: { file: run },
    fix: 'Bring the data back as it was, or prepare the inputs again in another folder.',
  });
}

export interface ScoreOptions extends Partial<ScoringOptions> {
  /** Folder that `prepareAttack` wrote. */
  readonly run: string;
  /** JSON lines `{"id": …, "sql": …}` for its questions. */
  readonly predictions: string;
  /** Folder of the report; default: `scores/` and the file name of the predictions within the run. */
  readonly out?: string;
  /** In place of those that the inputs were made with. */
  readonly changed?: Partial<Pick<AttackPlanOptions, 'databases' | 'connection'>>;
}

/** Where the report of predictions goes unless told otherwise. */
export function scoreFolder(run: string, predictions: string): string {
  return join(run, 'scores', basename(predictions));
}

/**
 * Scores the predictions that a model made for prepared inputs, and writes the report of an attack.
 * @throws RunFolderError, InputFormatError or ConfigError: see each class
 */
export async function scoreAttack(
  { run, predictions, out = scoreFolder(run, predictions), changed, ...scoring }: ScoreOptions,
  host: RunHost = NOOP_HOST,
): Promise<AttackOutcome> {
  const { options, inputs } = await loadPrepared(run, changed);
  const victim = { kind: 'file', predictions } as const;
  return attackInputs(withAttackDefaults({ ...options, ...scoring, victim, out }), inputs, host);
}
