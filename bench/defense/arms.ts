import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { LabeledQuestion } from '../../src/formats/exports/linker-export.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import type { SampleChoice } from '../../src/variants/relations/names/candidate-difficulty.js';
import type { ColumnChoice } from '../../src/variants/augment/variant-plan.js';
import type { RecipeName } from '../../src/recipes/recipe-names.js';
import type { BenchOutput } from '../run-bench.js';
import { labeledQuestions, writeLabeled } from './labeled-file.js';
import { isOlder } from './run-outcomes.js';
import { type DefenseFolders, tablesFile, trainFile } from './test-sets.js';

/** RS, SS and AS of MT-TEQL. */
type MutantSampling = 'random' | 'stratified' | 'adaptive';

/** What is added to Spider's train questions; nothing for the questions alone. */
interface Arm {
  readonly recipe?: RecipeName;
  readonly columns?: ColumnChoice;
  readonly sample?: SampleChoice;
  /** Variants of each example; the default of the command where nothing is said. */
  readonly variants?: string;
  /** How mutants of the questions are sampled that are added, as many as there are questions (MT-TEQL §4). */
  readonly mutants?: MutantSampling;
}

/** What an arm's training set is made by. */
type AugmentedArm = Required<Pick<Arm, 'recipe' | 'columns' | 'sample'>> & {
  readonly variants: string | undefined;
};

const ARMS = {
  original: {},
  w2v: { recipe: 'w2v', columns: 'mentioned' },
  cta: { recipe: 'cta', columns: 'mentioned' },
  'cta-all': { recipe: 'cta', columns: 'all' },
  'cta-hard': { recipe: 'cta', columns: 'mentioned', sample: 'hard' },
  'cta-all-hard': { recipe: 'cta', columns: 'all', sample: 'hard' },
  'cta-both': { recipe: 'cta', columns: 'both', variants: 'rpl:2,add:2' },
  random: { recipe: 'random', columns: 'mentioned' },
  'cta-without-retriever': { recipe: 'cta-without-retriever', columns: 'mentioned' },
  'cta-without-nli': { recipe: 'cta-without-nli', columns: 'mentioned' },
  textfooler: { recipe: 'textfooler', columns: 'mentioned' },
  'mutants-random': { mutants: 'random' },
  'mutants-stratified': { mutants: 'stratified' },
  mutants: { mutants: 'adaptive' },
  'cta-all-mutants': { recipe: 'cta', columns: 'all', mutants: 'adaptive' },
} as const satisfies Readonly<Record<string, Arm>>;

export type ArmName = keyof typeof ARMS;
/** Arms of questions alone and of mutants, by their sampling: MT-TEQL's Table 10. */
export const MUTANT_ARMS = new Map<ArmName, 'original' | MutantSampling>([
  ['original', 'original'],
  ['mutants-random', 'random'],
  ['mutants-stratified', 'stratified'],
  ['mutants', 'adaptive'],
]);

export const ARM_NAMES = Object.keys(ARMS) as readonly ArmName[];

/** Makes the training sets of arms by the product's own commands; what is there is not made again. */
export class TrainingSets {
  readonly #folders: DefenseFolders;
  readonly #output: BenchOutput;

  constructor(folders: DefenseFolders, output: BenchOutput) {
    this.#folders = folders;
    this.#output = output;
  }

