// Trains the linear head that tells a table's primary entity from the table encoder's vector: models/entity/head.bin and
// its manifest. From the project's root, after `npm run build`; two minutes, no Python:
//   node training/entity_head.mjs [--data ../shared/data] [--out models/entity]
// It learns from the tables of the starter corpus by their titles, from our own lists of columns (entity_tables.txt), and
// from TabFact and WikiTableQuestions by rules over their headers (entity_rules.mjs); from none of bench/tpe/labels.tsv,
// nor a table of their pages or with their headers.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { locateModel } from '../dist/inference/model-store.js';
import { SentenceEncoder } from '../dist/inference/sentence-encoder.js';
import { sha256Of } from '../dist/run/sha256.js';
import { naturalHeaders } from '../dist/schema/natural-name.js';
import { createRng } from '../dist/seeded-rng.js';
import { renderColumns } from '../dist/tpe/encoder-tpe.js';
import { ENTITY_LABELS } from '../dist/tpe/entity-labels.js';
import { entityOfHeaders, entityOfTitle } from './entity_rules.mjs';

const NONE = 'none';
const LABELS = [...ENTITY_LABELS, NONE];
const EPOCHS = 40;
const BATCH = 64;
const RATE = 0.3;
/** On the squared weights, for vectors of length 1. */
const DECAY = 1e-6;
/** A label counts by its number of tables to this power: between each table alike (1) and each label alike (0). */
const BALANCE = 0.5;
/** How often one of our own lists counts. */
const OWN_WEIGHT = 3;

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    out: { type: 'string', default: 'models/entity' },
  },
});

const readLines = (file) => readFileSync(file, 'utf8').trim().split('\n');
const headersKey = (columns) => columns.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()).join('|');

function readWebTables() {
  const files = ['tabfact', 'wikitablequestions'].map((name) => join(options.data, `tables/${name}.jsonl.gz`));
  return files.flatMap((file) => gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n').map((line) => JSON.parse(line)));
}

/** Web tables with distinct headers that share neither id, page nor headers with a labeled one. */
function webExamples() {
  const tables = readWebTables();
  const labeled = new Set(readLines('bench/tpe/labels.tsv').slice(1).map((line) => line.split('\t')[0]));
  const held = tables.filter(({ id }) => labeled.has(id));
  const pages = new Set(held.map(({ title }) => title.toLowerCase()).filter((title) => title !== ''));
  const seen = new Set(held.map(({ columns }) => headersKey(columns)));
  const examples = [];
  for (const { title, columns } of tables) {
    const key = headersKey(columns);
    if (pages.has(title.toLowerCase()) || seen.has(key)) continue;
    seen.add(key);
    const label = entityOfHeaders(columns) ?? (/^lists? of /i.test(title) ? entityOfTitle(title) : null);
    if (label !== null) examples.push({ columns, label, weight: 1 });
  }
  return examples;
}

/** The starter corpus by its titles; what none of them names is about none of the labels. */
function starterExamples() {
  const folder = 'data/wdc-index/corpus';
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).sort();
  const tables = files.flatMap((name) => readLines(join(folder, name)).map((line) => JSON.parse(line)));
  return tables.map(({ title, columns }) => ({ columns, label: entityOfTitle(title) ?? NONE, weight: 1 }));
}

function ownExamples() {
  return readLines('training/entity_tables.txt').flatMap((line) => {
    const [label, lists] = line.split(': ');
    return lists.split(' | ').map((list) => ({ columns: list.split(', '), label, weight: OWN_WEIGHT }));
  });
}

async function embed(examples) {
  const model = locateModel('table-context-encoder');
  const encoder = new SentenceEncoder(model, 1);
  const vectors = [];
  for (let at = 0; at < examples.length; at += 512) {
    const texts = examples.slice(at, at + 512).map(({ columns }) => renderColumns(naturalHeaders(columns)));
    vectors.push(...(await encoder.embed(texts, new AbortController().signal)));
    process.stderr.write(`${vectors.length} of ${examples.length} tables embedded\n`);
  }
  await encoder.dispose();
  return { vectors, encoder: model.sha256 };
}

