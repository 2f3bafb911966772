import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { goldColumns, type LabeledQuestion } from '../../src/formats/exports/linker-export.js';
import { countedRelation } from '../../src/variants/relations/counted-relation.js';
import { MutantSet } from '../../src/variants/mutate/mutant-set.js';
import { mutate } from '../../src/variants/mutate/mutate.js';
import { MT_TEQL_IDS } from '../../src/variants/relations/relations.js';
import { itemAt, mustGet } from '../../src/present.js';
import type { BenchOutput } from '../run-bench.js';
import type { JudgedMutant } from '../error-reduction/parser-arms.js';
import { labeledDatabases, writeLabeled } from './labeled-file.js';
import { type Counts, type RunOutcomes, setName } from './run-outcomes.js';
import { type DefenseFolders, heldOutFile, openSpider, tablesFile } from './test-sets.js';

const keysSchema = z.array(z.object({ relation: z.string(), seed: z.int() }));

/** The mutants of held-out questions, a labeled file, and what each is a mutant of. */
export interface HeldOutMutants {
  readonly file: string;
  /** The labeled file of the questions that they are made of. */
  readonly seeds: string;
  /** The relation of each mutant, and the place of its question among the seeds. */
  readonly keys: z.infer<typeof keysSchema>;
}

interface Mutant extends LabeledQuestion {
  readonly relation: string;
  readonly seed: number;
}

/** Those whose gold can be read. */
async function labeledMutants(folders: DefenseFolders, run: MutantSet): Promise<readonly Mutant[]> {
  const dataset = await openSpider(folders, heldOutFile(folders));
  const readable = [...dataset.examples()].filter(
    ({ query, dbId }) => goldColumns(query, mustGet(dataset.databases.get(dbId), dbId)) !== null,
  );
  const places = new Map(readable.map(({ id }, place) => [id, place]));
  return run.records.flatMap((mutant) => {
    const { question, query, seed, db_id: dbId, origin } = mutant;
    const [place, database] = [places.get(seed), mustGet(run.schemas.get(dbId), dbId)];
    const gold = query === null ? null : goldColumns(query, database);
    if (gold === null || place === undefined) return [];
    return [{ question, database, gold, origin, relation: countedRelation(mutant), seed: place }];
  });
}

/**
 * Makes mutants of the held-out questions by MT-TEQL's relations, one a relation, with the names that a run decided; what
 * is there is not made again.
 */
export async function heldOutMutants(
  folders: DefenseFolders,
  candidates: string,
  output: BenchOutput,
): Promise<HeldOutMutants> {
  const tests = join(folders.state, 'tests');
  const [file, keysFile, seeds] = ['held-out-mutants.json', 'held-out-mutants.keys', 'held-out.json'].map((name) =>
    join(tests, name),
  ) as [string, string, string];
  if (!existsSync(file)) {
    const out = join(folders.state, 'mutants-held-out');
    const inputs = { dataset: 'spider', tables: tablesFile(folders), examples: heldOutFile(folders) } as const;
    await mutate({ ...inputs, relations: MT_TEQL_IDS, limit: 1, candidates, out });
    const mutants = await labeledMutants(folders, new MutantSet(out));
    writeFileSync(keysFile, JSON.stringify(mutants.map(({ relation, seed }) => ({ relation, seed }))));
    writeLabeled(file, mutants);
    output.tell(`held-out-mutants: ${mutants.length} questions`);
  }
  return { file, seeds, keys: keysSchema.parse(JSON.parse(readFileSync(keysFile, 'utf8'))) };
}

const isRight = ([, wrong, missed]: Counts): boolean => wrong + missed === 0;

/** The mutants of questions that a run links without a fault; consistent are those that it links so, too. */
export function judgedMutants(
  { outcomes }: RunOutcomes,
  { file, seeds, keys }: HeldOutMutants,
): readonly JudgedMutant[] {
  const countsOf = (one: string): readonly Counts[] => mustGet(outcomes[setName(one)], `outcomes of ${one}`);
  const [ofMutants, ofSeeds] = [countsOf(file), countsOf(seeds)];
  const databases = labeledDatabases(seeds);
  return keys.flatMap(({ relation, seed }, i) =>
    isRight(itemAt(ofSeeds, seed))
      ? [{ relation, database: itemAt(databases, seed), isConsistent: isRight(itemAt(ofMutants, i)) }]
      : [],
  );
}
