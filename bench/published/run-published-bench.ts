import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { KindCounts } from './perturbed/pair-verdict.js';
import { NOOP_HOST } from '../../src/run/run-host.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';
import { auditPublished } from './audit-published.js';

const PERCENT = { decimals: 1 } as const;

/** What the data set's own count of a kind's examples says, less those that need what was removed. */
function answerable({ examples, gone }: KindCounts): number {
  return examples - gone;
}

const share = (count: number, of: number): number | null => (of === 0 ? null : (100 * count) / of);

function figureTable(kinds: readonly KindCounts[]): FigureTable {
  const rows = kinds.map((one) => {
    const { kind, examples, binds, equal, compared, gone, derived, repairedBinds, repairedRuns, repairedEqual } = one;
    const left = answerable(one);
    return [
      kind.replaceAll(' ', '-'),
      {
        kind,
        examples,
        binds,
        bindShare: share(binds, examples),
        equal,
        compared,
        gone,
        derived,
        repairedBinds,
        repairedShare: share(repairedBinds, left),
        repairedRuns,
        repairedEqual,
        repairedCompared: one.repairedCompared,
        faults: Object.entries(one.faults)
          .map(([rule, count]) => `${rule} ${count}`)
          .join(', '),
      },
    ] as const;
  });
  return {
    id: 'published',
    title: 'Published gold queries under schema changes',
    about:
      'Half of EvoSchema’s release, unchanged: gold queries that bind to the schema of their record, and give the rows of the original ' +
      'on a synthetic database whose rows are brought along; then the gold queries derived again. "Needs what is gone": of the kinds that remove things. ' +
      'The share repaired is of the others.',
    columns: {
      kind: { head: 'kind' },
      examples: { head: 'examples' },
      binds: { head: 'bind' },
      bindShare: { head: 'bind, %', ...PERCENT },
      equal: { head: 'equal' },
      compared: { head: 'compared' },
      gone: { head: 'need what is gone' },
      derived: { head: 'derived again' },
      repairedBinds: { head: 'repaired: bind' },
      repairedShare: { head: 'repaired: bind, %', ...PERCENT },
      repairedRuns: { head: 'repaired: run' },
      repairedEqual: { head: 'repaired: equal' },
      repairedCompared: { head: 'repaired: compared' },
      faults: { head: 'why gold queries do not bind' },
    },
    rows: Object.fromEntries(rows),
  };
}

/**
 * Audits EvoSchema's files and prints, kind by kind, how many gold queries bind, and how many once they are repaired.
 * @throws InputFormatError where the files are absent
 */
export async function runPublishedBench(
  args: readonly string[],
  cwd: string,
  { print, tell, record }: BenchOutput,
): Promise<void> {
  const options = { data: { type: 'string', default: '../shared/data/evoschema' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const progress = (what: string, done: number, all: number): void => {
    if (done % 500 === 0) tell(`${what}: ${done} of ${all}`);
  };
  const set = { dataset: 'evoschema', examples: resolve(cwd, values.data) } as const;
  const { kinds } = await auditPublished(set, { ...NOOP_HOST, progress });
  for (const one of kinds) {
    print(
      `${one.kind}: ${one.binds} of ${one.examples} bind (${(share(one.binds, one.examples) ?? 0).toFixed(1)} %), ` +
        `${one.equal} of ${one.compared} equal; repaired ${one.repairedBinds} bind, ${one.repairedRuns} run, ` +
        `${one.repairedEqual} of ${one.repairedCompared} equal; ${one.gone} need what is gone`,
    );
  }
  record(figureTable(kinds));
}
