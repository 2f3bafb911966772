import { parseArgs } from 'node:util';
import { EVOLUTION_IDS } from '../../src/variants/relations/relations.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { holdsEvolution, kindTable, setTable, sweepEvolution } from './evolution-sweep.js';
import { EVOLUTION_SETS, type EvolutionSetId } from './evolution-worlds.js';
import { type Measured, MutateCommand } from './mutate-command.js';

/** Those that ask no model and no dictionary: their rate is the code's own. */
const OFFLINE = EVOLUTION_IDS.filter((id) => !['TRn', 'CSy', 'TAd'].includes(id));
/** Seeds that golds are counted with. */
const SEEDS = 5;
/** Mutants per second of user CPU, whole processes: without databases, and what writing and executing them adds. */
const GOALS = { made: 5000, executed: 800 };
/** What is measured by itself. */
const PARTS = { made: 'mutants and gold queries', execution: 'databases and execution alone' } as const;

function rateTable(parts: Readonly<Record<keyof typeof PARTS, Measured>>): FigureTable {
  return {
    id: 'evolution-rates',
    title: 'Making mutants of schema evolution',
    about:
      '`perturbql mutate` on Spider dev with the kinds that ask no model and no dictionary, user CPU of whole processes.',
    columns: {
      part: { head: 'part' },
      cases: { head: 'mutants' },
      seconds: { head: 'user CPU s', decimals: 1 },
      rate: { head: 'mutants/s', decimals: 0 },
    },
    rows: Object.fromEntries(
      Object.entries(PARTS).map(([id, part]) => {
        const { cases, seconds } = parts[id as keyof typeof PARTS];
        return [id, { part, cases, seconds, rate: cases / seconds }];
      }),
    ),
  };
}

/** Rates of making mutants and of executing their golds; false where one is too low. */
function measureRates(command: MutateCommand, { print, record }: BenchOutput): boolean {
  const rows = ['--no-guard', '--databases', command.databases];
  const made = command.measure('--relations', OFFLINE.join(), ...rows);
  const few = command.measure('--relations', OFFLINE.join(), ...rows, '--limit', '2');
  const executed = command.measure('--relations', OFFLINE.join(), ...rows, '--limit', '2', '--materialize');
  const execution = { ...executed, seconds: executed.seconds - few.seconds };
  const rates = rateTable({ made, execution });
  for (const row of Object.values(rates.rows)) print(Object.values(row).join('  '));
  record(rates);
  return made.cases / made.seconds >= GOALS.made && execution.cases / execution.seconds >= GOALS.executed;
}

const isSet = (id: string): id is EvolutionSetId => id in EVOLUTION_SETS;

/**
 * Prints rates, or with `--runs DIR` what became of golds by kind and data set, and keeps the runs there: the same call
 * goes on where it was, and `--finished` counts what there is. False where a rate is too low, a gold gives other rows, or too many have no form.
 */
export async function runEvolutionBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string', default: '../shared/data' },
      first: { type: 'string' },
      runs: { type: 'string' },
      finished: { type: 'boolean', default: false },
      sets: { type: 'string', default: Object.keys(EVOLUTION_SETS).join() },
    },
  });
  const { data, runs, first, finished } = values;
  if (runs !== undefined) {
    const sets = values.sets.split(',').filter(isSet);
    const swept = await sweepEvolution({ data, runs, sets, seeds: SEEDS, finished, tell: output.tell });
    const tables = [kindTable(swept), setTable(swept)] as const;
    for (const table of tables) {
      for (const row of Object.values(table.rows)) output.print(Object.values(row).join('  '));
      output.record(table);
    }
    return holdsEvolution(tables[0]);
  }
  const command = new MutateCommand(root, data, first === undefined ? null : Number(first));
  try {
    return measureRates(command, output) || first !== undefined;
  } finally {
    command.close();
  }
}
