import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../../src/errors.js';
import { loadText } from '../../src/formats/json-file.js';
import { loadDataset } from '../../src/formats/load-dataset.js';
import type { Database } from '../../src/schema/schema.js';
import type { BenchOutput } from '../run-bench.js';
import { type DrawnReading, drawReading, loadSource, type NameSource, renderList } from './reading-list.js';
import { ruleShares } from './rule-shares.js';
import { agreementOf, parseAnswers, readingFigures } from './reading-scores.js';

const LIST = 'list.txt';
const KEY = 'key.json';
const STANDARD = 'STANDARD.md';
const FIX =
  'Run: npm run bench:reading -- make --tables FILE --examples FILE --source ID=RUN --out DIR; then score DIR --answers FILE --answers FILE.';

function parseSource(given: string): NameSource {
  const at = given.indexOf('=');
  if (at <= 0)
    throw new ConfigError(`"${given}" names no source`, {
      fix: 'Write --source ID=RUN, RUN a run folder or a candidates.jsonl.',
    });
  return loadSource(given.slice(0, at), given.slice(at + 1));
}

async function readDatabases(values: {
  tables?: string;
  examples?: string;
  dataset?: string;
}): Promise<readonly Database[]> {
  const { tables = null, examples = null, dataset = 'spider' } = values;
  const loaded = await loadDataset({
    dataset: dataset as 'spider',
    tables,
    examples,
    databases: null,
    connection: null,
    strict: false,
  });
  return [...loaded.databases.values()];
}

/** Writes the readers' list, the standard that they read by, and the key that tells the sources. */
async function make(args: readonly string[], root: string, { tell }: BenchOutput): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tables: { type: 'string' },
      examples: { type: 'string' },
      dataset: { type: 'string' },
      source: { type: 'string', multiple: true },
      out: { type: 'string' },
      columns: { type: 'string', default: '60' },
      names: { type: 'string', default: '3' },
      seed: { type: 'string', default: '1' },
    },
  });
  const { source = [], out, columns, names, seed } = values;
  if (source.length === 0 || out === undefined) throw new ConfigError('make needs --source and --out', { fix: FIX });
  const sources = source.map(parseSource);
  const known = new Set(sources.flatMap(({ decisions }) => decisions.map((one) => one.db_id)));
  const databases = (await readDatabases(values)).filter(({ id }) => known.has(id));
  const drawn = drawReading(databases, sources, { columns: Number(columns), names: Number(names), seed: Number(seed) });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, LIST), renderList(drawn, databases));
  writeFileSync(join(out, KEY), `${JSON.stringify(drawn)}\n`);
  copyFileSync(join(root, 'training/readings', STANDARD), join(out, STANDARD));
  tell(
    `${drawn.items.length} names of ${drawn.columns.length} columns: give each reader ${join(out, STANDARD)} and ${join(out, LIST)} alone`,
  );
}

function score([folder = '', ...args]: readonly string[], output: BenchOutput): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      answers: { type: 'string', multiple: true },
      id: { type: 'string', default: 'reading' },
      about: { type: 'string', default: 'Names read blind in their tables.' },
    },
  });
  const key = join(folder, KEY);
  if (!existsSync(key)) throw new ConfigError(`${folder || 'no folder'} holds no ${KEY}`, { fix: FIX });
  const drawn = JSON.parse(readFileSync(key, 'utf8')) as DrawnReading;
  const readers = (values.answers ?? []).map((file) => parseAnswers(loadText(file), file, drawn.items));
  const agreements = readers.flatMap((a, i) => readers.slice(i + 1).map((b) => agreementOf(a, b, drawn.items)));
  const agreed = agreements.map(({ same, kappa }) => `${same.toFixed(0)}% (kappa ${kappa.toFixed(2)})`).join(', ');
  const about = `${values.about} ${drawn.items.length} names for ${drawn.columns.length} columns, ${readers.length} readers${agreed === '' ? '' : `, who agree on ${agreed}`}.`;
  const figures = readingFigures(values.id, about, drawn, readers);
  output.print(about);
  for (const [row, cells] of Object.entries(figures.rows)) output.print(`${row}: ${JSON.stringify(cells)}`);
  output.record(figures);
}

/** Draws names of several sources for readers who don't know them, and scores what they say. */
export async function runReading([mode, ...args]: readonly string[], root: string, output: BenchOutput): Promise<void> {
  if (mode === 'make') await make(args, root, output);
  else if (mode === 'score') score(args, output);
  else if (mode === 'rules') output.record(await ruleShares(root));
  else throw new ConfigError(`"${mode ?? ''}" is not make, score or rules`, { fix: FIX });
}
