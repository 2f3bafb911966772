import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import type { BenchOutput } from '../run-bench.js';
import { ARM_NAMES, type ArmName, MUTANT_ARMS, TrainingSets } from './arms.js';
import { type ArmRuns, differencesTable, measuresTable, mutantsTable } from './defense-figures.js';
import { heldOutMutants, type HeldOutMutants } from './mutated-questions.js';
import { countsByQuestion, measuresOf, readOutcomes, type RunOutcomes, setName, sumOf } from './run-outcomes.js';
import { type DefenseFolders, divideTrain, heldOutSets, testSets, type TestSets, WORLDS } from './test-sets.js';

const STEPS = 1000;
const SMOKE = { arms: 'original,w2v,cta', steps: 200, seeds: '1', worlds: [1] };

/** CPU minutes on a core of a Xeon without AMX: for a step, and for 1,000 questions. */
const COST = { step: 0.0065, questions: 0.4 };

/** Which runs are wanted. */
interface Plan {
  readonly arms: readonly ArmName[];
  readonly seeds: readonly number[];
  readonly steps: number;
  readonly python: string;
  /** Folder of the runs. */
  readonly runs: string;
}

function armsOf(given: string): readonly ArmName[] {
  const known = new Set<string>(ARM_NAMES);
  const names = given.split(',');
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return names as readonly ArmName[];
  throw new ConfigError(`there is no arm "${unknown}"`, { fix: `Known: ${ARM_NAMES.join(', ')}.` });
}

type OneRun = readonly [arm: ArmName, seed: number];

const runFolder = ({ runs }: Plan, arm: ArmName, seed: number): string => join(runs, `${arm}-${seed}`);

/** What the arms are scored on. */
interface Scored {
  readonly sets: TestSets;
  /** What the arms of mutants are scored on, too; null where they are not wanted. */
  readonly mutants: HeldOutMutants | null;
  /** The file that an arm learns from. */
  readonly trainingOf: (arm: ArmName) => string;
}

const filesOfAll = (sets: TestSets): readonly string[] => Object.values(sets).flatMap(({ files }) => files);

function filesOf({ sets, mutants }: Scored, arm: ArmName): readonly string[] {
  const files = filesOfAll(sets);
  return mutants !== null && MUTANT_ARMS.has(arm) ? [...files, mutants.file] : files;
}

/** What a run has found; null where it has not scored all files. */
function finished(
  plan: Plan,
  [arm, seed]: OneRun,
  files: readonly string[],
  { trainingOf }: Scored,
): RunOutcomes | null {
  const found = readOutcomes(runFolder(plan, arm, seed), trainingOf(arm));
  return found !== null && files.every((file) => setName(file) in found.outcomes) ? found : null;
}

const isOpen = (plan: Plan, run: OneRun, scored: Scored): boolean =>
  finished(plan, run, filesOf(scored, run[0]), scored) === null;

function tellCost(plan: Plan, scored: Scored, output: BenchOutput): void {
  const open = plan.seeds.flatMap((seed) => plan.arms.filter((arm) => isOpen(plan, [arm, seed], scored)));
  const questions = Object.values(scored.sets).reduce(
    (sum, { files, databases }) => sum + files.length * databases.length,
    0,
  );
  const minutes = open.length * (plan.steps * COST.step + (questions / 1000) * COST.questions);
  output.tell(
    `${open.length} runs of ${plan.steps} steps and ${questions} questions: about ${Math.round(minutes)} CPU minutes`,
  );
}

