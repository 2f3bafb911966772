import { ExactMatch } from '../evaluate/exact/exact-match.js';
import { renderJsonLines } from '../formats/json-output.js';
import { loadSourceValues } from '../perturb/database/values/source-values.js';
import { embeddedIndexFolder } from '../recipes/stage-resources.js';
import type { RunFolder } from '../run/run-folder.js';
import { createStageContext, type RunHost, SILENT_HOST } from '../run/run-host.js';
import { AnswerBook } from '../victims/answer-book.js';
import { AnswerJudge } from './answer-judge.js';
import { type AskedOutcome, type AskedWork, askWithinRun } from '../victims/ask-within-run.js';
import { Asking } from './asking.js';
import { attackManifest, hashOriginals } from './attack-manifest.js';
import { type AttackInput, type AttackOptions, withAttackDefaults } from './attack-options.js';
import {
  type AttackInputs,
  type AttackPlan,
  loadAttackInputs,
  planAttack,
  type PlannedQuestion,
  plannedQuestions,
} from './attack-plan.js';
import type { AttackReport } from './attack-report.js';
import { type ChosenVictim, createVictim } from '../victims/create-victim.js';
import { describeAttack } from './describe-attack.js';
import { PerturbedRows } from './perturbed-rows.js';
import { QuestionMaker } from './question-maker.js';
import { renderAttackPage } from './report/attack-page.js';
import { loadAttackReport } from './report/load-attack-report.js';
import { leaveScratch, scratchFolder } from '../run/scratch-folder.js';
import { summarizeAttack } from './summary/summarize-attack.js';
import { FileVictim } from '../victims/file-victim.js';
import type { Victim, VictimAnswer } from '../victims/victim.js';

/** What an attack ends in. */
export type AttackOutcome = AskedOutcome<AttackReport>;

/** Reads where added columns get their values from. */
export async function openRows({ dataset, decisions }: AttackInputs, out: string): Promise<PerturbedRows> {
  const origins = decisions.filter(({ bucket }) => bucket === 'ADD').map(({ origin }) => origin);
  const sourceValues = await loadSourceValues(embeddedIndexFolder(), origins);
  return new PerturbedRows({ dataset, scratch: scratchFolder(out), sourceValues });
}

/**
 * Attacks a text-to-SQL model with perturbed tables and measures how far it falls (ADVETA §5.2): every example is asked
 * on its own tables and, per seed, on an RPL- and an ADD-perturbed set of them. Each answer is stored as it arrives: the
 * same call again resumes an interrupted run and asks nothing twice; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, VictimError or RunFolderError: see each class
 */
export async function attack(input: AttackInput, host: RunHost = SILENT_HOST): Promise<AttackOutcome> {
  const options = withAttackDefaults(input);
  return attackInputs(options, await loadAttackInputs(options), host);
}

/** An attack on inputs that are read. @throws as `attack` */
export async function attackInputs(
  options: AttackOptions,
  inputs: AttackInputs,
  host: RunHost,
): Promise<AttackOutcome> {
  const chosen = await createVictim(options.victim, options, inputs.dataset);
  const rows = await openRows(inputs, options.out);
  try {
    return await new AttackRun(options, inputs, chosen, rows, host).run();
  } finally {
    rows.dispose();
    leaveScratch(options.out);
    if (options.victim.kind !== 'own') await chosen.victim?.dispose?.();
  }
}

/** What an attack would ask, in lines for people; nothing is asked or written. @throws as `attack` */
export async function foreseeAttack(input: AttackInput, host: RunHost = SILENT_HOST): Promise<readonly string[]> {
  const options = withAttackDefaults(input);
  const inputs = await loadAttackInputs(options);
  const chosen = await createVictim(options.victim, options, inputs.dataset);
  try {
    return describeAttack(await planAttack(options, inputs, host), options, chosen);
  } finally {
    if (options.victim.kind !== 'own') await chosen.victim?.dispose?.();
  }
}

/** Who answers, and whether questions that repeat others are asked too. */
interface Answerer {
  readonly victim: Victim;
  readonly repeats: boolean;
  readonly missing: readonly string[];
}

interface Planned extends Answerer {
  readonly plan: AttackPlan;
}

class AttackRun {
  readonly #options: AttackOptions;
  readonly #inputs: AttackInputs;
  readonly #chosen: ChosenVictim;
  readonly #rows: PerturbedRows;
  readonly #host: RunHost;

