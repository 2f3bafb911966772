import { AnswerBook } from '../victims/answer-book.js';
import { type AskedOutcome, type AskedWork, askWithinRun } from '../victims/ask-within-run.js';
import { type ChosenVictim, createVictim } from '../victims/create-victim.js';
import { leaveScratch, scratchFolder } from '../run/scratch-folder.js';
import { FileVictim } from '../victims/file-victim.js';
import { exampleOf, type Victim, type VictimAnswer } from '../victims/victim.js';
import { renderJsonLines } from '../formats/json-output.js';
import { elementAt, present } from '../present.js';
import type { RunFolder } from '../run/run-folder.js';
import { createStageContext, type RunHost, SILENT_HOST } from '../run/run-host.js';
import { caseLine } from './case-lines.js';
import { clusterFailures } from './clusters/failure-clusters.js';
import { reportCluster } from './clusters/report-clusters.js';
import { shrinkFailure, type Trial } from './clusters/shrink-failure.js';
import { type ConsistencyInputs, loadConsistencyInputs, subjectsOf } from './consistency-inputs.js';
import { consistencyManifest, hashOrigins } from './consistency-manifest.js';
import { type ConsistencyInput, type ConsistencyOptions, withConsistencyDefaults } from './consistency-options.js';
import type { ConsistencyReport, FailureCluster } from './consistency-report.js';
import { ConsistencyJudge, type JudgedCase } from './judge/consistency-judge.js';
import { describeConsistency } from './describe-consistency.js';
import { loadConsistencyReport } from './load-consistency-report.js';
import { renderConsistencyPage } from './report/consistency-page.js';
import type { Subject } from './subject.js';
import { SubjectWorld } from './subject-world.js';
import { summarizeConsistency } from './summary/summarize-consistency.js';

/** What a test for consistency ends in. */
export type ConsistencyOutcome = AskedOutcome<ConsistencyReport>;

function chooseVictim(options: ConsistencyOptions, { dataset, paths, fold }: ConsistencyInputs): Promise<ChosenVictim> {
  return createVictim(options.victim, paths, dataset, {
    exampleOf: (id) => exampleOf({ id }),
    isLearned: ({ id }) => fold?.has(id) !== true,
  });
}

/**
 * Tests a text-to-SQL model for consistency (MT-TEQL §3, Algorithm 1): asks it the seeds, then their mutants, and counts
 * how often its prediction changed where the relation says that it must not. Each answer is stored as it arrives: the
 * same call again resumes an interrupted run and asks nothing twice; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, VictimError or RunFolderError: see each class
 */
export async function consistency(input: ConsistencyInput, host: RunHost = SILENT_HOST): Promise<ConsistencyOutcome> {
  const options = withConsistencyDefaults(input);
  const inputs = await loadConsistencyInputs(options);
  const chosen = await chooseVictim(options, inputs);
  try {
    return await new ConsistencyRun(options, inputs, chosen, host).run();
  } finally {
    leaveScratch(options.out);
    if (options.victim.kind !== 'own') await chosen.victim?.dispose?.();
  }
}

/** What a run would ask, in lines for people; nothing is asked or written. @throws as `consistency` */
export async function foreseeConsistency(input: ConsistencyInput): Promise<readonly string[]> {
  const options = withConsistencyDefaults(input);
  const inputs = await loadConsistencyInputs(options);
  const chosen = await chooseVictim(options, inputs);
  try {
    return describeConsistency(inputs, chosen);
  } finally {
    if (options.victim.kind !== 'own') await chosen.victim?.dispose?.();
  }
}

interface Asked {
  readonly cases: readonly JudgedCase[];
  readonly clusters: readonly FailureCluster[];
  readonly shrinking: number;
}

class ConsistencyRun {
  readonly #options: ConsistencyOptions;
  readonly #inputs: ConsistencyInputs;
  readonly #chosen: ChosenVictim;
  readonly #host: RunHost;
  readonly #world: SubjectWorld;

  constructor(options: ConsistencyOptions, inputs: ConsistencyInputs, chosen: ChosenVictim, host: RunHost) {
    this.#options = options;
    this.#inputs = inputs;
    this.#chosen = chosen;
    this.#host = host;
    const { dataset, run: mutants } = inputs;
    this.#world = new SubjectWorld({ dataset, mutants, scratch: scratchFolder(options.out) });
  }

