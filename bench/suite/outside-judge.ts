import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { EvaluateOptions } from '../../src/evaluate/evaluate-options.js';
import { loadNeededSchemas } from '../../src/evaluate/inputs/paired-files.js';
import { readGoldQueries } from '../../src/evaluate/inputs/gold-queries.js';
import { plugValues } from '../../src/evaluate/plug-values.js';
import type { PairVerdicts } from '../../src/evaluate/verdict-lines.js';
import type { Database } from '../../src/schema/schema.js';
import { itemAt, mustGet } from '../../src/present.js';
import { readSuiteSchema } from '../../src/testsuite/suite/open-suite.js';
import type { SuiteGold, SuiteSchemaFile } from '../../src/testsuite/suite/suite-manifest.js';
import { executableSql, joinComparisons } from '../../src/sql/executable-sql.js';
import { unpackSuite } from '../../src/testsuite/suite/unpack-suite.js';
import { importBuilt } from '../cta/built-product.js';
import type { FigureTable } from '../bench-figures.js';
import type { BenchOutput } from '../run-bench.js';

/** Where the data set, the models' predictions and the suite are. */
export interface OutsideFiles {
  readonly tables: string;
  readonly gold: string;
  /** A file of predictions for each model. */
  readonly predictions: readonly string[];
  readonly suite: string;
}

type Evaluate = typeof import('../../src/evaluate/evaluate.js');

/** As the published evaluator judges: DISTINCT dropped, values plugged, columns in any order. */
const CONVENTIONS = { metrics: ['suite'], compat: ['test-suite'] } as const satisfies EvaluateOptions;
const TIMEOUT_MS = 2000;

const isDeterminate = ({ isIndeterminate, partial }: SuiteGold): boolean => !isIndeterminate && partial === undefined;

/** The suite of one data set, in files that any program reads. */
class UnpackedSuite {
  readonly #suite: string;
  readonly #folder: string;
  readonly #schemas = new Map<string, SuiteSchemaFile>();

  constructor(suite: string, folder: string) {
    this.#suite = suite;
    this.#folder = folder;
    unpackSuite(suite, folder);
  }

