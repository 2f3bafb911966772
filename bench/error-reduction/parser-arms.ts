import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { consistency } from '../../src/measure/consistency/consistency.js';
import { ExactMatch } from '../../src/evaluate/exact/exact-match.js';
import type { Hardness } from '../../src/evaluate/exact/hardness.js';
import { countedRelation } from '../../src/variants/relations/counted-relation.js';
import { type ErrorRates, sampleMutants, type SamplingPlan } from '../../src/variants/mutate/sampling/sampling.js';
import { mustGet } from '../../src/present.js';
import { groupBy } from '../../src/run/group-by.js';
import { SQLITE } from '../../src/sql/dialect.js';
import { BaselineVictim } from '../../src/victims/baseline/create-baseline.js';
import type { BaselineExample } from '../../src/victims/baseline/known-example.js';
import type { Part } from './mutant-parts.js';

/** What the parser learns from in addition to questions: nothing, or mutants by a sampling of MT-TEQL §4. */
export const ARMS = ['original', 'random', 'stratified', 'adaptive'] as const;
export type Arm = (typeof ARMS)[number];

/** A mutant whose two predictions could be compared. */
export interface JudgedMutant {
  readonly relation: string;
  readonly database: string;
  readonly isConsistent: boolean;
}

/** A question of a part, answered as it is. */
export interface JudgedSeed {
  readonly hardness: Hardness | null;
  readonly isRight: boolean;
}

/** What a parser answered that learned from the other parts. */
export interface PartOutcome {
  readonly mutants: readonly JudgedMutant[];
  readonly seeds: readonly JudgedSeed[];
}

const casesSchema = z.object({
  seed: z.string(),
  relation: z.string(),
  verdict: z.enum(['consistent', 'inconsistent']).nullable(),
  exact: z.tuple([z.string().nullable(), z.string().nullable()]),
});

/** The paper's budget: as many mutants as there are questions. */
function examplesFor(arm: Arm, others: readonly Part[], rates: ErrorRates): readonly BaselineExample[] {
  const originals = others.flatMap((part) => part.originals);
  if (arm === 'original') return originals;
  const mutants = others.flatMap((part) =>
    part.mutants.map((mutant) => ({ ...mutant, id: `${part.name}/${mutant.id}` })),
  );
  const partOf = new Map(others.map((part) => [part.name, part]));
  const plan: SamplingPlan = {
    budget: originals.length,
    seed: 0,
    ...(arm === 'adaptive' ? { strategy: arm, rates } : { strategy: arm }),
  };
  const learned = sampleMutants(mutants, plan).flatMap((mutant) => {
    const part = mustGet(partOf.get(mutant.id.split('/')[0] ?? ''), 'partOf.get()');
    return part.learnedOf(mutant) ?? [];
  });
  return [...originals, ...learned];
}

function readOutcome(folder: string, { originals, mutants }: Part): PartOutcome {
  const lines = readFileSync(join(folder, 'cases.jsonl'), 'utf8').trim().split('\n');
  const cases = lines.map((line) => casesSchema.parse(JSON.parse(line)));
  const exact = new ExactMatch();
  const known = new Map(originals.map((one) => [one.id.slice(one.id.indexOf('/') + 1), one]));
  const origins = new Map(mutants.map(({ seed, origin }) => [seed, origin]));
  const seeds = [...groupBy(cases, ({ seed }) => seed)].map(([id, [first]]): JudgedSeed => {
    const { question, query, database } = mustGet(known.get(id), `example ${id}`);
    const pair = { id, group: id, database, gold: query, predicted: question };
    return { hardness: exact.hardnessOf(pair), isRight: first?.exact[0] === 'correct' };
  });
  const judged = cases.filter(({ verdict }) => verdict !== null);
  return {
    seeds,
    mutants: judged.map(({ seed, relation, verdict }) => ({
      relation: countedRelation({ relations: relation.split('+') }),
      database: mustGet(origins.get(seed), `origin of ${seed}`),
      isConsistent: verdict === 'consistent',
    })),
  };
}

/** Error rates by relation of what was judged. */
export function errorRates(mutants: readonly JudgedMutant[]): ErrorRates {
  const groups = groupBy(mutants, ({ relation }) => relation);
  return new Map(
    [...groups].map(([relation, own]) => [relation, own.filter((one) => !one.isConsistent).length / own.length]),
  );
}

/**
 * Asks a parser that learned from the other parts. Adaptive sampling goes by `rates`: those of parsers without mutants on
 * the other parts, each of which did not learn from the part that it was asked.
 */
export async function askPart(
  arm: Arm,
  part: Part,
  others: readonly Part[],
  rates: ErrorRates,
  state: string,
): Promise<PartOutcome> {
  const out = join(state, `${arm}-${part.name}`);
  if (!existsSync(join(out, 'report.json'))) {
    const examples = examplesFor(arm, others, rates);
    const victim = new BaselineVictim({ examples, dialect: SQLITE, leftOut: () => [] });
    await consistency({
      ...part.paths,
      mutants: part.run,
      victim: { kind: 'own', victim },
      out,
      shrinkQuestions: 0,
    });
  }
  return readOutcome(out, part);
}
