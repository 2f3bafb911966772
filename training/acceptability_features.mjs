// Writes what the acceptability model learns from: the features of each name that readers read, the judge's readings of it
// and the verdicts. From the project's root, after `npm run build`, with Spider's tables in ../shared/data:
//   node training/acceptability_features.mjs [--data ../shared/data] [--out build/acceptability.jsonl]
// The bank of columns is read without the lists of the item's own field: a user's database is in no list.
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { BankEvidence } from '../dist/bank/bank-evidence.js';
import { parseColumnLists } from '../dist/bank/bank-lists.js';
import { ColumnBank } from '../dist/bank/column-bank.js';
import { wordFrequencies } from '../dist/formats/word-frequencies.js';
import { locateModel } from '../dist/inference/model-store.js';
import { SentenceEncoder } from '../dist/inference/sentence-encoder.js';
import { NAME_FEATURES, nameFeatures } from '../dist/nli/acceptability/name-features.js';
import { OnnxEntailmentScorer } from '../dist/nli/onnx-entailment-scorer.js';
import { renderStatement } from '../dist/nli/statement.js';
import { embeddedVectorsPath } from '../dist/reranker/embedded-vectors.js';
import { openVectors } from '../dist/reranker/open-vectors.js';
import { WordVectorRanker } from '../dist/reranker/word-vector-ranker.js';
import { tableText } from '../dist/retriever/table-context.js';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    out: { type: 'string', default: 'build/acceptability.jsonl' },
  },
});
const FOLDERS = ['data/columns/lists', ...['', '_2', '_3', '_4', '_5', '_6'].map((n) => `training/column_groups${n}`)];
const BATCH = 512;
const { signal } = new AbortController();

const readLines = (file) => readFileSync(file, 'utf8').trim().split('\n');
const verdicts = new Map();
for (const file of readdirSync('training/readings').filter((name) => name.startsWith('answers-')).sort())
  for (const line of readLines(join('training/readings', file))) {
    const [id, ...said] = line.split('\t');
    verdicts.set(id, [...(verdicts.get(id) ?? []), said]);
  }
const items = readLines('training/readings/items.tsv')
  .slice(1)
  .map((line) => {
    const [id, database, table, entity, column, type, bucket, name, pool, source] = line.split('\t');
    return { id, database, table, entity, column, type, bucket, name, pool, source };
  });
const spider = new Map(JSON.parse(readFileSync(join(options.data, 'spider/tables.json'), 'utf8')).map((one) => [one.db_id, one]));

function listOf(database) {
  const files = FOLDERS.flatMap((folder) => [`${folder}/${database.replaceAll('_', '-')}.txt`, `${folder}/${database}.txt`]);
  const file = files.find((one) => existsSync(one));
  return file === undefined ? null : parseColumnLists(readFileSync(file, 'utf8'));
}

/** A table as the reader saw it, and the tables of the lists that it is from. */
function tableOf(database, table) {
  const known = spider.get(database);
  if (known !== undefined) {
    const names = [known.table_names, known.table_names_original];
    const at = Math.max(...names.map((all) => all.indexOf(table)));
    const columns = known.column_names.flatMap(([of, name], i) => (of === at ? [{ name, type: known.column_types[i] }] : []));
    return { columns, lists: [] };
  }
  const lists = listOf(database) ?? [];
  const found = lists.find(({ entities }) => entities[0] === table) ?? lists.find(({ entities }) => entities.includes(table));
  return found === undefined ? null : { columns: found.columns.map(({ name }) => ({ name, type: 'text' })), lists };
}

const encoder = new SentenceEncoder(locateModel('table-context-encoder'));
const bank = new ColumnBank({ dimension: encoder.dimension, model: encoder.model });
const evidence = new BankEvidence(bank);
const ranker = new WordVectorRanker(await openVectors(embeddedVectorsPath()));
const scorer = new OnnxEntailmentScorer(locateModel('nli'));
const frequencies = wordFrequencies();
const parts = { similarity: (a, b) => ranker.similarity(a, b), rank: (word) => frequencies.rank(word) };
const withoutUnit = (name) => name.replace(/\s*\([^)]*\)/g, '').trim();
const keyOf = ({ field, entities }) => [field, ...entities].join('\n');

async function readings(all) {
  const out = [];
  for (let start = 0; start < all.length; start += BATCH) {
    const pairs = all.slice(start, start + BATCH).map(({ entity, column, name, type }) => ({
      premise: renderStatement(entity, column, type),
      hypothesis: renderStatement(entity, name, type),
    }));
    for (const { reading } of await scorer.score(pairs, { signal })) out.push(reading);
    process.stderr.write(`\r${out.length} of ${all.length} names judged`);
  }
  return out;
}

const judged = await readings(items);
mkdirSync(dirname(options.out), { recursive: true });
const out = createWriteStream(options.out);
out.write(`${JSON.stringify({ features: NAME_FEATURES, judge: locateModel('nli').manifest.files['onnx/model_quantized.onnx'].sha256 })}\n`);
const tables = new Map();
for (const [i, item] of items.entries()) {
  const key = `${item.database}\n${item.table}`;
  if (!tables.has(key)) {
    const found = tableOf(item.database, item.table);
    const [vector] = found === null ? [] : await encoder.embed([tableText(item.database, item.table, found.columns)], signal);
    const own = new Set((found?.lists ?? []).map(keyOf));
    const left = new Set([...bank.tables.keys()].filter((at) => own.has(keyOf(bank.tables[at]))));
    const cosines = found === null ? null : bank.tableCosines(vector);
    const domains = { of: (at) => (left.has(at) ? -1 : cosines.of(at)) };
    const nearestTable = found === null ? -1 : bank.tables.reduce((most, _, at) => Math.max(most, domains.of(at)), -1);
    tables.set(key, found === null ? null : { found, domains, nearestTable, features: new Map() });
  }
  const table = tables.get(key);
  if (table === null) continue;
  const { found, domains, nearestTable, features } = table;
  if (!features.has(item.column)) {
    const column = found.columns.findIndex(({ name }) => withoutUnit(name) === withoutUnit(item.column));
    const columns = found.columns.map((one, at) => (at === column ? { ...one, type: item.type } : one));
    const context = { ...parts, table: { name: item.table, columns }, column, nearestTable };
    features.set(item.column, column < 0 ? null : nameFeatures({ ...context, witness: evidence.ofColumn(item.column, domains) }));
  }
  const of = features.get(item.column);
  if (of === null) continue;
  const { database, bucket, pool } = item;
  const line = { database, bucket, pool, features: [...of(item.name, item.source)], judged: judged[i], verdicts: verdicts.get(item.id) };
  out.write(`${JSON.stringify(line)}\n`);
}
await new Promise((resolve) => out.end(resolve));
await Promise.all([encoder.dispose(), scorer.dispose()]);
