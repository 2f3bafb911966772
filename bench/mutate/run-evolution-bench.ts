import { parseArgs } from 'node:util';
import type { MutateReport } from '../../src/metamorphic/mutate-report.js';
import { MT_TEQL_IDS, RELATION_IDS, RELATIONS } from '../../src/metamorphic/relations.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { type Measured, MutateCommand } from './mutate-command.js';

const KINDS = RELATION_IDS.filter((id) => !MT_TEQL_IDS.includes(id));
/** Those that ask no model and no dictionary: their rate is the code's own. */
const OFFLINE = KINDS.filter((id) => !['TRn', 'CSy', 'TAd'].includes(id));
/** Mutants per second of user CPU, whole processes: without databases, and what writing and executing them adds. */
const GOALS = { made: 5000, executed: 800 };
/** Shares of changes that golds may have no form for: of a column, and of splits and merges. */
const MOST_REFUSED = { column: 0.02, split: 0.1 };
/** Kinds that split and merge. */
const SPLITS: ReadonlySet<string> = new Set(['CSp', 'CMe', 'TSp', 'TPa', 'TMe']);

/** What is measured by itself. */
const PARTS = { made: 'mutants and golds', execution: 'databases and execution alone' } as const;

type Kind = MutateReport['relations'][string];
type Verdicts = Readonly<Record<string, number>>;

function refusedShare({ cases, unexpressible }: Kind): number {
  const none = Object.values(unexpressible).reduce((sum, count) => sum + count, 0);
  return none === 0 ? 0 : none / (cases + none);
}

const causesOf = ({ unexpressible }: Kind): string =>
  Object.entries(unexpressible)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');

function figureTable({ report }: Measured): FigureTable {
  const verdicts: Readonly<Record<string, Verdicts>> = report.databases?.verification.relations ?? {};
  const rows = Object.entries(report.relations).map(([id, kind]) => {
    const { equal = 0, tie = 0, ...others } = verdicts[id] ?? {};
    const wrong = Object.values(others).reduce((sum, count) => sum + count, 0);
    const { name, cases, applied } = kind;
    return [
      id,
      { id, name, cases, applied, refused: 100 * refusedShare(kind), causes: causesOf(kind), equal, tie, wrong },
    ];
  });
  return {
    id: 'evolution',
    title: 'Kinds of schema evolution on Spider dev',
    about:
      'At most two mutants for each kind and example, seed 0, names of the dictionary, all databases written and all golds executed. *No form*: changes tried on whose schema the gold has none, in percent of those and the mutants. ' +
      'Ties are of the order of rows that no ORDER BY decides. NCR and NTR have no gold to execute.',
    columns: {
      id: { head: 'kind' },
      name: { head: 'name' },
      cases: { head: 'mutants' },
      applied: { head: 'examples' },
      refused: { head: 'no form, %', decimals: 1 },
      causes: { head: 'causes' },
      equal: { head: 'equal' },
      tie: { head: 'ties' },
      wrong: { head: 'other' },
    },
    rows: Object.fromEntries(rows) as FigureTable['rows'],
  };
}

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

/** Prints figures by kind and rates; false where a gold gives other rows, too many have no form, or a rate is too low. */
export function runEvolutionBench(args: readonly string[], root: string, { print, record }: BenchOutput): boolean {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: 'string', default: '../shared/data' }, first: { type: 'string' } },
  });
  const command = new MutateCommand(root, values.data, values.first === undefined ? null : Number(values.first));
  try {
    const rows = ['--no-guard', '--databases', command.databases];
    const made = command.measure('--relations', OFFLINE.join(), ...rows);
    const few = command.measure('--relations', OFFLINE.join(), ...rows, '--limit', '2');
    const executed = command.measure('--relations', OFFLINE.join(), ...rows, '--limit', '2', '--materialize');
    const execution = { ...executed, seconds: executed.seconds - few.seconds };
    const all = command.measure('--relations', KINDS.join(), ...rows, '--limit', '2', '--materialize');
    const kinds = figureTable(all);
    const rates = rateTable({ made, execution });
    for (const table of [kinds, rates]) {
      for (const row of Object.values(table.rows)) print(Object.values(row).join('  '));
      record(table);
    }
    const isWrong = Object.values(kinds.rows).some(({ wrong }) => Number(wrong) > 0);
    const isRefused = Object.entries(all.report.relations).some(([id, kind]) => {
      const most = SPLITS.has(id) ? MOST_REFUSED.split : MOST_REFUSED.column;
      return (
        RELATIONS[id as keyof typeof RELATIONS].capability !== 'unanswerable questions' && refusedShare(kind) > most
      );
    });
    const isSlow = made.cases / made.seconds < GOALS.made || execution.cases / execution.seconds < GOALS.executed;
    return values.first !== undefined || !(isWrong || isRefused || isSlow);
  } finally {
    command.close();
  }
}
