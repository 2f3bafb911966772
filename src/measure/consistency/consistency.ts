import type { AnswerCache, LazyQuestion } from '../../victims/answer-cache.js';
import { OriginalRows } from '../original-rows.js';
import { askedDatabases, type AskedInputs, loadAskedInputs, type MutantInputs } from '../asked-inputs.js';
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
import { type ChosenVictim, warningOf } from '../../victims/create-victim.js';
import type { PredictedQuestions } from '../../victims/file-victim.js';
import { describeFirstPrompt, describeQuotedCells } from '../cells-kept-back.js';
import { requireDatabases, describeExecutions } from '../../victims/executions/execution-figures.js';
import { traitsOf } from '../../victims/victims.js';
import { exampleOf } from '../../victims/victim.js';
import { measureRecompositions } from '../compositions/measure-recompositions.js';
import { recomposedQuestions, describeRecompositions } from '../compositions/load-recompositions.js';
import { renderJsonLines } from '../../formats/json-file.js';
import { type RunHost, NOOP_HOST } from '../../run/run-host.js';
import { leaveScratch, scratchFolder, withTemporaryFolder } from '../../run/working-folders.js';
import { compareText, itemAt, mustGet } from '../../present.js';
import { renderDocument } from '../../report/document/render-document.js';
import {
  type ClusteredFailures,
  clusterFailures,
  heldFailures,
  reportCluster,
  shrinkFailure,
  type Trial,
} from './clusters/failure-clusters.js';
import { type ConsistencyInput, type ConsistencyOptions, withConsistencyDefaults } from './consistency-options.js';
import { type ConsistencyReport, loadConsistencyReport } from './consistency-report.js';
import { type ConsistencyJudging, judgeConsistency, type JudgedCase } from './consistency-judge.js';
import { ExactMatch } from '../../evaluate/exact/exact-match.js';
import { AnswerScorer } from '../../victims/answer-scorer.js';
import { differencesOf } from '../mutants/judge-subjects.js';
import { consistencyDocument } from './report/consistency-document.js';
import { type Subject, SubjectStore } from '../mutants/subject-store.js';
import { summarizeConsistency } from './summary/summarize-consistency.js';
import { countNoun, formatCount } from '../../counts.js';
import { groupBy } from '../../run/group-by.js';
import { countedRelation, relationOf } from '../../variants/relations/counted-relation.js';
import { outcomesOf } from '../judged-answer.js';

/** The outcome of a test for consistency. */
export type ConsistencyOutcome = AskedOutcome<ConsistencyReport>;

/**
 * Tests a text-to-SQL model for consistency (MT-TEQL §3, Algorithm 1): asks it the seeds, then their mutants, and
 * counts how often its prediction changed where the relation says that it must not. Each answer is stored as it
 * arrives: the same call again resumes an interrupted run and asks nothing twice; a finished one is left as it is.
 * @throws InputFormatError, ConfigError, VictimError or RunFolderError: see each class
 */
export async function consistency(input: ConsistencyInput, host: RunHost = NOOP_HOST): Promise<ConsistencyOutcome> {
  const options = withConsistencyDefaults(input);
  const inputs = await loadInputs(options);
  return withVictim(options.victim, inputs, ofExample, (chosen) =>
    runTest({ options, inputs, chosen, host }).finally(() => leaveScratch(options.out)),
  );
}

/** Describes a run's questions in lines for people; nothing is asked or written. @throws as `consistency` */
export async function previewConsistency(input: ConsistencyInput): Promise<readonly string[]> {
  const options = withConsistencyDefaults(input);
  const inputs = await loadInputs(options);
  return withVictim(options.victim, inputs, ofExample, async (chosen) => {
    const told = await withTemporaryFolder((out) => {
      const rows = new OriginalRows(inputs.dataset, scratchFolder(out));
      return describeFirstPrompt(chosen, questionsOf(inputs, new SubjectStore(inputs, rows))[0]);
    });
    return [
      ...describeConsistency(inputs, chosen),
      ...describeQuotedCells(chosen, inputs.mutants?.run ?? null),
      ...told,
    ];
  });
}

const ofExample = (id: string): string => exampleOf({ id });

