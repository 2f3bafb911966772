import { PROJECT_CANDIDATES } from '../../annotate/final-candidates.js';
import { PerturbqlError } from '../../errors.js';
import { databaseOf, type DatasetExample, groupExamples } from '../../formats/dataset.js';
import type { CandidateDecision } from '../../formats/artifacts/candidates.js';
import { DifficultyRater } from '../../variants/relations/names/candidate-difficulty.js';
import { loadCandidatesFrom } from '../../variants/candidates/candidate-forms.js';
import type { PerturbationKind } from '../../variants/relations/names/candidate-pool.js';
import { noteFound } from '../../variants/candidates/adveta-places.js';
import { planTables, readableTurns } from '../../variants/candidates/plan-tables.js';
import { inPhase, type RunHost } from '../../run/run-host.js';
import { countBy } from '../../victims/victim.js';
import { sha256Of } from '../../run/sha256.js';
import type { SeedGroup } from '../mutants/subject-store.js';
import { type AskedInputs, loadAskedInputs } from '../asked-inputs.js';
import type { AttackOptions, AttackPlanOptions } from './attack-options.js';
import type { AttackCondition } from './attack-report.js';
import { drawMutants, type MutantDraw } from '../mutants/draw-mutants.js';
import { TablePerturber } from './table-perturber.js';
import { type AttackGroup, type DrawnTables, originalTables, type TableSet } from './table-set.js';
import { countNoun, formatCount } from '../../counts.js';
import { renderSeconds } from '../../report/figures.js';
import { describeRecompositions } from '../compositions/load-recompositions.js';
import { describeExecutions } from '../../victims/executions/execution-figures.js';
import { type ChosenVictim, warningOf } from '../../victims/create-victim.js';

const PERTURBATION_KINDS = ['RPL', 'ADD'] as const satisfies readonly PerturbationKind[];

/** The inputs of an attack, read. */
export interface AttackInputs extends AskedInputs {
  readonly decisions: readonly CandidateDecision[];
}

/**
 * Reads data set, candidates, compositions and mutants. @throws InputFormatError or ConfigError when one is missing or
 * wrong
 */
export function loadAttackInputs(options: AttackPlanOptions, host: RunHost): Promise<AttackInputs> {
  return inPhase(host, 'reading inputs', () => readAttackInputs(options, host));
}

async function readAttackInputs(options: AttackPlanOptions, host: RunHost): Promise<AttackInputs> {
  const questionIdOf = (exampleId: string): string => questionId(exampleId, 'original', null);
  const inputs = await loadAskedInputs(options, { questionIdOf, fold: null });
  const { candidates } = options;
  const { dataset } = inputs;
  const use = { format: dataset.format, onFound: noteFound(host), candidateForms: [PROJECT_CANDIDATES] };
  const decisions = candidates === null ? [] : loadCandidatesFrom(candidates, dataset.databases, use);
  return { ...inputs, decisions };
}

/** Returns the fingerprints of everything that determines the questions, for a manifest. */
export function planFingerprints(
  { dataset: format, candidates, seeds, sample, linkedKeys, abbreviate, addPosition, keepStar }: AttackPlanOptions,
  { decisions, compositions, mutants }: AttackInputs,
): Readonly<Record<string, unknown>> {
  return {
    dataset: format,
    candidates,
    candidatesSha256: sha256Of(JSON.stringify(decisions)),
    seeds,
    linkedKeys,
    addPosition,
    keepStar,
    ...(abbreviate === 'never' ? {} : { abbreviate }),
    ...(sample === 'random' ? {} : { sample }),
    ...(compositions === null ? {} : { compositions: compositions.fingerprint }),
    ...(mutants === null ? {} : mutants.run.fingerprints),
  };
}

/** The seeds that tables are drawn with: none without candidates. */
export function drawnSeeds({ candidates, seeds }: Pick<AttackPlanOptions, 'candidates' | 'seeds'>): readonly number[] {
  return candidates === null ? [] : seeds;
}

/** A group with the tables that it is asked of. */
export interface PlannedGroup {
  readonly group: AttackGroup;
  readonly original: TableSet;
  /** Per kind and seed, RPL before ADD. */
  readonly drawn: readonly DrawnTables[];
}

/** Why examples are not attacked. */
interface LeftOut {
  readonly reason: string;
  readonly examples: number;
}

