import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Dataset } from '../../src/formats/dataset.js';
import type { LabeledQuestion } from '../../src/formats/exports/linker-export.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { loadCandidatesFrom } from '../../src/variants/candidates/candidate-forms.js';
import { itemAt } from '../../src/present.js';
import type { BenchOutput } from '../run-bench.js';
import { labeledDatabases, labeledQuestions, writeLabeled } from './labeled-file.js';
import { farNames, ownNames } from './own-names.js';
import { type Perturbation, QuestionPerturber } from './perturbed-questions.js';

/** Worlds of people's names, as in ADVETA §5.1. */
export const WORLDS = [1, 2, 3, 4, 5] as const;

/** One train database in so many is held out: for the threshold and for every choice. */
const HELD_OUT_SHARE = 10;

/** Whether no training question asks of a database. */
function isHeldOut(dbId: string): boolean {
  return BigInt(`0x${createHash('sha256').update(`hold${dbId}`).digest('hex')}`) % BigInt(HELD_OUT_SHARE) === 0n;
}

/** Where the bench keeps what it made, and what it is made of. */
export interface DefenseFolders {
  readonly root: string;
  /** What lies in ../shared/data. */
  readonly data: string;
  readonly state: string;
}

/** Spider's questions that are learned from. */
export const trainFile = ({ state }: DefenseFolders): string => join(state, 'train.json');
/** Those of databases that no arm learns from. */
export const heldOutFile = ({ state }: DefenseFolders): string => join(state, 'held-out.json');
export const tablesFile = ({ data }: DefenseFolders): string => join(data, 'spider', 'tables.json');

/** Questions against one or more worlds of names. */
export interface TestSet {
  /** The labeled file of each world. */
  readonly files: readonly string[];
  /** The database of each of its questions, which are the same in all worlds. */
  readonly databases: readonly string[];
}

/** Test sets by their names. */
export type TestSets = Readonly<Record<string, TestSet>>;

/** Questions with Spider's schemas. */
export function openSpider(folders: DefenseFolders, examples: string): Promise<Dataset> {
  return loadDataset({ dataset: 'spider', tables: tablesFile(folders), examples, databases: null, connection: null });
}

/** Divides Spider's train questions by database. */
export function divideTrain(folders: DefenseFolders): void {
  if (existsSync(heldOutFile(folders))) return;
  const text = readFileSync(join(folders.data, 'spider', 'train.json'), 'utf8');
  const all = z.array(z.looseObject({ db_id: z.string() })).parse(JSON.parse(text));
  const write = (file: string, heldOut: boolean): void =>
    writeFileSync(file, JSON.stringify(all.filter(({ db_id }) => isHeldOut(db_id) === heldOut)));
  write(trainFile(folders), false);
  write(heldOutFile(folders), true);
}

/** Writes labeled files that are not there yet. */
class SetWriter {
  readonly #folders: DefenseFolders;
  readonly #output: BenchOutput;

  constructor(folders: DefenseFolders, output: BenchOutput) {
    this.#folders = folders;
    this.#output = output;
  }

  async write(name: string, make: () => Promise<readonly LabeledQuestion[]>): Promise<string> {
    const file = join(this.#folders.state, 'tests', `${name}.json`);
    if (existsSync(file)) return file;
    const questions = await make();
    writeLabeled(file, questions);
    this.#output.tell(`${name}: ${questions.length} questions`);
    return file;
  }

  /** A set of questions as it is. */
  plain(name: string, examples: string): Promise<string> {
    return this.write(name, async () => {
      const dataset = await openSpider(this.#folders, examples);
      return labeledQuestions(dataset.examples(), dataset.databases);
    });
  }

  /** Its questions on perturbed tables. */
  perturbed(name: string, dataset: Dataset, perturber: QuestionPerturber, how: Perturbation): Promise<string> {
    return this.write(name, () => perturber.perturb(dataset.examples(), dataset.databases, how));
  }
}

const KINDS = ['RPL', 'ADD'] as const;

type SetFiles = Readonly<Record<string, readonly string[]>>;

function withDatabases(sets: SetFiles): TestSets {
  return Object.fromEntries(
    Object.entries(sets).map(([name, files]) => [name, { files, databases: labeledDatabases(itemAt(files, 0)) }]),
  );
}

async function perturbedSets(
  writer: SetWriter,
  dataset: Dataset,
  perturber: QuestionPerturber,
  worlds: readonly number[],
  prefix: string,
): Promise<SetFiles> {
  const sets: Record<string, string[]> = {};
  for (const kind of KINDS) {
    const name = `${prefix}${kind.toLowerCase()}`;
    sets[name] = [];
    for (const seed of worlds)
      sets[name].push(
        await writer.perturbed(`${name}-${seed}`, dataset, perturber, { kind, seed, columns: 'mentioned' }),
      );
    sets[`${name}-all`] = [
      await writer.perturbed(`${name}-all`, dataset, perturber, { kind, seed: 0, columns: 'all' }),
    ];
  }
  return sets;
}

/** Questions of held-out databases, as they are and with names of our own: what choices are made by. */
export async function heldOutSets(folders: DefenseFolders, output: BenchOutput): Promise<TestSets> {
  const writer = new SetWriter(folders, output);
  const dataset = await openSpider(folders, heldOutFile(folders));
  const asked = new Set([...dataset.examples()].map(({ dbId }) => dbId));
  const names = ownNames(
    folders.root,
    [...dataset.databases.values()].filter(({ id }) => asked.has(id)),
  );
  const original = await writer.plain('held-out', heldOutFile(folders));
  const perturbed = await perturbedSets(writer, dataset, new QuestionPerturber(names), [1], 'held-out-');
  // People's names share a word with the old one less often (0.34 of gold columns renamed) than ours do (0.70; these 0.38).
  const far = await writer.perturbed('held-out-rpl-far', dataset, new QuestionPerturber(farNames(names)), {
    kind: 'RPL',
    seed: 1,
    columns: 'mentioned',
  });
  return withDatabases({ 'held-out': [original], ...perturbed, 'held-out-rpl-far': [far] });
}

/** The sets that arms are compared on: Spider dev, with people's names, and its rewordings. */
export async function testSets(
  folders: DefenseFolders,
  worlds: readonly number[],
  output: BenchOutput,
): Promise<TestSets> {
  const writer = new SetWriter(folders, output);
  const { data } = folders;
  const dev = join(data, 'spider', 'dev.json');
  const dataset = await openSpider(folders, dev);
  const people = new QuestionPerturber(loadCandidatesFrom(`adveta:${join(data, 'adveta')}`, dataset.databases));
  return withDatabases({
    dev: [await writer.plain('dev', dev)],
    ...(await perturbedSets(writer, dataset, people, worlds, '')),
    syn: [await writer.plain('syn', join(data, 'spider-syn', 'dev.json'))],
    realistic: [await writer.plain('realistic', join(data, 'spider-realistic', 'spider-realistic.json'))],
  });
}