/** Adds one example's gradient of the cross entropy, and gives its loss. */
function addGradient(gradient, weights, vector, label, weight) {
  const width = vector.length + 1;
  const odds = LABELS.map((_, row) => {
    let sum = weights[row * width + width - 1];
    for (let i = 0; i < vector.length; i++) sum += weights[row * width + i] * vector[i];
    return sum;
  });
  const greatest = Math.max(...odds);
  const total = odds.reduce((sum, value) => sum + Math.exp(value - greatest), 0);
  for (let row = 0; row < LABELS.length; row++) {
    const error = weight * (Math.exp(odds[row] - greatest) / total - (row === label ? 1 : 0));
    for (let i = 0; i < vector.length; i++) gradient[row * width + i] += error * vector[i];
    gradient[row * width + width - 1] += error;
  }
  return weight * (greatest + Math.log(total) - odds[label]);
}

function shuffle(order, rng) {
  for (let i = order.length - 1; i > 0; i--) {
    const other = rng.int(i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
}

/** How much each example counts, 1 in the mean. */
function exampleWeights(examples) {
  const counts = new Map();
  for (const { label } of examples) counts.set(label, (counts.get(label) ?? 0) + 1);
  const weights = examples.map(({ label, weight }) => weight * counts.get(label) ** (BALANCE - 1));
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return weights.map((weight) => weight / mean);
}

/** Adam over shuffled batches, the rate falling to nothing; the same examples give the same weights. */
function train(examples, vectors) {
  const width = vectors[0].length + 1;
  const size = LABELS.length * width;
  const [weights, first, second] = [0, 1, 2].map(() => new Float64Array(size));
  const counted = exampleWeights(examples);
  const labels = examples.map(({ label }) => LABELS.indexOf(label));
  const order = examples.map((_, i) => i);
  const rng = createRng(1, 'entity head');
  const steps = EPOCHS * Math.ceil(order.length / BATCH);
  for (let epoch = 0, step = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, rng);
    let loss = 0;
    for (let at = 0; at < order.length; at += BATCH, step++) {
      const batch = order.slice(at, at + BATCH);
      const gradient = new Float64Array(size);
      for (const i of batch) loss += addGradient(gradient, weights, vectors[i], labels[i], counted[i]);
      const rate = RATE * (1 - step / steps);
      for (let i = 0; i < size; i++) {
        const isBias = i % width === width - 1;
        const slope = gradient[i] / batch.length + (isBias ? 0 : DECAY * weights[i]);
        first[i] = 0.9 * first[i] + 0.1 * slope;
        second[i] = 0.999 * second[i] + 0.001 * slope * slope;
        const [mean, spread] = [first[i] / (1 - 0.9 ** (step + 1)), second[i] / (1 - 0.999 ** (step + 1))];
        weights[i] -= (rate * mean) / (Math.sqrt(spread) + 1e-8);
      }
    }
    process.stderr.write(`epoch ${epoch + 1}: loss ${(loss / order.length).toFixed(4)}\n`);
  }
  return Float32Array.from(weights);
}

const examples = [...webExamples(), ...starterExamples(), ...ownExamples()];
const unknown = examples.find(({ label }) => !LABELS.includes(label));
if (unknown !== undefined) throw new Error(`no such label: ${unknown.label}`);
const { vectors, encoder } = await embed(examples);
const bytes = Buffer.from(train(examples, vectors).buffer);
const manifest = {
  task: 'table-entity',
  name: 'perturbql-entity',
  revision: 'v1',
  license: 'CC-BY-SA-4.0, see models/LICENSE',
  nonCommercial: false,
  made:
    `A linear layer over the vectors of perturbql-table-encoder for tables' headers, 48 labels and none, trained on ${examples.length.toLocaleString('en-US')} tables: ` +
    'the starter corpus by its titles, our own lists of columns, and headers of TabFact (CC BY 4.0) and WikiTableQuestions (CC BY-SA 4.0), ' +
    'labeled by rules. See training/README.md.',
  encoder,
  dimension: vectors[0].length,
  files: { 'head.bin': { sha256: sha256Of(bytes), bytes: bytes.length } },
};
mkdirSync(options.out, { recursive: true });
writeFileSync(join(options.out, 'head.bin'), bytes);
writeFileSync(join(options.out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
process.stderr.write(`${options.out}: ${examples.length} tables, ${bytes.length} bytes\n`);
