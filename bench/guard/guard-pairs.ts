import { join } from 'node:path';
import { PATH_DEFAULTS } from '../../src/formats/dataset.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import { loadJsonArray } from '../../src/formats/json-file.js';
import type { WordingPair } from '../../src/variants/mutate/guard/semantic-guard.js';
import { type MutationCase, type Relation, seedCase } from '../../src/variants/relations/relation.js';
import { RELATIONS, type RelationId } from '../../src/variants/relations/relations.js';
import type { StageResources } from '../../src/recipes/stage-resources.js';
import { groupBy } from '../../src/run/group-by.js';
import { createRng, shuffled } from '../../src/seeded-rng.js';
import type { StageContext } from '../../src/stage.js';
import { WRONG_KINDS } from './wrong-wordings.js';

const SEED = 1;
/** Questions of each database: as many of one as of another. */
const PER_DATABASE = 5;
/** Mutants of each question by each relation. */
const LIMIT = 3;

/** Relations that keep what is asked, and those that change it with its gold (Dr.Spider). */
const KEEPING = ['PI', 'PR', 'PS', 'SS'] as const satisfies readonly RelationId[];
const CHANGING = ['QCm', 'QSo', 'QNn', 'QDn', 'QDt'] as const satisfies readonly RelationId[];

/** Thresholds and rules are chosen on the databases of one part and reported on those of the other. */
type Part = 'tuning' | 'held-out';

/** What is right and must be kept, wrong and must be dropped, or by other people, which nothing is demanded of. */
type Verdict = 'right' | 'wrong' | 'people';

/** Two wordings, and what the guard should make of the second. */
export interface LabeledWording extends WordingPair {
  readonly part: Part;
  readonly kind: string;
  readonly verdict: Verdict;
}

interface SynonymRecord {
  readonly SpiderQuestion: string;
  readonly SpiderSynQuestion: string;
}

/** Questions of one database, and all that it is asked. */
interface DatabaseQuestions {
  readonly part: Part;
  readonly sample: readonly MutationCase[];
  readonly all: readonly MutationCase[];
}

function* wrongOf({ sample, all }: DatabaseQuestions): Generator<readonly [string, Verdict, MutationCase, string]> {
  for (const one of sample) {
    const { id, query } = one.example;
    const others = all.filter((other) => other.example.query !== query).map(({ example }) => example.question);
    for (const [kind, make] of Object.entries(WRONG_KINDS)) {
      const after = make({ ...one, others }, createRng(SEED, `${id}~${kind}`));
      if (after !== null && after !== one.example.question) yield [kind, 'wrong', one, after];
    }
  }
}

function* ofPeople(
  { sample, all }: DatabaseQuestions,
  synonyms: ReadonlyMap<string, string>,
): Generator<readonly [string, Verdict, MutationCase, string]> {
  for (const one of sample) {
    const { question, query } = one.example;
    yield ['identity', 'right', one, question];
    const own = synonyms.get(question);
    if (own !== undefined && own !== question) yield ['synonyms', 'people', one, own];
    const same = all.find(({ example }) => example.query === query && example.question !== question);
    if (same !== undefined) yield ['reworded', 'people', one, same.example.question];
  }
}

async function* ofRelations(
  cases: readonly MutationCase[],
  relations: readonly Relation[],
  context: StageContext,
): AsyncGenerator<readonly [string, Verdict, MutationCase, string]> {
  for (const relation of relations) {
    const results = await relation.mutate(cases, LIMIT, context);
    for (const [i, result] of results.entries()) {
      if ('reason' in result) continue;
      for (const { question, expectation } of result) {
        yield [relation.id, expectation === 'other-query' ? 'wrong' : 'right', cases[i]!, question];
      }
    }
  }
}

/**
 * Pairs of wordings from Spider's train questions: each with itself, with its mutants, with wrong ones by rules and by
 * Dr.Spider's changes, and with what people wrote (Spider-Syn's synonyms, other questions of the same gold).
 */
export async function labeledWordings(
  data: string,
  stages: StageResources,
  context: StageContext,
): Promise<readonly LabeledWording[]> {
  const file = (...path: readonly string[]): string => join(data, ...path);
  const paths = { tables: file('spider', 'tables.json'), databases: file('spider', 'database') };
  const dataset = await loadDataset({ ...PATH_DEFAULTS, ...paths, examples: file('spider', 'train.json') });
  const written = loadJsonArray(file('spider-syn', 'train_spider.json'), 'questions');
  const synonyms = new Map(
    (written as readonly SynonymRecord[]).map((one) => [one.SpiderQuestion, one.SpiderSynQuestion] as const),
  );
  const relations: Relation[] = [];
  for (const id of [...KEEPING, ...CHANGING]) {
    relations.push(await RELATIONS[id].create({ stages, dataset, graph: null, question: 'same' }));
  }
  const cases = [...dataset.examples()].map((example) => seedCase(example, dataset.databases.get(example.dbId)!));
  const byDatabase = groupBy(cases, ({ database }) => database.id);
  const order = shuffled([...byDatabase.keys()].sort(), createRng(SEED, 'databases'));
  const labeled: LabeledWording[] = [];
  for (const [i, id] of order.entries()) {
    const all = byDatabase.get(id)!;
    const sample = shuffled(all, createRng(SEED, id)).slice(0, PER_DATABASE);
    const questions: DatabaseQuestions = { part: i % 2 === 0 ? 'tuning' : 'held-out', sample, all };
    const found = [...ofPeople(questions, synonyms), ...wrongOf(questions)];
    for await (const one of ofRelations(sample, relations, context)) found.push(one);
    for (const [kind, verdict, { example }, after] of found) {
      labeled.push({ part: questions.part, kind, verdict, before: example.question, after });
    }
  }
  for (const relation of relations) await relation.dispose?.();
  return labeled;
}
