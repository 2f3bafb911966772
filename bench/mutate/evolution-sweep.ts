import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mutate } from '../../src/variants/mutate/mutate.js';
import type { MutateReport } from '../../src/variants/mutate/mutate-report.js';
import { EVOLUTION_IDS, type RelationId, RELATIONS } from '../../src/variants/relations/relations.js';
import type { FigureTable } from '../bench-figures.js';
import { EVOLUTION_SETS, type EvolutionSetId, NAMINGS, writeEvolutionWorld } from './evolution-worlds.js';

/** Kinds that split and merge. */
const SPLITS: ReadonlySet<string> = new Set(['CSp', 'CMe', 'TSp', 'TPa', 'TMe']);
/** Shares of changes that golds may have no form for: of splits and merges, and of the others. */
const MOST_REFUSED = { split: 0.1, column: 0.02 };

/** The largest share of the changes tried that may have no form; 1 of kinds that take away what a gold needs. */
export function mostRefused(id: string): number {
  // A needed column stays where its name, quoted, would be read as a text: that is asked of adversarial names above all.
  if (RELATIONS[id as RelationId].capability === 'unanswerable questions') return 1;
  return SPLITS.has(id) ? MOST_REFUSED.split : MOST_REFUSED.column;
}

type Kind = Pick<MutateReport['relations'][string], 'cases' | 'unexpressible'>;

/** Share of the changes tried on whose schema a gold has no form. */
export function refusedShare({ cases, unexpressible }: Kind): number {
  const none = Object.values(unexpressible).reduce((sum, count) => sum + count, 0);
  return none === 0 ? 0 : none / (cases + none);
}

/** What became of golds, summed over runs. */
interface Sums {
  cases: number;
  applied: number;
  equal: number;
  tie: number;
  /** Golds that do not run on their own database. */
  bad: number;
  wrong: number;
  readonly unexpressible: Record<string, number>;
}

const noSums = (): Sums => ({ cases: 0, applied: 0, equal: 0, tie: 0, bad: 0, wrong: 0, unexpressible: {} });

function addRun(sums: Sums, id: string, { relations, databases }: MutateReport): void {
  const kind = relations[id];
  if (kind === undefined) return;
  sums.cases += kind.cases;
  sums.applied += kind.applied;
  for (const [reason, count] of Object.entries(kind.unexpressible)) {
    sums.unexpressible[reason] = (sums.unexpressible[reason] ?? 0) + count;
  }
  const verdicts: Readonly<Record<string, number>> = databases?.verification.relations[id] ?? {};
  for (const [verdict, count] of Object.entries(verdicts)) {
    const own = verdict === 'equal' || verdict === 'tie' ? verdict : verdict === 'bad-gold' ? 'bad' : 'wrong';
    sums[own] += count;
  }
}

/** One run of all kinds: a data set, names, a seed. */
interface SweepRun {
  readonly set: EvolutionSetId;
  readonly naming: (typeof NAMINGS)[number];
  readonly seed: number;
  readonly report: MutateReport;
}

export interface SweepRequest {
  readonly data: string;
  /** Where runs are kept; a finished one is not done again. */
  readonly runs: string;
  readonly sets: readonly EvolutionSetId[];
  readonly seeds: number;
  /** Whether only runs that are finished count, and none is done. */
  readonly finished: boolean;
  readonly tell: (line: string) => void;
}

/** Applies all kinds with several seeds and executes every gold; one mutant for each kind and example. */
export async function sweepEvolution({
  data,
  runs,
  sets,
  seeds,
  finished,
  tell,
}: SweepRequest): Promise<readonly SweepRun[]> {
  const swept: SweepRun[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    for (const set of sets) {
      for (const naming of NAMINGS) {
        const out = join(runs, `${set}-${naming}-${seed}`);
        if (finished && !existsSync(join(out, 'report.json'))) continue;
        const input = `${out}-input`;
        mkdirSync(input, { recursive: true });
        const world = writeEvolutionWorld(input, { data, set, naming, seed });
        const options = { out, cacheFolder: join(runs, 'cache'), guard: false, limit: 1, seed } as const;
        const { report } = await mutate({ ...world, ...options, relations: EVOLUTION_IDS, materialize: 'copy' });
        swept.push({ set, naming, seed, report });
        for (const item of report.databases?.verification.items ?? []) {
          if (item.verdict !== 'tie') tell(`${set} ${naming} ${seed} ${item.id}: ${item.verdict} ${item.detail ?? ''}`);
        }
        tell(`${set}, ${naming} names, seed ${seed}: ${report.total.cases} mutants`);
        for (const folder of [input, join(out, 'database')])
          if (existsSync(folder)) rmSync(folder, { recursive: true });
      }
    }
  }
  return swept;
}

