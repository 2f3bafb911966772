// Runs the same jobs with two built checkouts and compares what they write:
//   node scripts/compare-checkouts.mjs BASE NEW [--data ../shared/data/spider] [--fifth] [--only NAME,…] [--keep DIR]
// --fifth: also, with the databases of mutants, on one database in five of --data.
// Exit code 0: all the same; 3: something differs; 2: wrong usage; 1: a job failed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { JOBS } from './compare/jobs.mjs';
import { writeFifth, writePredictions } from './compare/made-inputs.mjs';

/** @typedef {import('./compare/jobs.mjs').Job} Job */
/** @typedef {{ name: string, tables: string, examples: string, databases: string, predictions: string, full: boolean }} DataSet */
/** @typedef {{ seconds: number, code: number | null, message: string }} Ran */
/** @typedef {{ name: string, seconds: [number, number], products: number, result: 'same' | 'different' | 'failed', first: string }} Outcome */

const USAGE = 'usage: node scripts/compare-checkouts.mjs BASE NEW [--data DIR [--fifth]] [--only NAME,…] [--keep DIR]';

function readArguments() {
  const options = {
    data: { type: 'string' },
    fifth: { type: 'boolean', default: false },
    only: { type: 'string' },
    keep: { type: 'string' },
  };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [base, next] = positionals.map((path) => resolve(path));
  if (base === undefined || next === undefined || positionals.length > 2 || (values.fifth && values.data === undefined))
    throw new Error(USAGE);
  for (const checkout of [base, next]) {
    if (!existsSync(mainOf(checkout))) throw new Error(`${checkout} is not built: run npm run build there`);
  }
  const only = values.only?.split(',') ?? [];
  const unknown = only.find((name) => !JOBS.some((job) => job.name === name));
  if (unknown !== undefined) throw new Error(`no job ${unknown}: ${JOBS.map((job) => job.name).join(', ')}`);
  return { ...values, base, next, only };
}

const mainOf = (checkout) => join(checkout, 'dist/cli/main.js');

/** The jobs asked for and those whose products they read, in the order of the table. */
function chosenJobs(only) {
  const wanted = new Set(only.length === 0 ? JOBS.map(({ name }) => name) : only);
  for (const job of [...JOBS].reverse()) {
    if (wanted.has(job.name)) for (const need of job.needs) wanted.add(need);
  }
  return JOBS.filter((job) => wanted.has(job.name));
}

/** Both checkouts read the examples of BASE, and the predictions that are made up here. */
function dataSets({ base, data, fifth }, work) {
  const set = (name, folder, databases, full) => ({
    name,
    tables: join(folder, 'tables.json'),
    examples: join(folder, 'dev.json'),
    databases,
    predictions: join(work, 'inputs', name),
    full,
  });
  const examples = join(base, 'examples');
  return [
    set('examples', examples, join(examples, 'database'), true),
    ...(data === undefined ? [] : [set('data', resolve(data), join(resolve(data), 'database'), false)]),
    ...(fifth
      ? [set('fifth', writeFifth(resolve(data), join(work, 'inputs/fifth')), join(resolve(data), 'database'), true)]
      : []),
  ];
}

/** Runs a job in `folder`, which is the working directory, so that no path in a product names the side. */
function runJob(checkout, job, set, folder) {
  const begin = performance.now();
  for (const [step, args] of job.steps(set).entries()) {
    const cache = set.full && args.includes('--out') && job.scores ? ['--cache', 'cache'] : [];
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 30 };
    const { status, stdout, stderr } = spawnSync(process.execPath, [mainOf(checkout), ...args, ...cache], options);
    writeFileSync(join(folder, `${job.name}-${step}.stdout`), stdout);
    if (status !== 0 && status !== 3) return ran(begin, status, `${args.join(' ')}\n${stderr.slice(-2000)}`);
  }
  return ran(begin, 0, '');
}

const ran = (begin, code, message) => ({ seconds: (performance.now() - begin) / 1000, code, message });

/** What BASE made is kept under --keep and taken again; NEW changes, and always runs. */
function runBase(checkout, job, set, folder) {
  const marker = join(folder, `${job.name}.json`);
  const done = JSON.stringify([checkout, job.steps(set), set.fingerprint]);
  const before = existsSync(marker) ? JSON.parse(readFileSync(marker, 'utf8')) : null;
  if (before?.done === done) return before.ran;
  for (const out of job.outputs) rmSync(join(folder, out), { recursive: true, force: true });
  const result = runJob(checkout, job, set, folder);
  if (result.code === 0) writeFileSync(marker, JSON.stringify({ done, ran: result }));
  return result;
}

/** @returns {Outcome} */
function compareJob({ base, next }, job, set, folders) {
  const name = `${set.name} ${job.name}`;
  process.stderr.write(`${name} …`);
  const [first, second] = [runBase(base, job, set, folders.base), runJob(next, job, set, folders.next)];
  const seconds = [first.seconds, second.seconds];
  const failed = [first, second].findIndex(({ code }) => code !== 0);
  if (failed !== -1) {
    const which = `${failed === 0 ? 'BASE' : 'NEW'} failed: ${(failed === 0 ? first : second).message}`;
    return report({ name, seconds, products: 0, result: 'failed', first: which });
  }
  return report({ name, seconds, ...compareProducts(job.products(set), folders) });
}

function compareProducts(compared, folders) {
  let products = 0;
  for (const { path, compare } of compared) {
    const [first, second] = [join(folders.base, path), join(folders.next, path)];
    const missing = [first, second].find((product) => !existsSync(product));
    if (missing !== undefined) return { products, result: 'different', first: `${missing} was not written` };
    const { count, difference } = compare(first, second);
    products += count;
    if (difference !== null) return { products, result: 'different', first: `${path}: ${difference}` };
  }
  return { products, result: 'same', first: '' };
}

function report(outcome) {
  process.stderr.write(` ${outcome.result} (${outcome.seconds.map((s) => `${s.toFixed(1)} s`).join(', ')})\n`);
  if (outcome.first !== '') process.stderr.write(`  ${outcome.first.replaceAll('\n', '\n  ')}\n`);
  return outcome;
}

function printTable(outcomes) {
  const rows = [
    ['job', 'BASE', 'NEW', 'products', 'result'],
    ...outcomes.map(({ name, seconds, products, result }) => [
      name,
      ...seconds.map((s) => `${s.toFixed(1)} s`),
      String(products),
      result,
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

function compareSet(options, set, work) {
  const fingerprint = writePredictions(set);
  const folders = { base: join(work, 'base', set.name), next: join(work, 'new', set.name) };
  rmSync(folders.next, { recursive: true, force: true });
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  return chosenJobs(options.only).map((job) => compareJob(options, job, { ...set, fingerprint }, folders));
}

function main() {
  const options = readArguments();
  const work = options.keep === undefined ? mkdtempSync(join(tmpdir(), 'compare-checkouts-')) : resolve(options.keep);
  try {
    const outcomes = dataSets(options, work).flatMap((set) => compareSet(options, set, work));
    printTable(outcomes);
    const results = new Set(outcomes.map(({ result }) => result));
    return results.has('different') ? 3 : results.has('failed') ? 1 : 0;
  } finally {
    if (options.keep === undefined) rmSync(work, { recursive: true, force: true });
  }
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