  /** Where the labeled file of an arm is, or will be. */
  fileOf(name: ArmName): string {
    return join(this.#folders.state, 'training', `${name}.json`);
  }

  /** The labeled file of an arm; one that is older than the runs that it is of is made again. */
  async make(name: ArmName): Promise<string> {
    const file = this.fileOf(name);
    const runs = this.#runsOf(ARMS[name]);
    if (existsSync(file) && !runs.some((run) => isOlder(file, join(run, 'run.json')))) return file;
    const questions = await this.#questionsOf(runs);
    writeLabeled(`${file}.unfinished`, questions);
    renameSync(`${file}.unfinished`, file);
    this.#output.tell(`${name}: ${questions.length} questions to learn from`);
    return file;
  }

  /** Makes what an arm adds, or checks that what is there is of this version. */
  #runsOf({ recipe, columns, sample = 'random', variants, mutants }: Arm): readonly string[] {
    const isAugmented = recipe !== undefined && columns !== undefined;
    return [
      ...(isAugmented ? [this.#augment({ recipe, columns, sample, variants })] : []),
      ...(mutants === undefined ? [] : [this.#mutate(mutants)]),
    ];
  }

  async #questionsOf(runs: readonly string[]): Promise<readonly LabeledQuestion[]> {
    const [first, ...rest] = runs.map((run) => ({
      tables: join(run, 'tables.json'),
      examples: join(run, 'examples.json'),
    }));
    if (first === undefined) return this.#read(tablesFile(this.#folders), trainFile(this.#folders));
    const all = await this.#read(first.tables, first.examples);
    return [...all, ...(await Promise.all(rest.map(({ tables, examples }) => this.#read(tables, examples)))).flat()];
  }

  async #read(tables: string, examples: string): Promise<readonly LabeledQuestion[]> {
    const dataset = await loadDataset({ dataset: 'spider', tables, examples, databases: null, connection: null });
    return labeledQuestions(dataset.examples(), dataset.databases);
  }

  /** The run that decides the candidates of all columns once: what is drawn of them is the training set's choice. */
  candidates(recipe: RecipeName): string {
    const spider = join(this.#folders.data, 'spider');
    return this.#run(`candidates-${recipe}`, [
      ...['candidates', '--recipe', recipe, '--columns', 'all', '--jobs', '1', '--cache', this.#path('cache')],
      ...['--databases', join(spider, 'database'), ...this.#inputs(join(spider, 'train.json'))],
    ]);
  }

  #augment({ recipe, columns, sample, variants }: AugmentedArm): string {
    const name = ['augment', recipe, columns, ...(sample === 'random' ? [] : [sample])].join('-');
    return this.#run(name, [
      ...['augment', '--candidates', this.candidates(recipe), '--columns', columns, '--sample', sample],
      ...(variants === undefined ? [] : ['--variants', variants]),
      ...['--jobs', '1', '--cache', this.#path('cache'), '--materialize', 'none', '--no-verify'],
      ...this.#inputs(trainFile(this.#folders)),
    ]);
  }

  #mutate(sampling: MutantSampling): string {
    const train = trainFile(this.#folders);
    const names = this.candidates('cta');
    const mutate = ['mutate', '--relations', 'mt-teql', '--limit', '1', '--candidates', names, '--jobs', '1'];
    const rates = sampling === 'adaptive' ? ['--rates', this.#errorRates(mutate)] : [];
    const sample = ['--sample', sampling, ...rates, '--as-training', ...this.#inputs(train)];
    return this.#run(sampling === 'adaptive' ? 'mutants' : `mutants-${sampling}`, [...mutate, ...sample]);
  }

  /** As docs/consistency.md samples mutants: by the error rates of the built-in parser on a fold that it did not learn. */
  #errorRates(mutate: readonly string[]): string {
    const all = this.#run('mutants-all', [...mutate, ...this.#inputs(trainFile(this.#folders))]);
    const asked = ['consistency', '--mutants', all, '--victim', 'baseline', '--fold', '1/10'];
    return this.#run('mutants-rates', asked);
  }

  #inputs(examples: string): readonly string[] {
    return ['--tables', tablesFile(this.#folders), '--examples', examples];
  }

  #path(name: string): string {
    return join(this.#folders.state, name);
  }

  /** Runs a command of the build, which goes on where it was stopped and does nothing where it had ended. */
  #run(name: string, args: readonly string[]): string {
    const out = this.#path(name);
    this.#output.tell(`${name} …`);
    const main = join(this.#folders.root, 'dist', 'cli', 'main.js');
    execFileSync(process.execPath, [main, ...args, '--out', out], { stdio: ['ignore', 'ignore', 'inherit'] });
    return out;
  }
}
