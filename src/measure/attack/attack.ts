import { ExactMatch } from '../../evaluate/exact/exact-match.js';
import { loadSourceValues } from '../../variants/databases/source-values.js';
import { embeddedIndexFolder } from '../../recipes/stage-resources.js';
import { type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { leaveScratch, scratchFolder, withTemporaryFolder } from '../../run/working-folders.js';
import {
  askedManifest,
  hashOriginals,
  type JudgeInput,
  type AskedOutcome,
  type JobOutput,
  runVictimJob,
  type VictimJob,
  withVictim,
} from '../victim-job.js';
import { describeQuotedCells, describeFirstPrompt } from '../cells-kept-back.js';
import { AnswerScorer, ColumnScorer } from '../../victims/answer-scorer.js';
import type { PredictedQuestions } from '../../victims/file-victim.js';
import type { ChosenVictim } from '../../victims/create-victim.js';
import { requireDatabases } from '../../victims/executions/execution-figures.js';
import { measureRecompositions } from '../compositions/measure-recompositions.js';
import { toColumns, toScore, askExamples, type ScoreCases } from './asking.js';
import { type AttackInput, type AttackOptions, withAttackDefaults } from './attack-options.js';
import {
  type AttackInputs,
  type AttackPlan,
  describeAttack,
  exampleOfQuestion,
  loadAttackInputs,
  planAttack,
  planFingerprints,
} from './attack-plan.js';
import { type AttackReport, loadAttackReport } from './attack-report.js';
import { measureMutants } from '../mutants/measure-mutants.js';
import { PerturbedRows } from './perturbed-rows.js';
import { type AttackQuestion, QuestionMaker } from './attack-questions.js';
import { renderDocument } from '../../report/document/render-document.js';
import { attackDocument } from './report/attack-document.js';
import { differencesOf, summarizeAttack } from './summary/summarize-attack.js';

/** The outcome of an attack. */
export type AttackOutcome = AskedOutcome<AttackReport>;

/** Reads where added columns get their values from. */
export async function openRows({ dataset, decisions }: AttackInputs, out: string): Promise<PerturbedRows> {
  const origins = decisions.filter(({ bucket }) => bucket === 'ADD').map(({ origin }) => origin);
  const sourceValues = await loadSourceValues(embeddedIndexFolder(), origins);
  return new PerturbedRows({ dataset, scratch: scratchFolder(out), sourceValues });
}

/** Returns the example that a question is made of, by its id. */
function examplesBy({ mutants }: AttackInputs): (questionId: string) => string {
  const seeds = new Map(mutants?.run.records.map(({ id, seed }) => [id, seed]));
  return (id) => seeds.get(id) ?? exampleOfQuestion(id);
}

/**
 * Attacks a text-to-SQL model with perturbed tables and measures how far it falls (ADVETA §5.2): every example is asked
 * on its own tables and, per seed, on an RPL- and an ADD-perturbed set of them. Each answer is stored as it arrives:
 * the same call again resumes an interrupted run and asks nothing twice; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, VictimError or RunFolderError: see each class
 */
export async function attack(input: AttackInput, host: RunHost = NOOP_HOST): Promise<AttackOutcome> {
  const options = withAttackDefaults(input);
  return attackInputs(options, await loadAttackInputs(options, host), host);
}

/** An attack on inputs that are read. @throws as `attack` */
export async function attackInputs(
  options: AttackOptions,
  inputs: AttackInputs,
  host: RunHost,
): Promise<AttackOutcome> {
  return withVictim(options.victim, inputs, examplesBy(inputs), async (chosen) => {
    const rows = await openRows(inputs, options.out);
    try {
      return await runAttack({ options, inputs, chosen, rows, host });
    } finally {
      rows.dispose();
      leaveScratch(options.out);
    }
  });
}

/** Describes the questions of an attack in lines for people; nothing is asked or written. @throws as `attack` */
export async function previewAttack(input: AttackInput, host: RunHost = NOOP_HOST): Promise<readonly string[]> {
  const options = withAttackDefaults(input);
  const inputs = await loadAttackInputs(options, host);
  return withVictim(options.victim, inputs, examplesBy(inputs), async (chosen) => {
    const plan = await planAttack(options, inputs, host);
    const told = await withTemporaryFolder((out) => tellFirst(plan, chosen, out));
    const quoted = describeQuotedCells(chosen, inputs.mutants?.run ?? null);
    return [...describeAttack(plan, options, chosen), ...quoted, ...told];
  });
}

/** The first prompt of a plan: of an example on its own tables, so that no value of an added column is asked for. */
async function tellFirst(plan: AttackPlan, chosen: ChosenVictim, out: string): Promise<readonly string[]> {
  const rows = await openRows({ ...plan.inputs, decisions: [] }, out);
  try {
    const [first] = new QuestionMaker(plan.inputs, rows, chosen.withContext).all(plan);
    return await describeFirstPrompt(chosen, first);
  } finally {
    rows.dispose();
  }
}

/** All that an attack works with. */
interface AttackParts {
  readonly options: AttackOptions;
  readonly inputs: AttackInputs;
  readonly chosen: ChosenVictim;
  readonly rows: PerturbedRows;
  readonly host: RunHost;
}

async function runAttack(parts: AttackParts): Promise<AttackOutcome> {
  const { options, inputs, chosen, rows, host } = parts;
  const isSql = chosen.answers === 'sql';
  const { dataset } = inputs;
  const asked = Array.from(dataset.examples(), ({ dbId }) => dbId);
  const databases = isSql ? await hashOriginals(asked, rows.originals) : null;
  requireDatabases(chosen, databases);
  const maker = new QuestionMaker(inputs, rows, chosen.withContext);
  const exact = new ExactMatch();
  const scorer = new AnswerScorer({ ...options, exact, executes: databases !== null });
  const columns = isSql ? null : new ColumnScorer(dataset.dialect, exact);
  const score: ScoreCases = (cases, asking) =>
    columns?.score(cases.map(toColumns)) ??
    scorer.score(
      cases.map((answered) => toScore(answered, rows)),
      asking,
    );
  const { fingerprints } = columns ?? scorer;
  const job: VictimJob<AttackPlan, AttackReport> = {
    manifest: manifestOf(options, inputs, chosen, fingerprints, databases),
    loadReport: loadAttackReport,
    plan: () => planAttack(options, inputs, host),
    idsOf: (plan) => idsOf([...maker.all(plan)]),
    describe: (plan) => describeAttack(plan, options, chosen),
    questions: ({ plan, isFile }) => firstAsked([...maker.all(plan)], options.strategy === 'random', isFile),
    judge: (given) => judgeAttack(given, parts, { scorer, score, fingerprints, maker, databases }),
  };
  try {
    return await runVictimJob(job, chosen, options, host);
  } finally {
    await scorer.dispose();
  }
}

/** The means of judging answers. */
interface Judging {
  readonly scorer: AnswerScorer;
  readonly score: ScoreCases;
  readonly fingerprints: AttackReport['settings']['metrics'];
  readonly maker: QuestionMaker;
  /** Hash of the original databases; null where nothing is executed. */
  readonly databases: string | null;
}

async function judgeAttack(
  { plan, book, victim, isFile, missing, answers }: JudgeInput<AttackPlan>,
  { options, inputs, chosen, host, rows }: AttackParts,
  { scorer, score, fingerprints, maker, databases }: Judging,
): Promise<JobOutput<AttackReport>> {
  const { strategy, budget, seeds } = options;
  const judging = { scorer, store: maker.subjects, answerOf: book.answerTo };
  const asking = { plan, book, score, maker, strategy, budget, width: victim.concurrency, repeats: isFile, judging };
  const examples = await askExamples(asking, host);
  const originals = new Map(examples.map(({ example, original }) => [example.id, original]));
  const composed = await measureRecompositions(inputs.compositions, judging, seeds[0] ?? 0, host);
  const mutated = await measureMutants(inputs.mutants, plan.mutants, originals, asking, host);
  const report = summarizeAttack({
    options,
    plan,
    chosen,
    metrics: fingerprints,
    databases,
    examples,
    differences: await differencesOf(examples, { scorer, rows }, host.signal),
    compositions: composed.compositions,
    mutants: mutated.mutants,
    mutantWarnings: mutated.warnings,
    answers: answers(),
    missing,
  });
  const attacked = new Set(report.cases.map(({ dbId: id }) => id));
  const schemas = [...inputs.dataset.databases.values()].filter(({ id }) => attacked.has(id));
  const files = {
    'report.html': renderDocument(attackDocument(report, schemas)),
    ...composed.files,
    ...mutated.files,
  };
  return { report, files };
}

function manifestOf(
  options: AttackOptions,
  inputs: AttackInputs,
  { id, fingerprint }: Pick<ChosenVictim, 'id' | 'fingerprint'>,
  metrics: AttackReport['settings']['metrics'],
  databases: string | null,
): ReturnType<typeof askedManifest> {
  const { strategy, budget, timeoutMs, seeds, examples } = options;
  const victim = { id, fingerprint };
  const search = { strategy, budget: strategy === 'random' ? null : budget };
  return askedManifest({
    command: 'attack',
    seed: seeds[0] ?? 0,
    settings: { ...planFingerprints(options, inputs), victim, ...search, metrics, timeoutMs },
    inputs: inputs.dataset.fingerprints,
    examples,
    databases,
  });
}

/** Where people find the questions of an attack. */
const WRITTEN = '`perturbql attack prepare` writes them (inputs/questions.jsonl of its run)';

/** The ids of the questions of a plan; one that repeats another may have a prediction of its own. */
function idsOf(questions: readonly AttackQuestion[]): PredictedQuestions {
  const repeats = new Map(questions.filter((one) => one.repeats !== one.id).map((one) => [one.id, one.repeats]));
  const ids = [...new Set(questions.map(({ id }) => id))];
  return { ids, repeats, written: { where: WRITTEN, order: ids.filter((id) => !repeats.has(id)) } };
}

/**
 * The questions that are asked whatever the answers are: those on original tables first, as a victim that fails on one
 * example after the other is known from one that fails on an example. A search chooses perturbed tables and mutants.
 */
function firstAsked(
  questions: readonly AttackQuestion[],
  isRandom: boolean,
  withRepeats: boolean,
): readonly AttackQuestion[] {
  const isOriginal = ({ planned }: AttackQuestion): boolean => planned?.condition === 'original';
  const others = questions.filter((one) => {
    if (isOriginal(one)) return false;
    return one.isComposed || (isRandom && (withRepeats || one.repeats === one.id));
  });
  return [...questions.filter(isOriginal), ...others];
}