/** A question to be asked: an example on tables. */
export interface PlannedQuestion {
  /** `dev:17~RPL~3`, `dev:17~original`. */
  readonly id: string;
  readonly example: DatasetExample;
  readonly group: AttackGroup;
  /** Position of the example in its group. */
  readonly turn: number;
  readonly condition: AttackCondition;
  readonly seed: number | null;
  readonly tables: TableSet;
  /** Id of the first question of this example with the same tables; its own where it is that one. */
  readonly repeats: string;
}

/** All that is asked in an attack, before a search. */
export interface AttackPlan {
  readonly inputs: AttackInputs;
  readonly perturber: TablePerturber;
  readonly groups: readonly PlannedGroup[];
  /** Of the examples in `groups`. */
  readonly mutants: readonly MutantDraw[];
  readonly leftOut: readonly LeftOut[];
  /** Examples whose tables stay as they are: no column that they mention has a candidate. */
  readonly unperturbed: Readonly<Record<PerturbationKind, number>>;
  readonly examples: number;
}

/** Draws the perturbed tables of every example, kind and seed (ADVETA §5.2). Turns of an interaction share theirs. */
export async function planAttack(options: AttackPlanOptions, inputs: AttackInputs, host: RunHost): Promise<AttackPlan> {
  const { dataset, decisions } = inputs;
  const { mentions, unread } = planTables(dataset, 'mentioned');
  const rater = new DifficultyRater(dataset, mentions);
  const rated = decisions.map((decision) => rater.rate(decision));
  const perturber = new TablePerturber(rated, dataset.dialect, options);
  // A reason for each example; places within queries don't distinguish reasons.
  const leftOut = dataset.skipped.map(({ reason }) => reason);
  const groups: PlannedGroup[] = [];
  let done = 0;
  for (const examples of groupExamples(dataset.examples())) {
    host.signal.throwIfAborted();
    const [{ dbId, group: id }] = examples;
    for (const example of examples.filter((one) => !mentions.has(one.id))) {
      leftOut.push(unread.get(example.id)?.summary ?? 'its gold can’t be read');
    }
    const readable = readableTurns(examples, mentions);
    if (readable !== null) {
      const { turns, mention } = readable;
      const group: AttackGroup = { id, database: databaseOf(dataset, dbId), examples: turns, mention };
      const planned = await planGroup(group, perturber, drawnSeeds(options));
      if (typeof planned === 'string') leftOut.push(...turns.map(() => planned));
      else groups.push(planned);
    }
    host.progress('examples perturbed', (done += examples.length), dataset.size);
  }
  return {
    inputs,
    perturber,
    groups,
    mutants: drawPlanned(inputs.mutants?.groups ?? [], groups, options.seeds),
    leftOut: Object.entries(countBy(leftOut)).map(([reason, count]) => ({ reason, examples: count })),
    unperturbed: { RPL: countUnperturbed(groups, 'RPL'), ADD: countUnperturbed(groups, 'ADD') },
    examples: groups.reduce((sum, { group }) => sum + group.examples.length, 0),
  };
}

/** The mutants of the examples that are attacked. */
function drawPlanned(
  mutants: readonly SeedGroup[],
  groups: readonly PlannedGroup[],
  seeds: readonly number[],
): readonly MutantDraw[] {
  const attacked = new Set(groups.flatMap(({ group }) => group.examples.map(({ id }) => id)));
  return drawMutants(
    mutants.filter(({ seed }) => attacked.has(seed.id)),
    seeds,
  );
}

/** The tables of a group; a text says why it can't be attacked. */
async function planGroup(
  group: AttackGroup,
  perturber: TablePerturber,
  seeds: readonly number[],
): Promise<PlannedGroup | string> {
  const drawn: DrawnTables[] = [];
  try {
    for (const kind of PERTURBATION_KINDS) {
      for (const seed of seeds) drawn.push({ kind, seed, tables: await perturber.draw(group, kind, seed) });
    }
  } catch (error) {
    if (error instanceof PerturbqlError) return error.summary;
    throw error;
  }
  return { group, original: originalTables(group), drawn };
}

function countUnperturbed(groups: readonly PlannedGroup[], kind: PerturbationKind): number {
  const isUnperturbed = ({ drawn }: PlannedGroup): boolean =>
    drawn.every((one) => one.kind !== kind || one.tables.changes.length === 0);
  return groups.filter(isUnperturbed).reduce((sum, { group }) => sum + group.examples.length, 0);
}