  constructor(options: AttackOptions, inputs: AttackInputs, chosen: ChosenVictim, rows: PerturbedRows, host: RunHost) {
    this.#options = options;
    this.#inputs = inputs;
    this.#chosen = chosen;
    this.#rows = rows;
    this.#host = host;
  }

  async run(): Promise<AttackOutcome> {
    const databases = await hashOriginals(this.#inputs, this.#rows);
    const rows = databases === null ? null : this.#rows;
    const judge = new AnswerJudge({ ...this.#options, exact: new ExactMatch(), rows });
    try {
      const { out } = this.#options;
      const manifest = attackManifest(this.#options, this.#inputs, this.#chosen, judge, databases);
      // Predictions are checked first: wrong ones must not claim the folder, where the mended file would be another.
      const checked = this.#options.victim.kind === 'file' ? await this.#plan() : null;
      return await askWithinRun(out, manifest, loadAttackReport, (folder) =>
        this.#runIn(folder, judge, databases, checked),
      );
    } finally {
      await judge.dispose();
    }
  }

  /** What is asked, and who answers. */
  async #plan(): Promise<Planned> {
    const plan = await planAttack(this.#options, this.#inputs, this.#host);
    return { plan, ...this.#answerer(plan) };
  }

  async #runIn(
    folder: RunFolder<VictimAnswer>,
    judge: AnswerJudge,
    databases: string | null,
    checked: Planned | null,
  ): Promise<AskedWork<AttackReport>> {
    const { plan, victim, repeats, missing } = checked ?? (await this.#plan());
    for (const line of describeAttack(plan, this.#options, this.#chosen)) this.#host.note(line);
    const book = new AnswerBook(victim, folder.journal, createStageContext(0, this.#host));
    const { withContext } = this.#chosen;
    const maker = new QuestionMaker({ dataset: this.#inputs.dataset, rows: this.#rows, withContext });
    const { strategy, budget } = this.#options;
    const asking = { plan, book, judge, maker, strategy, budget, width: victim.concurrency, repeats };
    const examples = await new Asking(asking, this.#host).run();
    const answers = sortAnswers(book.answers, plan);
    const report = summarizeAttack({
      ...{ options: this.#options, plan, chosen: this.#chosen, metrics: judge.fingerprints },
      ...{ databases, examples, answers, missing },
    });
    writeProducts(folder, report, answers, this.#inputs);
    return { report, answers };
  }

  #answerer(plan: AttackPlan): Answerer {
    const { victim } = this.#chosen;
    if (victim !== null) return { victim, repeats: false, missing: [] };
    const choice = this.#options.victim;
    if (choice.kind !== 'file') throw new RangeError(`victim ${choice.kind} was not made`);
    const file = readPredictions(choice.predictions, [...plannedQuestions(plan)]);
    return { victim: file, repeats: true, missing: file.missing };
  }
}

/** Predictions for the questions of a plan: one that repeats another may have its own. */
function readPredictions(file: string, questions: readonly PlannedQuestion[]): FileVictim {
  const repeats = new Map(questions.filter((one) => one.repeats !== one.id).map((one) => [one.id, one.repeats]));
  return new FileVictim(
    file,
    questions.map(({ id }) => id),
    repeats,
  );
}

/** Answers in the order of the examples, whatever the order they came in. */
function sortAnswers(answers: readonly VictimAnswer[], plan: AttackPlan): readonly VictimAnswer[] {
  const order = new Map([...plannedQuestions(plan)].map(({ id }, i) => [id, i]));
  const placeOf = ({ id }: VictimAnswer): number => order.get(id) ?? order.size;
  return [...answers].sort((a, b) => placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : 1));
}

function writeProducts(
  folder: RunFolder<VictimAnswer>,
  report: AttackReport,
  answers: readonly VictimAnswer[],
  { dataset }: AttackInputs,
): void {
  const attacked = new Set(report.cases.map(({ dbId: id }) => id));
  const databases = [...dataset.databases.values()].filter(({ id }) => attacked.has(id));
  folder.write('answers.jsonl', renderJsonLines(answers));
  folder.write('report.json', `${JSON.stringify(report)}\n`);
  folder.write('report.html', renderAttackPage(report, databases));
}