const causesOf = ({ unexpressible }: Kind): string =>
  Object.entries(unexpressible)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');

/** By kind, over all data sets and seeds. */
export function kindTable(swept: readonly SweepRun[]): FigureTable {
  const rows = EVOLUTION_IDS.map((id) => {
    const [all, ...named] = [NAMINGS, ...NAMINGS.map((naming) => [naming])].map((namings) => {
      const sums = noSums();
      for (const { naming, report } of swept) if (namings.includes(naming)) addRun(sums, id, report);
      return sums;
    }) as [Sums, ...Sums[]];
    const [ordinary, adversarial] = named.map((sums) => 100 * refusedShare(sums));
    const { cases, equal, tie, wrong } = all;
    const shares = { ordinary: ordinary ?? null, adversarial: adversarial ?? null };
    return [id, { id, name: RELATIONS[id].name, cases, ...shares, causes: causesOf(all), equal, tie, wrong }] as const;
  });
  return {
    id: 'evolution',
    title: 'Kinds of schema evolution',
    about:
      'One mutant for each kind and example with each seed, of Spider dev and train and BIRD dev (how many seeds: the next table), under ordinary and adversarial names of columns; all databases written and all gold queries executed, values mapped back before rows are compared. ' +
      '*No form*: changes tried on whose schema the gold query has none, in percent of those and the mutants. Ties are of the order of rows that no ORDER BY decides. NCR and NTR have no gold to execute: what they refuse are columns without which the gold would still be read.',
    columns: {
      id: { head: 'kind' },
      name: { head: 'name' },
      cases: { head: 'mutants' },
      ordinary: { head: 'no form, %', decimals: 2 },
      adversarial: { head: 'no form, adversarial names, %', decimals: 2 },
      causes: { head: 'causes' },
      equal: { head: 'equal' },
      tie: { head: 'ties' },
      wrong: { head: 'other' },
    },
    rows: Object.fromEntries(rows),
  };
}

/** By data set and names, over all kinds and seeds. */
export function setTable(swept: readonly SweepRun[]): FigureTable {
  const rows: Record<string, FigureTable['rows'][string]> = {};
  for (const [set, { title }] of Object.entries(EVOLUTION_SETS)) {
    for (const naming of NAMINGS) {
      const own = swept.filter((run) => run.set === set && run.naming === naming);
      const sums = noSums();
      for (const { report } of own) for (const id of EVOLUTION_IDS) addRun(sums, id, report);
      const { cases, equal, tie, bad, wrong } = sums;
      const examples = own[0]?.report.examples ?? null;
      rows[`${set}-${naming}`] = {
        set: title,
        naming,
        seeds: own.length,
        examples,
        cases,
        equal,
        tie,
        bad,
        wrong,
      };
    }
  }
  return {
    id: 'evolution-sets',
    title: 'Schema evolution by data set',
    about:
      'The same runs by data set. Databases that are not at hand (17 of train’s 140, all of BIRD’s) are made from schema and gold queries; *own gold fails*: gold queries that do not run on their own database. These are three of train, which name a table that is not there or have a LIMIT before INTERSECT: FKR alone, which reads no gold, is applied to them, and under adversarial names they are left out, as no name in them can be resolved.',
    columns: {
      set: { head: 'set' },
      naming: { head: 'names of columns' },
      seeds: { head: 'seeds' },
      examples: { head: 'examples' },
      cases: { head: 'mutants' },
      equal: { head: 'equal' },
      tie: { head: 'ties' },
      bad: { head: 'own gold fails' },
      wrong: { head: 'other' },
    },
    rows,
  };
}

/** Whether every gold gave its rows, and few had no form. */
export function holdsEvolution({ rows }: FigureTable): boolean {
  return Object.values(rows).every(({ id, wrong, ordinary, adversarial }) => {
    return wrong === 0 && Math.max(Number(ordinary), Number(adversarial)) <= 100 * mostRefused(String(id));
  });
}
