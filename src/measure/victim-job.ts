import { renderJsonLines } from '../formats/json-file.js';
import { RunFolder, type RunManifest } from '../run/run-folder.js';
import { createStageContext, type RunHost } from '../run/run-host.js';
import { VictimError } from '../errors.js';
import { countNoun } from '../counts.js';
import { isOwn, type ShardOption } from '../run/shard.js';
import { AnswerCache, type LazyQuestion } from '../victims/answer-cache.js';
import type { AskedInputs } from './asked-inputs.js';
import { refuseQuotedCells } from './cells-kept-back.js';
import { type ChosenVictim, createVictim } from '../victims/create-victim.js';
import { FileVictim, type PredictedQuestions } from '../victims/file-victim.js';
import { isSettled, type Victim, type VictimAnswer } from '../victims/victim.js';
import type { VictimChoice } from '../victims/victims.js';
import { hashDatabases } from '../evaluate/execution/database-hashes.js';
import { type DatasetPaths, examplesNamed } from '../formats/dataset.js';
import { sha256Of } from '../run/sha256.js';
import { VERSION } from '../version.js';
import type { OriginalRows } from './original-rows.js';

/** The outcome of a run that asks a victim. */
export interface AskedOutcome<R> {
  readonly report: R;
  /** Questions without an answer for a reason that may pass: the same call asks them again. */
  readonly open: number;
  /** False where an earlier run of the same configuration had finished, and nothing was done. */
  readonly fresh: boolean;
}

/** The means of asking a plan. */
export interface JudgeInput<P> {
  readonly plan: P;
  readonly book: AnswerCache;
  readonly victim: Victim;
  /** True if the answers are predictions in a file: there are none but for the run's own questions. */
  readonly isFile: boolean;
  /** Ids of questions that predictions in a file lack. */
  readonly missing: readonly string[];
  /** The answers so far, in the order of the questions, others behind them. */
  readonly answers: () => readonly VictimAnswer[];
}

/** The findings, and the files of the run next to `report.json` and `answers.jsonl`, by name. */
export interface JobOutput<R> {
  readonly report: R;
  readonly files: Readonly<Record<string, string | Iterable<string>>>;
}

/** A use of victims, such as an attack: `P` is what it plans to ask, `R` its report. */
export interface VictimJob<P, R> {
  readonly manifest: Omit<RunManifest, 'complete'>;
  readonly loadReport: (out: string) => R;
  readonly plan: () => Promise<P>;
  /**
   * The questions of a plan, in the order in which answers are stored; only predictions in a file may have repeated
   * ones.
   */
  readonly idsOf: (plan: P) => PredictedQuestions;
  /** Describes the questions about to be asked, in lines for people. */
  readonly describe: (plan: P) => readonly string[];
  /** Lists the questions asked whatever the answers are, in order; they are answered before `judge` is called. */
  readonly questions: (asked: JudgeInput<P>) => readonly LazyQuestion[];
  /** Judges the answers; may ask further. */
  readonly judge: (asked: JudgeInput<P>) => Promise<JobOutput<R>>;
}

/**
 * Makes the victim that is asked about some inputs, works with it, and disposes of it unless it is the caller's own.
 * @param exampleOf returns the example that a question other than a composed one is made of
 * @throws ConfigError where no cell may reach it, and questions quote some; what `createVictim` and `work` throw
 */
export async function withVictim<T>(
  choice: VictimChoice,
  { dataset, paths, mutants, compositions, fold }: AskedInputs,
  exampleOf: (questionId: string) => string,
  work: (chosen: ChosenVictim) => Promise<T>,
): Promise<T> {
  const chosen = await createVictim(choice, {
    paths,
    asked: dataset,
    examplesOf: (id) => compositions?.examplesOf.get(id) ?? [exampleOf(id)],
    isLearned: ({ id }) => fold?.has(id) !== true,
  });
  refuseQuotedCells(chosen, mutants?.run ?? null);
  try {
    return await work(chosen);
  } finally {
    if (choice.kind !== 'own') await chosen.victim?.dispose?.();
  }
}

/** Answers in the order of their questions, those to others behind them by id, whatever the order they came in. */
function sortAnswers(answers: readonly VictimAnswer[], ids: readonly string[]): readonly VictimAnswer[] {
  const order = new Map(ids.map((id, i) => [id, i]));
  const placeOf = ({ id }: VictimAnswer): number => order.get(id) ?? order.size;
  return [...answers].sort((a, b) => placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : 1));
}

const countOpen = (book: AnswerCache): number => book.answers.filter((answer) => !isSettled(answer)).length;

