import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchOutput } from '../run-bench.js';
import { compareClassical } from './classical-table.js';
import { comparePaperTables } from './paper-tables.js';
import { compareSpider } from './spider-rates.js';

const DATA = '../shared/data';

/**
 * Prints how fast neighbors and random databases of Spider's development set are made, and how many neighbors are left,
 * next to the published programs; false where a goal is missed. With `--classical`, what suites of the classical data
 * sets leave, next to the paper. With `--paper-tables`, Tables 1 to 3 of the paper over models' predictions, against
 * the suites named with `--suite` and `--compare-suite`.
 * @throws InputFormatError where a file is absent
 */
export async function runSuiteBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      classical: { type: 'boolean', default: false },
      'paper-tables': { type: 'boolean', default: false },
      predictions: { type: 'string', default: `${DATA}/test-suite/predictions` },
      suite: { type: 'string' },
      'compare-suite': { type: 'string' },
      tables: { type: 'string', default: `${DATA}/spider/tables.json` },
      gold: { type: 'string' },
      databases: { type: 'string', default: `${DATA}/spider/database` },
    },
  });
  const [tables, databases] = [resolve(root, values.tables), resolve(root, values.databases)];
  if (values.classical) {
    const queries = resolve(root, values.gold ?? `${DATA}/test-suite/classical_test_gold.txt`);
    await compareClassical({ tables, queries, databases }, output);
    return true;
  }
  const gold = resolve(root, values.gold ?? `${DATA}/spider/dev_gold.sql`);
  if (values['paper-tables']) {
    const predictions = resolve(root, values.predictions);
    const { suite, 'compare-suite': compareSuite } = values;
    await comparePaperTables(root, { tables, gold, databases, predictions, suite, compareSuite }, output);
    return true;
  }
  return compareSpider({ tables, gold, databases }, output);
}
