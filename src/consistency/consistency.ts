import type { AnswerCache, LazyQuestion } from '../victims/answer-cache.js';
import { type ChosenVictim, createVictim } from '../victims/create-victim.js';
import type { PredictedQuestions } from '../victims/file-victim.js';
import { describeFirstPrompt } from '../victims/first-prompt.js';
import { requireDatabases, describeExecutions } from '../victims/executions/execution-figures.js';
import { traitsOf } from '../victims/victims.js';
import { exampleOf } from '../victims/victim.js';
import {
  type JudgeInput,
  type AskedOutcome,
  type JobOutput,
  VictimRun,
  type VictimJob,
  withVictim,
} from '../victims/victim-run.js';
import {
  askedRecompositions,
  type JudgedRecomposition,
  type RecomposedWorld,
  scoreRecompositions,
} from '../victims/recomposition/ask-recompositions.js';
import { recomposedQuestions, describeRecompositions } from '../victims/recomposition/load-recompositions.js';
import { recompositionLine } from '../victims/recomposition/recomposition-lines.js';
import { summarizeRecompositions } from '../victims/recomposition/summarize-recompositions.js';
import { renderJsonLines } from '../formats/json-output.js';
import { type RunHost, NOOP_HOST } from '../run/run-host.js';
import { leaveScratch, scratchFolder } from '../run/scratch-folder.js';
import { withTemporaryFolder } from '../run/temporary-folder.js';
import { describeQuotedCells, refuseQuotedCells } from '../victims/cells-kept-back.js';
import { itemAt, mustGet } from '../present.js';
import { renderDocument } from '../report/document/render-document.js';
import { caseLine } from './case-lines.js';
import { type ClusteredFailures, clusterFailures } from './clusters/failure-clusters.js';
import { heldFailures, reportCluster } from './clusters/report-clusters.js';
import { shrinkFailure, type Trial } from './clusters/shrink-failure.js';
import { type ConsistencyInputs, loadConsistencyInputs, subjectsOf } from './consistency-inputs.js';
import { consistencyManifest, hashOrigins } from './consistency-manifest.js';
import { type ConsistencyInput, type ConsistencyOptions, withConsistencyDefaults } from './consistency-options.js';
import type { ConsistencyReport, FailureCluster } from './consistency-report.js';
import { ConsistencyJudge, type JudgedCase } from './judge/consistency-judge.js';
import { loadConsistencyReport } from './load-consistency-report.js';
import { consistencyDocument } from './report/consistency-document.js';
import { recomposedSubject } from '../victims/mutants/subject.js';
import { SubjectStore } from '../victims/mutants/subject-store.js';
import { summarizeConsistency } from './summary/summarize-consistency.js';
import { countNoun } from '../report/figures.js';
import { groupBy } from '../run/group-by.js';
import { countedRelation } from '../metamorphic/counted-relation.js';

/** The outcome of a test for consistency. */
export type ConsistencyOutcome = AskedOutcome<ConsistencyReport>;

function chooseVictim(
  options: ConsistencyOptions,
  { dataset, paths, fold, compositions }: ConsistencyInputs,
): Promise<ChosenVictim> {
  return createVictim(options.victim, {
    paths,
    asked: dataset,
    examplesOf: (id) => compositions?.examplesOf.get(id) ?? [exampleOf({ id })],
    isLearned: ({ id }) => fold?.has(id) !== true,
  });
}

/**
 * Tests a text-to-SQL model for consistency (MT-TEQL §3, Algorithm 1): asks it the seeds, then their mutants, and
 * counts how often its prediction changed where the relation says that it must not. Each answer is stored as it
 * arrives: the same call again resumes an interrupted run and asks nothing twice; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, VictimError or RunFolderError: see each class
 */
export async function consistency(input: ConsistencyInput, host: RunHost = NOOP_HOST): Promise<ConsistencyOutcome> {
  const options = withConsistencyDefaults(input);
  const inputs = await loadConsistencyInputs(options);
  const create = (): Promise<ChosenVictim> => chooseVictim(options, inputs);
  return withVictim(options.victim, create, async (chosen) => {
    try {
      return await new ConsistencyTest(options, inputs, chosen, host).run();
    } finally {
      leaveScratch(options.out);
    }
  });
}