/** Trains and scores in a process of its own, on one thread; it goes on where it was stopped. */
function runLinker(plan: Plan, folders: DefenseFolders, [arm, seed]: OneRun, training: string, scored: Scored): void {
  const script = join(folders.root, 'training', 'linker', 'train_linker.py');
  const heldOut = join(folders.state, 'tests', 'held-out.json');
  const args = ['--train', training, '--held-out', heldOut, '--test', ...filesOf(scored, arm)];
  const more = ['--seed', String(seed), '--steps', String(plan.steps), '--out', runFolder(plan, arm, seed)];
  const env = { ...process.env, OMP_NUM_THREADS: '1' };
  const { status, signal, error } = spawnSync(plan.python, [script, ...args, ...more], {
    env,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  if (signal !== null)
    throw new ConfigError(`the linker was ended by ${signal}`, { fix: 'Give the same command again.' });
  const fix = 'Name the Python of training/requirements.txt with --python.';
  throw new ConfigError('the linker could not be trained', { cause: error, fix });
}

/** The runs that have scored the files, by arm and seed. */
function finishedRuns(plan: Plan, files: readonly string[], scored: Scored): ArmRuns {
  return new Map(
    plan.arms.flatMap((arm) => {
      const runs = plan.seeds.flatMap((seed) => {
        const outcomes = finished(plan, [arm, seed], files, scored);
        return outcomes === null ? [] : [[seed, outcomes] as const];
      });
      return runs.length === 0 ? [] : [[arm, new Map(runs)] as const];
    }),
  );
}

/** Trains and scores the runs that are not finished, seed by seed. */
async function trainOpen(
  plan: Plan,
  folders: DefenseFolders,
  training: TrainingSets,
  scored: Scored,
  output: BenchOutput,
): Promise<void> {
  // Runs of a set that is made again are not finished.
  for (const arm of plan.arms) await training.make(arm);
  tellCost(plan, scored, output);
  for (const seed of plan.seeds) {
    for (const arm of plan.arms) {
      if (!isOpen(plan, [arm, seed], scored)) continue;
      runLinker(plan, folders, [arm, seed], training.fileOf(arm), scored);
      printMeasures(finishedRuns(plan, filesOfAll(scored.sets), scored), scored.sets, output);
    }
  }
}

function printMeasures(runs: ArmRuns, sets: TestSets, output: BenchOutput): void {
  for (const [arm, bySeed] of runs) {
    const ofArm = [...bySeed.values()];
    const f1 = Object.entries(sets).map(
      ([name, { files }]) => `${name} ${measuresOf(sumOf(countsByQuestion(ofArm, files))).f1.toFixed(1)}`,
    );
    output.print(`${arm} (${ofArm.length} seeds): ${f1.join(', ')}`);
  }
}

/**
 * Trains the schema linker on each arm's set and scores it. Every step is kept in the state folder: the same command goes
 * on after a stop, scores nothing twice, and records what has been finished.
 */
export async function runDefenseBench(args: readonly string[], root: string, output: BenchOutput): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: '../shared/data' },
      state: { type: 'string', default: 'build/defense' },
      python: { type: 'string', default: 'python3' },
      arms: { type: 'string' },
      seeds: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      /** Train nothing: record the runs that are finished. */
      finished: { type: 'boolean', default: false },
    },
  });
  const folders: DefenseFolders = { root, data: resolve(values.data), state: resolve(values.state) };
  const { smoke, python } = values;
  const { arms = smoke ? SMOKE.arms : ARM_NAMES.join(), seeds = smoke ? SMOKE.seeds : '3' } = values;
  const plan: Plan = {
    arms: armsOf(arms),
    seeds: Array.from({ length: Number(seeds) }, (_, i) => i + 1),
    steps: smoke ? SMOKE.steps : STEPS,
    python: existsSync(python) ? resolve(python) : python,
    runs: join(folders.state, smoke ? 'smoke' : 'runs'),
  };
  for (const name of ['tests', 'training']) mkdirSync(join(folders.state, name), { recursive: true });
  divideTrain(folders);
  const sets = {
    ...(await testSets(folders, smoke ? SMOKE.worlds : WORLDS, output)),
    ...(await heldOutSets(folders, output)),
  };
  const training = new TrainingSets(folders, output);
  const isOfMutants = plan.arms.some((arm) => arm !== 'original' && MUTANT_ARMS.has(arm));
  const mutants = isOfMutants ? await heldOutMutants(folders, training.candidates('cta'), output) : null;
  const scored: Scored = { sets, mutants, trainingOf: (arm) => training.fileOf(arm) };
  if (!values.finished) await trainOpen(plan, folders, training, scored, output);
  const runs = finishedRuns(plan, filesOfAll(sets), scored);
  printMeasures(runs, sets, output);
  const id = smoke ? 'defense-smoke' : 'defense';
  output.record({ ...measuresTable(runs, sets, plan.steps), id });
  output.record({ ...differencesTable(runs, sets), id: `${id}-differences` });
  if (mutants === null) return;
  output.record(mutantsTable(finishedRuns(plan, [mutants.file], scored), mutants, `${id}-mutants`));
}
