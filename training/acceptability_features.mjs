// Writes what the acceptability model learns from: the features of each name that readers read, the judge's readings of it
// and the verdicts. From the project's root, after `npm run build && npx tsc -p tsconfig.bench.json`, with Spider's tables in ../shared/data:
//   node training/acceptability_features.mjs [--data ../shared/data] [--out build/acceptability.jsonl]
// The bank of columns is read without the lists of the item's own field: a user's database is in no list.
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { BankEvidence } from '../dist/bank/bank-evidence.js';
import { ColumnBank } from '../dist/bank/column-bank.js';
import { wordFrequencies } from '../dist/formats/word-frequencies.js';
import { locateModel } from '../dist/inference/model-store.js';
import { SentenceEncoder } from '../dist/inference/sentence-encoder.js';
import { NAME_FEATURES, nameFeatures } from '../dist/nli/acceptability/name-features.js';
import { OnnxEntailmentScorer } from '../dist/nli/entailment-scorer.js';
import { renderStatement } from '../dist/nli/statement.js';
import { embeddedVectorsPath } from '../dist/reranker/embedded-vectors.js';
import { openVectors } from '../dist/reranker/open-vectors.js';
import { WordVectorRanker } from '../dist/reranker/word-vector-ranker.js';
import { tableText } from '../dist/retriever/table-context.js';
import { loadReadNames } from '../dist-bench/bench/reading/read-names.js';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    out: { type: 'string', default: 'build/acceptability.jsonl' },
  },
});
const BATCH = 512;
const { signal } = new AbortController();

const names = loadReadNames('.', join(options.data, 'spider/tables.json'));

const encoder = new SentenceEncoder(locateModel('table-context-encoder'));
const bank = new ColumnBank({ dimension: encoder.dimension, model: encoder.model });
const evidence = new BankEvidence(bank);
const ranker = new WordVectorRanker(await openVectors(embeddedVectorsPath()));
const scorer = new OnnxEntailmentScorer(locateModel('nli'));
const frequencies = wordFrequencies();
const parts = { similarity: (a, b) => ranker.similarity(a, b), rank: (word) => frequencies.rank(word) };
const keyOf = ({ field, entities }) => [field, ...entities].join('\n');

async function readings(all) {
  const out = [];
  for (let start = 0; start < all.length; start += BATCH) {
    const pairs = all.slice(start, start + BATCH).map(({ entity, column, name, target }) => {
      const { type } = target.target.table.columns[target.column];
      return { premise: renderStatement(entity, column, type), hypothesis: renderStatement(entity, name, type) };
    });
    for (const { reading } of await scorer.score(pairs, { signal })) out.push(reading);
    process.stderr.write(`\r${out.length} of ${all.length} names judged`);
  }
  return out;
}

const judged = await readings(names);
mkdirSync(dirname(options.out), { recursive: true });
const out = createWriteStream(options.out);
out.write(`${JSON.stringify({ features: NAME_FEATURES, judge: locateModel('nli').manifest.files['onnx/model_quantized.onnx'].sha256 })}\n`);
const tables = new Map();
for (const [i, { bucket, pool, name, source, column, target, lists, verdicts }] of names.entries()) {
  const { dbId, table } = target.target;
  const key = `${dbId}\n${table.name}`;
  if (!tables.has(key)) {
    const [vector] = await encoder.embed([tableText(dbId, table.name, table.columns)], signal);
    const own = new Set(lists.map(keyOf));
    const left = new Set([...bank.tables.keys()].filter((at) => own.has(keyOf(bank.tables[at]))));
    const cosines = bank.tableCosines(vector);
    const domains = { of: (at) => (left.has(at) ? -1 : cosines.of(at)) };
    const nearestTable = bank.tables.reduce((most, _, at) => Math.max(most, domains.of(at)), -1);
    tables.set(key, { domains, nearestTable, features: new Map() });
  }
  const { domains, nearestTable, features } = tables.get(key);
  if (!features.has(column)) {
    const witness = evidence.ofColumn(column, domains);
    features.set(column, nameFeatures({ ...parts, table, column: table.columns[target.column], nearestTable, witness }));
  }
  const line = { database: dbId, bucket, pool, features: [...features.get(column)(name, source)], judged: judged[i], verdicts };
  out.write(`${JSON.stringify(line)}\n`);
}
await new Promise((resolve) => out.end(resolve));
await Promise.all([encoder.dispose(), scorer.dispose()]);