/** Describes a run's questions in lines for people; nothing is asked or written. @throws as `consistency` */
export async function previewConsistency(input: ConsistencyInput): Promise<readonly string[]> {
  const options = withConsistencyDefaults(input);
  const inputs = await loadConsistencyInputs(options);
  const create = (): Promise<ChosenVictim> => chooseVictim(options, inputs);
  return withVictim(options.victim, create, async (chosen) => {
    refuseQuotedCells(chosen, inputs.run);
    const told = await withTemporaryFolder((out) => {
      const [first] = new ConsistencyTest({ ...options, out }, inputs, chosen, NOOP_HOST).questions();
      return describeFirstPrompt(chosen, first);
    });
    return [...describeConsistency(inputs, chosen), ...describeQuotedCells(chosen, inputs.run), ...told];
  });
}

/** All questions, those of mutants before those of compositions. */
function idsOf({ groups, run, compositions }: ConsistencyInputs): PredictedQuestions {
  const composed = recomposedQuestions(compositions?.cases ?? []);
  const questions = [...subjectsOf(groups), ...composed];
  const files = [
    ...(run === null ? [] : ['seeds.jsonl', 'mutants.jsonl']),
    ...(compositions === null ? [] : ['compositions.jsonl']),
  ];
  return {
    ids: [...new Set(questions.map(({ id }) => id))],
    written: { where: `they are in ${files.join(', then ')}`, order: writtenOrder({ groups, run }, composed) },
  };
}

/** Seeds and mutants as the files of their run have them, whose order those of one schema together are not in. */
function writtenOrder(
  { groups, run }: Pick<ConsistencyInputs, 'groups' | 'run'>,
  composed: readonly { readonly id: string }[],
): readonly string[] {
  const seeds = groups.map(({ seed }) => seed.id);
  const asked = new Set(groups.flatMap(({ mutants }) => mutants.map(({ id }) => id)));
  const mutants = (run?.records ?? []).filter(({ id }) => asked.has(id));
  return [...new Set([...seeds, ...mutants.map(({ id }) => id), ...composed.map(({ id }) => id)])];
}

interface JudgedRun {
  readonly cases: readonly JudgedCase[];
  readonly clusters: readonly FailureCluster[];
  readonly shrinking: number;
}

class ConsistencyTest {
  readonly #options: ConsistencyOptions;
  readonly #inputs: ConsistencyInputs;
  readonly #chosen: ChosenVictim;
  readonly #host: RunHost;
  readonly #world: SubjectStore;

  constructor(options: ConsistencyOptions, inputs: ConsistencyInputs, chosen: ChosenVictim, host: RunHost) {
    this.#options = options;
    this.#inputs = inputs;
    this.#chosen = chosen;
    this.#host = host;
    const { dataset, run: mutants } = inputs;
    this.#world = new SubjectStore({ dataset, mutants, scratch: scratchFolder(options.out) });
  }

