import type { Database, Example } from '../../schema/schema.js';
import type { Mutation, MutationCase } from './relation.js';

/** A data set's case, before any relation. @throws RangeError for an example of another database */
export function seedCase(example: Example, database: Database): MutationCase {
  if (example.dbId !== database.id) throw new RangeError(`${example.id} asks ${example.dbId}, not ${database.id}`);
  const query = example.query === '' ? null : example.query;
  return { example: { ...example, query }, database, mutated: null };
}

/** Returns the case that a mutation makes, under an id of its own: the start of a composition's next relation. */
export function mutantCase(seed: MutationCase, { question, query, mutated }: Mutation, id: string): MutationCase {
  const next = mutated ?? seed.mutated;
  const database = next?.schema ?? seed.database;
  return { example: { id, dbId: database.id, question, query }, database, mutated: next };
}
