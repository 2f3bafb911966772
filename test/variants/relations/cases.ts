import { fileURLToPath } from 'node:url';
import { loadSpiderDataset } from '../../../src/formats/spider-dataset.js';
import type { Dataset } from '../../../src/formats/dataset.js';
import {
  type Mutation,
  type MutationCase,
  type NotApplicable,
  type Relation,
  seedCase,
} from '../../../src/variants/relations/relation.js';
import { createStageContext, NOOP_HOST } from '../../../src/run/run-host.js';
import type { StageContext } from '../../../src/stage.js';

const inExamples = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/** The data set that ships with the package: three databases with rows, 30 questions. */
export const EXAMPLES: Dataset = loadSpiderDataset({
  dataset: 'spider',
  tables: inExamples('tables.json'),
  examples: inExamples('dev.json'),
  databases: inExamples('database'),
  connection: null,
});

/** Its cases, in order. */
export function exampleCases(): MutationCase[] {
  return [...EXAMPLES.examples()].map((example) => seedCase(example, EXAMPLES.databases.get(example.dbId)!));
}

/** A case of one's own on one of its databases. */
export function caseOf(
  question: string,
  query = 'SELECT count(*) FROM gardener',
  dbId = 'community_garden',
  id = 'own:0',
): MutationCase {
  return seedCase({ id, dbId, question, query }, EXAMPLES.databases.get(dbId)!);
}

/** What relations are called with. */
export function relationContext(seed = 0): StageContext {
  return createStageContext(seed, NOOP_HOST);
}

/** What a relation makes of one case. */
export async function mutateOne(
  relation: Relation,
  one: MutationCase,
  limit = 10,
  seed = 0,
): Promise<readonly Mutation[] | NotApplicable> {
  const [result] = await relation.mutate([one], limit, relationContext(seed));
  return result!;
}