const SEPARATOR = '~';

/** The id of a question: its example, what it is asked of, and which of these tables. */
export function questionId(exampleId: string, condition: AttackCondition, which: number | string | null): string {
  return [exampleId, condition, ...(which === null ? [] : [which])].join(SEPARATOR);
}

const QUESTION_END = /~(?:original|(?:RPL|ADD)~[0-9a-z-]+)$/;

/** The example that a question is made of. */
export function exampleOfQuestion(id: string): string {
  return id.replace(QUESTION_END, '');
}

/** Every question of a plan in the data set's order: for each example the original, RPL by seed, ADD by seed. */
export function* plannedQuestions(plan: AttackPlan): Generator<PlannedQuestion> {
  for (const { group, original, drawn } of plan.groups) {
    const sets = [{ kind: 'original' as const, seed: null, tables: original }, ...drawn];
    for (const [turn, example] of group.examples.entries()) {
      const first = new Map<string, string>();
      for (const { kind, seed, tables } of sets) {
        const id = questionId(example.id, kind, seed);
        const repeats = first.get(tables.key) ?? id;
        first.set(tables.key, repeats);
        yield { id, example, group, turn, condition: kind, seed, tables, repeats };
      }
    }
  }
}

/** How long asking takes; null where that can't be told. */
function estimateTime(
  questions: number,
  { victim, perSecond }: Pick<ChosenVictim, 'victim' | 'perSecond'>,
): string | null {
  if (perSecond !== null) return `about ${renderSeconds(questions / perSecond)}`;
  if (victim === null) return null;
  const { concurrency } = victim;
  return `about ${renderSeconds(questions / concurrency)} if an answer takes a second, ${concurrency} side by side`;
}

/** Describes the questions an attack is about to ask, in lines for people. */
export function describeAttack(
  plan: AttackPlan,
  { candidates, seeds: given, strategy, budget }: Pick<AttackOptions, 'candidates' | 'seeds' | 'strategy' | 'budget'>,
  chosen: Pick<ChosenVictim, 'victim' | 'description' | 'executions' | 'perSecond' | 'warning'>,
): readonly string[] {
  const seeds = drawnSeeds({ candidates, seeds: given });
  const { compositions } = plan.inputs;
  const questions = [...plannedQuestions(plan)];
  const distinct = questions.filter(({ id, repeats }) => id === repeats).length;
  const leftOut = plan.leftOut.reduce((sum, { examples }) => sum + examples, 0);
  const searches = plan.examples * 2 * seeds.length;
  const most = plan.examples + searches * budget;
  const asked = strategy === 'random' ? distinct : most;
  const composed = compositions?.cases.length ?? 0;
  const reach = strategy === 'random' ? 1 : budget;
  const mutants = new Set(plan.mutants.flatMap(({ order }) => order.slice(0, reach).map(({ id }) => id))).size;
  const kinds = new Set(plan.mutants.map(({ relation }) => relation)).size;
  const all = asked + composed + mutants;
  const time = estimateTime(all, chosen);
  const drawn = `, RPL and ADD with ${countNoun(seeds.length, 'seed')}: ${countNoun(questions.length, 'question')}, ${formatCount(distinct)} of them distinct`;
  return [
    `victim: ${chosen.description}`,
    `${countNoun(plan.examples, 'example')}${leftOut === 0 ? '' : ` (${leftOut} left out)`}${candidates === null ? '' : drawn}`,
    ...(compositions === null ? [] : [describeRecompositions(compositions)]),
    ...(plan.inputs.mutants === null
      ? []
      : [
          `${reach > 1 ? 'at most ' : ''}${countNoun(mutants, 'mutant')} of ${countNoun(kinds, 'kind')}, drawn with ${countNoun(given.length, 'seed')}`,
        ]),
    ...(strategy === 'random' || candidates === null
      ? []
      : [`${strategy}: ${countNoun(searches, 'search', 'searches')}, at most ${countNoun(most, 'question')}`]),
    ...describeExecutions(chosen, all),
    ...(time === null ? [] : [`asking them takes ${time}`]),
    ...warningOf(chosen).map((warning) => `warning: ${warning}`),
  ];
}