function loadInputs(options: ConsistencyOptions): Promise<AskedInputs> {
  return loadAskedInputs({ ...options, withoutGold: true }, { questionIdOf: (id) => id, fold: options.fold });
}

/** Lists the subjects to ask about, seeds first, then mutants by schema, as victims keep what they make of a schema. */
function subjectsOf({ mutants: asked }: Pick<AskedInputs, 'mutants'>): readonly Subject[] {
  const groups = asked?.groups ?? [];
  const mutants = groups.flatMap((group) => group.mutants);
  const bySchema = [...mutants].sort((a, b) => compareText(a.origin, b.origin) || compareText(a.db_id, b.db_id));
  return [...groups.map(({ seed }) => seed), ...bySchema];
}

/** All questions, those of mutants before those of compositions. */
function idsOf(inputs: AskedInputs): PredictedQuestions {
  const { mutants, compositions } = inputs;
  const composed = recomposedQuestions(compositions?.cases ?? []);
  const questions = [...subjectsOf(inputs), ...composed];
  const files = [
    ...(mutants === null ? [] : ['seeds.jsonl', 'mutants.jsonl']),
    ...(compositions === null ? [] : ['compositions.jsonl']),
  ];
  return {
    ids: [...new Set(questions.map(({ id }) => id))],
    written: { where: `they are in ${files.join(', then ')}`, order: writtenOrder(mutants, composed) },
  };
}

/** Seeds and mutants as the files of their run have them, whose order those of one schema together are not in. */
function writtenOrder(inputs: MutantInputs | null, composed: readonly { readonly id: string }[]): readonly string[] {
  const { groups = [], run } = inputs ?? {};
  const seeds = groups.map(({ seed }) => seed.id);
  const asked = new Set(groups.flatMap(({ mutants }) => mutants.map(({ id }) => id)));
  const mutants = (run?.records ?? []).filter(({ id }) => asked.has(id));
  return [...new Set([...seeds, ...mutants.map(({ id }) => id), ...composed.map(({ id }) => id)])];
}

function manifestOf(
  { examples, fold, values, shrinkQuestions, timeoutMs, seed }: ConsistencyOptions,
  { dataset, mutants, compositions }: AskedInputs,
  { id, fingerprint }: Pick<ChosenVictim, 'id' | 'fingerprint'>,
  metrics: ConsistencyReport['settings']['metrics'],
  databases: string | null,
): ReturnType<typeof askedManifest> {
  const victim = { id, fingerprint };
  return askedManifest({
    command: 'consistency',
    seed,
    settings: { dataset: dataset.format, victim, fold, values, metrics, shrinkQuestions, timeoutMs },
    inputs: {
      ...dataset.fingerprints,
      ...mutants?.run.fingerprints,
      ...(compositions === null ? {} : { compositions: compositions.fingerprint }),
    },
    examples,
    databases,
  });
}

/** Lists the questions, in order. */
function questionsOf(inputs: AskedInputs, store: SubjectStore): readonly LazyQuestion[] {
  return store.questionsOf([...subjectsOf(inputs), ...recomposedQuestions(inputs.compositions?.cases ?? [])]);
}

/** All that a test works with. */
interface TestParts {
  readonly options: ConsistencyOptions;
  readonly inputs: AskedInputs;
  readonly chosen: ChosenVictim;
  readonly host: RunHost;
}

async function runTest(parts: TestParts): Promise<ConsistencyOutcome> {
  const { options, inputs, chosen, host } = parts;
  const rows = new OriginalRows(inputs.dataset, scratchFolder(options.out));
  const databases = await hashOriginals(askedDatabases(inputs), rows);
  requireDatabases(chosen, databases);
  const store = new SubjectStore(inputs, rows);
  const exact = new ExactMatch({ values: options.values });
  const scorer = new AnswerScorer({ ...options, exact, executes: databases !== null });
  const job: VictimJob<null, ConsistencyReport> = {
    manifest: manifestOf(options, inputs, chosen, scorer.fingerprints, databases),
    loadReport: loadConsistencyReport,
    plan: async () => null,
    idsOf: () => idsOf(inputs),
    describe: () => describeConsistency(inputs, chosen),
    questions: () => questionsOf(inputs, store),
    judge: (asked) => judgeTest(asked, parts, { scorer, store, answerOf: asked.book.answerTo, options }),
  };
  try {
    return await runVictimJob(job, chosen, options, host);
  } finally {
    await scorer.dispose();
  }
}

