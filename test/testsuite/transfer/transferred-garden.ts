import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { prepareAttack } from '../../../src/measure/attack/prepare-attack.js';
import { evaluate } from '../../../src/evaluate/evaluate.js';
import type { EvaluationReport } from '../../../src/evaluate/evaluation-report.js';
import { renderCandidate } from '../../../src/formats/artifacts/candidates.js';
import { buildSuite } from '../../../src/testsuite/suite/build-suite.js';
import { acceptedDecision, EXAMPLE_DATA, readRecords } from '../../e2e/example-data.js';
import { runCli } from '../../e2e/run-cli.js';

const DB = 'community_garden';

/** Golds of the examples, and one with a star, which an added column would widen. */
const GOLDS = [
  "SELECT count(*) FROM gardener WHERE home_country = 'Portugal'",
  'SELECT common_name , seed_price FROM plant WHERE days_to_maturity < 80 ORDER BY seed_price ASC',
  'SELECT soil_type , avg(monthly_rent) , max(monthly_rent) FROM plot GROUP BY soil_type',
  'SELECT * FROM plot WHERE sunlight_hours > 5',
];

const candidate = (table: string, column: string, name: string, bucket: 'RPL' | 'ADD'): string =>
  renderCandidate(acceptedDecision({ db_id: DB, table, column, candidate: name, bucket }));

const CANDIDATES = [
  candidate('gardener', 'home country', 'nation', 'RPL'),
  candidate('plant', 'common name', 'plant label', 'RPL'),
  candidate('plot', 'soil type', 'ground kind', 'RPL'),
  candidate('plot', 'sunlight hours', 'sun time', 'RPL'),
  candidate('gardener', 'home country', 'residence state', 'ADD'),
  candidate('plant', 'seed price', 'bulb price', 'ADD'),
  candidate('plot', 'soil type', 'earth kind', 'ADD'),
  candidate('plot', 'sunlight hours', 'shade hours', 'ADD'),
];

/** A small data set, its suite, and a run with perturbed variants of it. */
export class TransferredGarden {
  readonly path = mkdtempSync(join(tmpdir(), 'perturbql-transfer-'));
  readonly suite = this.at('suite');
  readonly run = this.at('run');
  readonly #examples = this.at('dev.json');

  at(...parts: string[]): string {
    return join(this.path, ...parts);
  }

  async build(): Promise<void> {
    await this.buildSuite();
    await this.augment('run', '--columns', 'mentioned', '--variants', 'rpl:1,add:1,mixed:1');
  }

  async buildSuite(): Promise<void> {
    const tables = readRecords(EXAMPLE_DATA.tables).filter((schema) => schema['db_id'] === DB);
    writeFileSync(this.at('tables.json'), JSON.stringify(tables));
    const examples = GOLDS.map((query) => ({ db_id: DB, question: query, query }));
    writeFileSync(this.#examples, JSON.stringify(examples));
    writeFileSync(this.at('candidates.jsonl'), CANDIDATES.join(''));
    const { databases } = EXAMPLE_DATA;
    const data = { tables: this.at('tables.json'), examples: this.#examples, databases };
    const budget = { randomDatabases: 4, targetedDatabases: 0, redundancy: 2, allRound: 0 };
    await buildSuite({ ...data, dataset: 'spider', connection: null, out: this.suite, jobs: 1, budget });
  }

  /** Perturbs the data set, or another one, with the same candidates. */
  async augment(name: string, ...options: string[]): Promise<string> {
    const data = ['--tables', this.at('tables.json'), '--examples', this.#examples];
    const rest = ['--databases', EXAMPLE_DATA.databases, '--candidates', this.at('candidates.jsonl')];
    const args = ['augment', ...data, ...rest, ...options, '--out', this.at(name)];
    const { code, stderr } = await runCli(args, { cwd: this.path });
    if (code !== 0) throw new Error(stderr);
    return this.at(name);
  }

  /** Prepares an attack with one seed; the last gold's table has no candidate for RPL, and stays as it is. */
  async prepare(name: string, keepStar = false): Promise<string> {
    const candidates = this.at(`${name}.jsonl`);
    writeFileSync(candidates, CANDIDATES.filter((line) => !line.includes('sun time')).join(''));
    const data = { tables: this.at('tables.json'), examples: this.#examples, databases: EXAMPLE_DATA.databases };
    await prepareAttack({ ...data, candidates, seeds: [3], keepStar, materialize: 'copy', out: this.at(name) });
    return this.at(name);
  }

  /** Judges predictions for all records of a run by a suite that was transferred to it. */
  async judge(
    run: string,
    suite: string,
    predict: (gold: string, dbId: string) => string,
  ): Promise<NonNullable<EvaluationReport['suite']>> {
    const gold = join(run, 'gold.sql');
    const lines = readFileSync(gold, 'utf8').trimEnd().split('\n');
    const predictions = lines.map((line) => predict(...(line.split('\t') as [string, string])));
    writeFileSync(this.at('pred.sql'), `${predictions.join('\n')}\n`);
    const predicted = this.at('pred.sql');
    const report = await evaluate({ gold, tables: join(run, 'tables.json'), predictions: predicted, suite, jobs: 1 });
    return report.suite!;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Tables and rows of a schema's database, `<folder>/<id>/<id>.sqlite`. */
export function contentOf(folder: string, id: string): unknown {
  const sqlite = new Sqlite(join(folder, id, `${id}.sqlite`), { readonly: true });
  const select = "SELECT name, sql FROM sqlite_schema WHERE type = 'table'";
  const tables = sqlite.prepare(select).all() as { readonly name: string }[];
  const rows = tables.map(({ name }) => sqlite.prepare(`SELECT * FROM "${name}"`).raw().all());
  sqlite.close();
  return { tables, rows };
}