/** A shard is done when each of its questions is. */
function refuseOpen(book: AnswerCache): void {
  const open = countOpen(book);
  if (open === 0) return;
  throw new VictimError(`${countNoun(open, 'question')} of this shard have no answer yet`, {
    fix: 'Run the shard again: it asks only these.',
  });
}

/** Returns the questions to ask, and the victim that answers. */
async function answererOf<P, R>(
  job: VictimJob<P, R>,
  chosen: ChosenVictim,
  host: RunHost,
): Promise<Pick<JudgeInput<P>, 'plan' | 'victim' | 'missing'> & { readonly ids: readonly string[] }> {
  const plan = await job.plan();
  const questions = job.idsOf(plan);
  const { ids } = questions;
  if (chosen.victim !== null) return { plan, ids, victim: chosen.victim, missing: [] };
  const file = new FileVictim(chosen.predictions, questions);
  if (file.note !== null) host.note(file.note);
  return { plan, ids, victim: file, missing: file.missing };
}

/**
 * Does a job that asks a victim, in a folder of its own. Each answer is stored as it arrives: the same job again goes on
 * where it was and asks nothing twice; one that fails or leaves questions open stays to be resumed; a finished one is
 * left as it is. With a shard, only the questions that fall to it by their ids are asked, and nothing is judged.
 * @throws RunFolderError and ShardFinished as `RunFolder.open`, and what the job throws
 */
export async function runVictimJob<P, R>(
  job: VictimJob<P, R>,
  chosen: ChosenVictim,
  { out, shard }: { readonly out: string } & ShardOption,
  host: RunHost,
): Promise<AskedOutcome<R>> {
  const isFile = chosen.victim === null;
  // Predictions are checked first: wrong ones must not claim the folder, where the mended file would be another.
  const checked = isFile ? await answererOf(job, chosen, host) : null;
  return RunFolder.use<VictimAnswer, AskedOutcome<R>>(out, job.manifest, {
    shard: shard ?? null,
    read: () => ({ report: job.loadReport(out), open: 0, fresh: false }),
    work: async (folder) => {
      const { plan, victim, missing, ids } = checked ?? (await answererOf(job, chosen, host));
      for (const line of job.describe(plan)) host.note(line);
      const book = new AnswerCache(victim, folder.journal, createStageContext(0, host), chosen.isOutside === true);
      const answers = (): readonly VictimAnswer[] => sortAnswers(book.answers, ids);
      const asked = { plan, book, victim, isFile, missing, answers };
      const own = job.questions(asked).filter(({ id }) => isOwn(shard, id));
      // A composition’s parent may be an example that is asked anyway: it must not be asked while that one is on its way.
      const questions = [...new Map(own.map((question) => [question.id, question])).values()];
      const report = (done: number): void => host.progress('questions answered', done, questions.length);
      report(0);
      await book.askAll(questions, report);
      if (shard != null) refuseOpen(book);
      folder.endShard();
      const { report: found, files } = await job.judge(asked);
      folder.write('answers.jsonl', renderJsonLines(answers()));
      folder.write('report.json', `${JSON.stringify(found)}\n`);
      for (const [name, text] of Object.entries(files)) folder.write(name, text);
      return { report: found, open: countOpen(book), fresh: true };
    },
    isWhole: ({ open }) => open === 0,
  });
}

/** sha256 over those of some databases of the data set that have rows; null where none has. */
export async function hashOriginals(dbIds: Iterable<string>, rows: OriginalRows): Promise<string | null> {
  const executed = [...new Set(dbIds)].filter((id) => rows.fileOf(id) !== null);
  if (executed.length === 0) return null;
  return sha256Of(JSON.stringify(await hashDatabases(executed.map((id) => [id, { file: rows.fileOf(id) }]))));
}

/** The parts of the manifest of a run that asks a victim. */
export interface AskedManifestParts extends Pick<RunManifest, 'command' | 'seed' | 'settings' | 'inputs'> {
  /** The file of the examples: their ids, and with them the draws, begin with its name. */
  readonly examples: DatasetPaths['examples'];
  /** Hash of the original databases; null where nothing is executed. */
  readonly databases: string | null;
}

/** Returns the manifest of a run that asks a victim: a different one is refused in its folder. */
export function askedManifest(parts: AskedManifestParts): Omit<RunManifest, 'complete'> {
  const { command, seed, settings, databases } = parts;
  const inputs = { ...parts.inputs, ...examplesNamed(parts), ...(databases !== null && { databases }) };
  return { command, version: VERSION, seed, settings, inputs };
}
