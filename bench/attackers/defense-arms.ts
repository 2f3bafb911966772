import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { attackReport } from '../../src/measure/attack/attack-report.js';
import type { BenchOutput } from '../run-bench.js';
import type { ArmName } from './paper-figures.js';

/** Where the bench keeps what it made, and what it is made of. */
export interface ArmOptions {
  readonly root: string;
  /** What lies in ../shared/data. */
  readonly data: string;
  readonly state: string;
  /** Masked language model of recipe `bert-attack`. */
  readonly masked: string | null;
  /** Train databases that are learned from, in an order of their own; null = all. */
  readonly databases: number | null;
  /** Worlds of people's names (ADVETA §5.2: five). */
  readonly seeds: number;
}

/** Exact match of an arm, in percent: mean and deviation over the worlds. */
export interface ArmResult {
  readonly arm: ArmName;
  /** Questions that the parser answers after. */
  readonly learned: number;
  readonly scores: Readonly<
    Record<'original' | 'RPL' | 'ADD', { readonly mean: number; readonly deviation: number | null }>
  >;
}

/** What an arm's parser answers after. */
interface TrainingSet {
  readonly tables: string;
  readonly examples: string;
}

const recordsSchema = z.array(z.looseObject({ db_id: z.string() }));
const readRecords = (file: string) => recordsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/**
 * Table 3 of ADVETA with the built-in parser: it answers Spider dev, and dev on people's names, after Spider's train
 * questions and what an arm adds to them. All by the product's own commands, which go on where they were stopped.
 */
export class DefenseArms {
  readonly #options: ArmOptions;
  readonly #output: BenchOutput;

  constructor(options: ArmOptions, output: BenchOutput) {
    this.#options = options;
    this.#output = output;
  }

  /** Trains and scores an arm; what is there is not made again. */
  measure(arm: ArmName): ArmResult {
    const { seeds } = this.#options;
    const training = this.#trainingSet(arm);
    const scores = this.#attack(`attack-${arm}-${seeds}`, arm, training, this.#spider('dev.json'), seeds);
    return { arm, learned: readRecords(training.examples).length, scores };
  }

  /** Exact match on Spider-Syn, dev asked in other words, in percent. */
  measureSynonyms(arm: ArmName): number {
    const questions = join(this.#options.data, 'spider-syn', 'dev.json');
    return this.#attack(`synonyms-${arm}`, arm, this.#trainingSet(arm), questions, 1).original.mean;
  }

  #attack(
    name: string,
    arm: ArmName,
    { tables, examples }: TrainingSet,
    questions: string,
    seeds: number,
  ): ArmResult['scores'] {
    const { data } = this.#options;
    const out = this.#run(name, [
      ...['attack', '--tables', tables, '--examples', questions, '--databases', this.#spider('database')],
      ...['--candidates', `adveta:${join(data, 'adveta')}`, '--victim', 'baseline', '--train', examples],
      ...['--seeds', String(seeds), '--jobs', '1'],
      ...(arm === 'mas' ? ['--annotated-tables', join(data, 'spider-syn', 'MAS', 'tables(ManualMAS).json')] : []),
    ]);
    const { scores } = attackReport.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')));
    const of = (condition: 'original' | 'RPL' | 'ADD') => {
      const { accuracy, std } = scores.find((one) => one.metric === 'exact' && one.condition === condition)!;
      return { mean: 100 * accuracy, deviation: std === null ? null : 100 * std };
    };
    return { original: of('original'), RPL: of('RPL'), ADD: of('ADD') };
  }

  #trainingSet(arm: ArmName): TrainingSet {
    const plain = { tables: this.#spider('tables.json'), examples: this.#trainFile() };
    if (arm === 'original' || arm === 'mas') return plain;
    const inputs = ['--tables', plain.tables, '--examples', plain.examples];
    const machine = ['--jobs', '1', '--cache', join(this.#options.state, 'cache')];
    const candidates = this.#run(`candidates-${arm}`, [
      ...['candidates', '--recipe', arm, ...inputs, ...machine, '--databases', this.#spider('database')],
      ...(arm === 'bert-attack' ? ['--set', `masked.model=${this.#options.masked!}`] : []),
    ]);
    const augmented = this.#run(`augment-${arm}`, [
      ...['augment', '--candidates', candidates, ...inputs, ...machine],
      ...['--paper', '--materialize', 'none', '--no-verify'],
    ]);
    return { tables: this.#withSpider(`tables-${arm}`, augmented), examples: join(augmented, 'examples.json') };
  }

  /** Spider's train questions, of as many databases as are wanted: those whose names hash lowest. */
  #trainFile(): string {
    const { databases, state } = this.#options;
    const all = this.#spider('train.json');
    if (databases === null) return all;
    const file = join(state, `train-${databases}.json`);
    const records = readRecords(all);
    const order = (id: string): string => createHash('sha256').update(`attackers ${id}`).digest('hex');
    const ids = [...new Set(records.map(({ db_id }) => db_id))].sort((a, b) => (order(a) < order(b) ? -1 : 1));
    const chosen = new Set(ids.slice(0, databases));
    mkdirSync(state, { recursive: true });
    writeFileSync(file, JSON.stringify(records.filter(({ db_id }) => chosen.has(db_id))));
    return file;
  }

  /** The schemas of a training set and of dev in one file: the parser learns from one, and is asked about the other. */
  #withSpider(name: string, run: string): string {
    const file = join(this.#options.state, `${name}.json`);
    if (existsSync(file)) return file;
    const spider = readRecords(this.#spider('tables.json'));
    const known = new Set(spider.map(({ db_id }) => db_id));
    const variants = readRecords(join(run, 'tables.json')).filter(({ db_id }) => !known.has(db_id));
    writeFileSync(`${file}.unfinished`, JSON.stringify([...spider, ...variants]));
    renameSync(`${file}.unfinished`, file);
    return file;
  }

  #spider(name: string): string {
    return join(this.#options.data, 'spider', name);
  }

  /** Runs a command of the build, which goes on where it was stopped and does nothing where it had ended. */
  #run(name: string, args: readonly string[]): string {
    const { state, root } = this.#options;
    mkdirSync(state, { recursive: true });
    const out = join(state, name);
    this.#output.tell(`${name} …`);
    const main = join(root, 'dist', 'cli', 'main.js');
    execFileSync(process.execPath, [main, ...args, '--out', out], { stdio: ['ignore', 'ignore', 'inherit'] });
    return out;
  }
}