  /** The files that a gold query is judged on; null where its result is not determinate, or none were made for it. */
  filesFor(database: Database, gold: string): readonly string[] | null {
    const { id } = database;
    const schema = this.#schemas.get(id) ?? readSuiteSchema(this.#suite, id);
    this.#schemas.set(id, schema);
    const executed = executableSql(gold, database);
    const known = schema.golds.find(({ sql }) => sql === executed);
    if (known === undefined || !isDeterminate(known)) return null;
    return known.databases.map((at) => join(this.#folder, id, `${itemAt(schema.databases, at).name}.sqlite`));
  }
}

async function verdictsOf(root: string, folder: string, options: EvaluateOptions): Promise<readonly PairVerdicts[]> {
  const { evaluate } = await importBuilt<Evaluate>(root, 'evaluate/evaluate.js');
  const verdicts = join(folder, 'verdicts.jsonl');
  await evaluate({ ...options, ...CONVENTIONS, timeoutMs: TIMEOUT_MS, verdicts });
  return readFileSync(verdicts, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PairVerdicts);
}

/** What an outside program says of pairs, each a line of JSON. */
type Ask = (lines: readonly string[]) => readonly boolean[];

function askPython(root: string, folder: string, lines: readonly string[]): readonly boolean[] {
  const [source, target] = [join(folder, 'pairs.jsonl'), join(folder, 'outside.jsonl')];
  writeFileSync(source, lines.map((line) => `${line}\n`).join(''));
  execFileSync('python3', [join(root, 'bench', 'python', 'judge_suite.py'), source, target], { stdio: 'inherit' });
  return readFileSync(target, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line === 'true');
}

/** Pairs of one model: all, those that both judged, and of these those on which they differ. */
interface Agreement {
  readonly pairs: number;
  readonly judged: number;
  /** Of those that both judged, as the outside program says. */
  readonly correct: number;
  readonly differing: readonly PairVerdicts[];
}

function compareVerdicts(
  verdicts: readonly PairVerdicts[],
  suite: UnpackedSuite,
  { schemas, ask }: { readonly schemas: ReadonlyMap<string, Database>; readonly ask: Ask },
): Agreement {
  const judged = verdicts.flatMap((pair) => {
    const database = mustGet(schemas.get(pair.db_id), 'schema of a gold query');
    const files = suite.filesFor(database, pair.gold);
    return files === null ? [] : [{ pair, database, files }];
  });
  const outside = ask(
    judged.map(({ pair: { gold, predicted }, database, files }) =>
      JSON.stringify({
        gold,
        candidates: plugValues(gold, joinComparisons(predicted), database).queries,
        databases: files,
      }),
    ),
  );
  const differing = judged.flatMap(({ pair }, i) => ((pair.suite?.outcome === 'correct') === outside[i] ? [] : [pair]));
  return { pairs: verdicts.length, judged: judged.length, correct: outside.filter(Boolean).length, differing };
}

function printAgreement(name: string, { pairs, judged, differing }: Agreement, output: BenchOutput): void {
  for (const { id, db_id, suite, gold, predicted } of differing) {
    output.print(`${name} ${id} (${db_id}): ${suite?.outcome ?? ''} here\n  ${gold}\n  ${predicted}`);
  }
  output.print(`${name}: ${judged} of ${pairs} pairs judged by both, ${differing.length} differ`);
}

/**
 * Prints how far the suite metric agrees with an outside program, Python's sqlite3 with the published rule of equal
 * results, that reads the unpacked suite's files: on every pair of all files of predictions but those whose gold is not
 * determinate, each pair that differs by its id. False where one does.
 * @throws ConfigError where the project is not built; InputFormatError where a file is absent or wrong
 */
export async function compareOutside(root: string, files: OutsideFiles, output: BenchOutput): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-outside-'));
  try {
    const unpacked = new UnpackedSuite(files.suite, join(folder, 'unpacked'));
    const schemas = loadNeededSchemas(files.tables, readGoldQueries(files.gold));
    const ask: Ask = (lines) => askPython(root, folder, lines);
    const agreements = new Map<string, Agreement>();
    const { tables, gold, suite } = files;
    for (const predictions of files.predictions) {
      const name = basename(predictions).replace(/\.\w+$/u, '');
      const verdicts = await verdictsOf(root, folder, { tables, gold, predictions, suite });
      const agreement = compareVerdicts(verdicts, unpacked, { schemas, ask });
      printAgreement(name, agreement, output);
      agreements.set(name, agreement);
    }
    output.record(agreementTable(agreements));
    return [...agreements.values()].every(({ differing }) => differing.length === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function agreementTable(agreements: ReadonlyMap<string, Agreement>): FigureTable {
  const counts = [...agreements].map(([name, { differing, ...one }]) => {
    return { name, ...one, differing: differing.length };
  });
  const total = (key: 'pairs' | 'judged' | 'correct' | 'differing'): number =>
    counts.reduce((sum, one) => sum + one[key], 0);
  const all = { name: 'all', pairs: total('pairs'), judged: total('judged') };
  const rows = [...counts, { ...all, correct: total('correct'), differing: total('differing') }];
  return {
    id: 'suite-outside',
    title: 'The suite metric against an outside program',
    about:
      'Python’s sqlite3 with the published rule of equal results on the files of `suite unpack`, against `evaluate --compat test-suite --suite`; pairs whose gold query is not determinate are not judged.',
    columns: {
      name: { head: 'predictions' },
      pairs: { head: 'pairs' },
      judged: { head: 'judged by both' },
      correct: { head: 'correct, outside' },
      differing: { head: 'verdicts that differ' },
    },
    rows: Object.fromEntries(rows.map((row) => [row.name, row])),
  };
}