async function judgeTest(
  { book, missing, answers }: JudgeInput<null>,
  parts: TestParts,
  judging: ConsistencyJudging,
): Promise<JobOutput<ConsistencyReport>> {
  const { options, inputs, chosen, host } = parts;
  const cases = await judgeConsistency(inputs.mutants?.groups ?? [], judging, host);
  const { clusters, shrinking } = await clusterCases(cases, book, parts, judging);
  const { compositions, files } = await measureRecompositions(inputs.compositions, judging, options.seed, host);
  const report = summarizeConsistency({
    options,
    inputs,
    chosen,
    metrics: judging.scorer.fingerprints,
    cases,
    clusters,
    compositions,
    answers: answers(),
    shrinking,
    missing,
  });
  const written = {
    ...(inputs.mutants === null ? {} : { 'cases.jsonl': renderJsonLines(cases.map(caseLine)) }),
    ...files,
    'report.html': renderDocument(consistencyDocument(report)),
  };
  return { report, files: written };
}

/**
 * Failures in clusters, each with an example that was shrunk as far as the questions for it reach, and how many of these
 * were asked.
 */
async function clusterCases(
  cases: readonly JudgedCase[],
  book: AnswerCache,
  { options: { values, shrinkQuestions, victim }, host }: TestParts,
  judging: ConsistencyJudging,
) {
  const { store } = judging;
  let shrinking = 0;
  const trial: Trial = async (group, mutant) => {
    shrinking++;
    await book.ask({ id: mutant.id, make: () => store.questionOf(mutant) }, host.signal);
    const [judged] = await judgeConsistency([{ ...group, mutants: [mutant] }], judging, host);
    return mustGet(judged, 'judged');
  };
  const shrunken: (readonly [ClusteredFailures, JudgedCase])[] = [];
  for (const found of clusterFailures(cases, store, values)) {
    // Predictions in a file are there for the run's own mutants only.
    const room = traitsOf(victim).isAskedOn ? shrinkQuestions - shrinking : 0;
    shrunken.push([found, await shrinkFailure(itemAt(found.failures, 0), trial, room)]);
  }
  const held = shrunken.flatMap(([found, shrunk]) => [shrunk, ...heldFailures(found)]);
  const subjects = held.flatMap(({ group, mutant }) => [group.seed, mutant]);
  const differences = await differencesOf(subjects, judging, host.signal);
  return { clusters: shrunken.map(([found, shrunk]) => reportCluster(found, shrunk, store, differences)), shrinking };
}

/** Describes the questions about to be asked, in lines for people. */
function describeConsistency(
  { mutants: asked, compositions }: Pick<AskedInputs, 'mutants' | 'compositions'>,
  chosen: Pick<ChosenVictim, 'description' | 'executions' | 'warning'>,
): readonly string[] {
  const groups = asked?.groups ?? [];
  const mutants = groups.flatMap((group) => group.mutants);
  const byRelation = [...groupBy(mutants, countedRelation)].map(
    ([relation, own]) => `${relation} ${formatCount(own.length)}`,
  );
  const seeds = `${countNoun(groups.length + mutants.length, 'question')}: ${countNoun(groups.length, 'seed')}, ${countNoun(mutants.length, 'mutant')} (${byRelation.join(', ')})`;
  return [
    `victim: ${chosen.description}`,
    ...(groups.length === 0 ? [] : [seeds]),
    ...(compositions === null ? [] : [describeRecompositions(compositions)]),
    ...describeExecutions(
      chosen,
      groups.length + mutants.length + recomposedQuestions(compositions?.cases ?? []).length,
    ),
    ...warningOf(chosen).map((warning) => `warning: ${warning}`),
  ];
}

/** A line of `cases.jsonl`: what is said of a mutant; its answers are in `answers.jsonl`. */
function caseLine(judged: JudgedCase): object {
  const { mutant, same, isSame } = judged;
  const verdict = isSame === null ? null : isSame ? 'consistent' : 'inconsistent';
  const { id, seed } = mutant;
  return { id, seed, relation: relationOf(mutant), verdict, same, ...outcomesOf(judged) };
}