  async run(): Promise<ConsistencyOutcome> {
    const { out } = this.#options;
    const databases = await hashOrigins(this.#inputs, this.#world);
    const judge = new ConsistencyJudge({ ...this.#options, world: this.#world, executes: databases !== null });
    try {
      // Predictions are checked first: wrong ones must not claim the folder.
      const { victim, missing } = this.#answerer();
      const { fingerprints } = judge;
      const manifest = consistencyManifest(this.#options, this.#inputs, this.#chosen, fingerprints, databases);
      return await askWithinRun(out, manifest, loadConsistencyReport, (folder) =>
        this.#runIn(folder, judge, victim, missing),
      );
    } finally {
      await judge.dispose();
    }
  }

  async #runIn(
    folder: RunFolder<VictimAnswer>,
    judge: ConsistencyJudge,
    victim: Victim,
    missing: readonly string[],
  ): Promise<AskedWork<ConsistencyReport>> {
    for (const line of describeConsistency(this.#inputs, this.#chosen)) this.#host.note(line);
    const book = new AnswerBook(victim, folder.journal, createStageContext(0, this.#host));
    const asked = await this.#ask(book, judge);
    const answers = this.#sorted(book.answers);
    const { cases, clusters, shrinking } = asked;
    const report = summarizeConsistency({
      ...{ options: this.#options, inputs: this.#inputs, chosen: this.#chosen, metrics: judge.fingerprints },
      ...{ cases, clusters, answers, shrinking, missing },
    });
    folder.write('answers.jsonl', renderJsonLines(answers));
    folder.write('cases.jsonl', renderJsonLines(cases.map(caseLine)));
    folder.write('report.json', `${JSON.stringify(report)}\n`);
    folder.write('index.html', renderConsistencyPage(report));
    return { report, answers };
  }

  #answerer(): { readonly victim: Victim; readonly missing: readonly string[] } {
    const { victim } = this.#chosen;
    if (victim !== null) return { victim, missing: [] };
    const choice = this.#options.victim;
    if (choice.kind !== 'file') throw new RangeError(`victim ${choice.kind} was not made`);
    const ids = subjectsOf(this.#inputs.groups).map(({ id }) => id);
    const file = new FileVictim(choice.predictions, ids);
    return { victim: file, missing: file.missing };
  }

  async #ask(book: AnswerBook, judge: ConsistencyJudge): Promise<Asked> {
    const { groups } = this.#inputs;
    const subjects = subjectsOf(groups);
    const report = (done: number): void => this.#host.progress('questions answered', done, subjects.length);
    const lazy = subjects.map((subject) => ({ id: subject.id, make: () => this.#world.questionOf(subject) }));
    await book.askAll(lazy, report);
    const cases = await judge.judge(groups, (id) => present(book.get(id), 'book.get(id)'), this.#host);
    return { cases, ...(await this.#cluster(cases, book, judge)) };
  }

  /** Failures in clusters, each with an example that was shrunk as far as the questions for it reach. */
  async #cluster(
    cases: readonly JudgedCase[],
    book: AnswerBook,
    judge: ConsistencyJudge,
  ): Promise<Pick<Asked, 'clusters' | 'shrinking'>> {
    const { values, shrinkQuestions, victim } = this.#options;
    let shrinking = 0;
    const trial: Trial = async (group, mutant) => {
      shrinking++;
      await book.ask({ id: mutant.id, make: () => this.#world.questionOf(mutant) }, this.#host.signal);
      const [judged] = await judge.judge(
        [{ ...group, mutants: [mutant] }],
        (id) => present(book.get(id), 'book.get(id)'),
        this.#host,
      );
      return present(judged, 'judged');
    };
    const clusters: FailureCluster[] = [];
    for (const found of clusterFailures(cases, this.#world, values)) {
      const smallest = elementAt(found.failures, 0);
      // Predictions in a file are there for the run's own mutants only.
      const room = victim.kind === 'file' ? 0 : shrinkQuestions - shrinking;
      const shrunk = await shrinkFailure(smallest, trial, room);
      clusters.push(reportCluster(found, shrunk, this.#world));
    }
    return { clusters, shrinking };
  }

  /** Answers in the order of the examples and their mutants, those of shrinking behind them. */
  #sorted(answers: readonly VictimAnswer[]): readonly VictimAnswer[] {
    const subjects = this.#inputs.groups.flatMap(({ seed, mutants }): readonly Subject[] => [seed, ...mutants]);
    const order = new Map(subjects.map(({ id }, i) => [id, i]));
    const placeOf = ({ id }: VictimAnswer): number => order.get(id) ?? order.size;
    return [...answers].sort((a, b) => placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : 1));
  }
}