  async run(): Promise<ConsistencyOutcome> {
    const [options, inputs, chosen] = [this.#options, this.#inputs, this.#chosen];
    const databases = await hashOrigins(inputs, this.#world);
    requireDatabases(chosen, databases);
    refuseQuotedCells(chosen, inputs.run);
    const judge = new ConsistencyJudge({ ...options, world: this.#world, executes: databases !== null });
    const use: VictimJob<null, ConsistencyReport> = {
      manifest: consistencyManifest(options, inputs, chosen, judge.fingerprints, databases),
      loadReport: loadConsistencyReport,
      plan: async () => null,
      idsOf: () => idsOf(inputs),
      describe: () => describeConsistency(inputs, chosen),
      questions: () => this.questions(),
      judge: (asked) => this.#report(asked, judge),
    };
    try {
      return await new VictimRun(use, chosen, this.#host).run(options.out, options.shard);
    } finally {
      await judge.dispose();
    }
  }

  /** Lists the questions, in order. */
  questions(): readonly LazyQuestion[] {
    const { groups, compositions } = this.#inputs;
    const subjects = subjectsOf(groups).map((subject) => ({
      id: subject.id,
      make: () => this.#world.questionOf(subject),
    }));
    return [...subjects, ...askedRecompositions(compositions?.cases ?? [], this.#recomposedWorld)];
  }

  async #report(
    { book, missing, answers }: JudgeInput<null>,
    judge: ConsistencyJudge,
  ): Promise<JobOutput<ConsistencyReport>> {
    const [options, inputs] = [this.#options, this.#inputs];
    const { cases, clusters, shrinking } = await this.#judge(book, judge);
    const recomposed = await this.#recompose(book, judge);
    const compositions = inputs.compositions && summarizeRecompositions(inputs.compositions, recomposed, options.seed);
    const report = summarizeConsistency({
      options,
      inputs,
      chosen: this.#chosen,
      metrics: judge.fingerprints,
      cases,
      clusters,
      compositions,
      answers: answers(),
      shrinking,
      missing,
    });
    const files = {
      ...(inputs.run === null ? {} : { 'cases.jsonl': renderJsonLines(cases.map(caseLine)) }),
      ...(compositions === null ? {} : { 'recompositions.jsonl': renderJsonLines(recomposed.map(recompositionLine)) }),
      'report.html': renderDocument(consistencyDocument(report)),
    };
    return { report, files };
  }

  async #judge(book: AnswerCache, judge: ConsistencyJudge): Promise<JudgedRun> {
    const { groups } = this.#inputs;
    const cases = await judge.judge(groups, (id) => mustGet(book.get(id), 'book.get(id)'), this.#host);
    return { cases, ...(await this.#cluster(cases, book, judge)) };
  }

  readonly #recomposedWorld: RecomposedWorld = {
    questionOf: (asked) => this.#world.questionOf(recomposedSubject(asked)),
    schemaOf: (dbId) => mustGet(this.#inputs.dataset.databases.get(dbId), 'dataset.databases.get(dbId)'),
    sourceOf: (dbId) => this.#world.sourceOfOrigin(dbId),
  };

  async #recompose(book: AnswerCache, { scorer }: ConsistencyJudge): Promise<readonly JudgedRecomposition[]> {
    const asking = { book, scorer, world: this.#recomposedWorld };
    return scoreRecompositions(this.#inputs.compositions?.cases ?? [], asking, this.#host);
  }

  /** Failures in clusters, each with an example that was shrunk as far as the questions for it reach. */
  async #cluster(
    cases: readonly JudgedCase[],
    book: AnswerCache,
    judge: ConsistencyJudge,
  ): Promise<Pick<JudgedRun, 'clusters' | 'shrinking'>> {
    const { values, shrinkQuestions, victim } = this.#options;
    let shrinking = 0;
    const trial: Trial = async (group, mutant) => {
      shrinking++;
      await book.ask({ id: mutant.id, make: () => this.#world.questionOf(mutant) }, this.#host.signal);
      const [judged] = await judge.judge(
        [{ ...group, mutants: [mutant] }],
        (id) => mustGet(book.get(id), 'book.get(id)'),
        this.#host,
      );
      return mustGet(judged, 'judged');
    };
    const shrunken: (readonly [ClusteredFailures, JudgedCase])[] = [];
    for (const found of clusterFailures(cases, this.#world, values)) {
      const smallest = itemAt(found.failures, 0);
      // Predictions in a file are there for the run's own mutants only.
      const room = traitsOf(victim).isAskedOn ? shrinkQuestions - shrinking : 0;
      const shrunk = await shrinkFailure(smallest, trial, room);
      shrunken.push([found, shrunk]);
    }
    const held = shrunken.flatMap(([found, shrunk]) => [shrunk, ...heldFailures(found)]);
    const differences = await judge.differences(held, (id) => mustGet(book.get(id), 'book.get(id)'), this.#host.signal);
    const clusters = shrunken.map(([found, shrunk]) => reportCluster(found, shrunk, this.#world, differences));
    return { clusters, shrinking };
  }
}

/** Describes the questions about to be asked, in lines for people. */
function describeConsistency(
  { groups, compositions }: Pick<ConsistencyInputs, 'groups' | 'compositions'>,
  chosen: Pick<ChosenVictim, 'description' | 'executions'>,
): readonly string[] {
  const mutants = groups.flatMap((group) => group.mutants);
  const byRelation = [...groupBy(mutants, countedRelation)].map(([relation, own]) => `${relation} ${own.length}`);
  const seeds = `${countNoun(groups.length + mutants.length, 'question')}: ${countNoun(groups.length, 'seed')}, ${countNoun(mutants.length, 'mutant')} (${byRelation.join(', ')})`;
  return [
    `victim: ${chosen.description}`,
    ...(groups.length === 0 ? [] : [seeds]),
    ...(compositions === null ? [] : [describeRecompositions(compositions)]),
    ...describeExecutions(
      chosen,
      groups.length + mutants.length + recomposedQuestions(compositions?.cases ?? []).length,
    ),
  ];
}
