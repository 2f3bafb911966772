import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, InputFormatError } from '../../src/errors.js';
import type { BenchOutput } from '../run-bench.js';
import { compareClassical } from './classical-table.js';
import { compareOutside } from './outside-judge.js';
import { comparePaperTables } from './paper-tables.js';
import { compareSpider } from './spider-rates.js';

const DATA = '../shared/data';

function predictionFiles(folder: string): readonly string[] {
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /\.(?:sql|txt|jsonl)$/u.test(name));
  if (names.length > 0) return names.sort().map((name) => join(folder, name));
  throw new InputFormatError('there are no predictions', {
    where: { file: folder },
    fix: 'Name a folder of .sql, .txt or .jsonl files, one per model, with --predictions.',
  });
}

function requiredSuite(suite: string | undefined): string {
  if (suite !== undefined) return suite;
  const fix = 'Give the folder of a suite of the gold queries with --suite; `perturbql suite build` makes one.';
  throw new ConfigError('option --suite is missing', { fix });
}

/**
 * Prints how fast neighbors and random databases of Spider's development set are made, and how many neighbors are left,
 * next to the published programs; false where a goal is missed. `--classical`: what suites of the classical data sets
 * leave, next to the paper (`--runs` keeps what is done). `--paper-tables`: the paper's Tables 1 to 3 against the suites
 * of `--suite` and `--compare-suite`. `--outside`: how far an outside program agrees.
 * @throws ConfigError where a suite is needed and none is named; InputFormatError where a file is absent
 */
export async function runSuiteBench(args: readonly string[], root: string, output: BenchOutput): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      classical: { type: 'boolean', default: false },
      'paper-tables': { type: 'boolean', default: false },
      outside: { type: 'boolean', default: false },
      predictions: { type: 'string', default: `${DATA}/test-suite/predictions` },
      suite: { type: 'string' },
      'compare-suite': { type: 'string' },
      tables: { type: 'string', default: `${DATA}/spider/tables.json` },
      gold: { type: 'string' },
      databases: { type: 'string', default: `${DATA}/spider/database` },
      runs: { type: 'string' },
    },
  });
  const [tables, databases] = [resolve(root, values.tables), resolve(root, values.databases)];
  if (values.classical) {
    const queries = resolve(root, values.gold ?? `${DATA}/test-suite/classical_test_gold.txt`);
    await compareClassical({ tables, queries, databases, runs: values.runs ?? null }, output);
    return true;
  }
  const gold = resolve(root, values.gold ?? `${DATA}/spider/dev_gold.sql`);
  if (values.outside || values['paper-tables']) {
    const predictions = predictionFiles(resolve(root, values.predictions));
    const suite = requiredSuite(values.suite);
    if (values.outside) return compareOutside(root, { tables, gold, predictions, suite }, output);
    const compareSuite = values['compare-suite'];
    await comparePaperTables(root, { tables, gold, databases, predictions, suite, compareSuite }, output);
    return true;
  }
  return compareSpider({ tables, gold, databases }, output);
}
