// Makes data/identifiers/names.txt and topics.i8, what reading identifiers knows of the names of columns, from the lists
// of columns, the starter tables and the embedded word vectors (half a minute):
//   npm run build
//   node scripts/build-identifier-names.mjs
// The same inputs give the same bytes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseColumnLists } from '../dist/bank/bank-lists.js';
import { wordFrequencies } from '../dist/formats/word-frequencies.js';
import { embeddedVectorsPath } from '../dist/reranker/embedded-vectors.js';
import { VectorFile } from '../dist/reranker/vector-file.js';

const DATA = fileURLToPath(new URL('../data', import.meta.url));
const TARGET = process.argv[2] ?? join(DATA, 'identifiers');
/** Components of a word's topic. */
const TOPICS = 32;
const TYPES = ['text', 'number', 'time', 'boolean'];
/** Names with a word that no dictionary has. */
const MIN_UNLISTED = 10;
/** A pair of words that stands together once may be chance. */
const MIN_PAIRS = 2;
/** Where a name begins and ends. */
const EDGE = '.';
/** A column's own name says more of columns than one that may replace it or stand next to it. */
const WEIGHTS = { own: 3, other: 1 };

const JOINING = new Set('of in for the per at to by with on from and'.split(' '));

const wordsIn = (name) =>
  name
    .toLowerCase()
    .replace(/\([^()]*\)/g, ' ')
    .split(/[^a-z]+/)
    .filter(Boolean);

const words = new Map();
const pairs = new Map();
const add = (map, key, count) => map.set(key, (map.get(key) ?? 0) + count);

function count(name, weight) {
  const found = wordsIn(name);
  if (found.length === 0) return;
  for (const word of found) add(words, word, weight);
  const line = [EDGE, ...found, EDGE];
  for (let i = 1; i < line.length; i++) {
    add(pairs, `${line[i - 1]} ${line[i]}`, weight);
    // Identifiers leave out what joins words: "years of experience" is yrs_exp.
    if (JOINING.has(line[i]) && i + 1 < line.length) add(pairs, `${line[i - 1]} ${line[i + 1]}`, weight);
  }
}

/** Columns by the last word of their names and by type. */
const types = new Map();
function countType(word, type) {
  const place = TYPES.indexOf(type);
  if (word === undefined || place === -1) return;
  const counts = types.get(word) ?? TYPES.map(() => 0);
  counts[place]++;
  types.set(word, counts);
}

for (const table of parseColumnLists(readFileSync(join(DATA, 'columns', 'columns.txt'), 'utf8'))) {
  for (const entity of table.entities) count(entity, WEIGHTS.own);
  for (const { name, replacements, additions } of table.columns) {
    count(name, WEIGHTS.own);
    for (const other of [...replacements, ...additions]) count(other, WEIGHTS.other);
  }
}
/** Units stand behind what they measure in identifiers, but in brackets, if at all, in the lists. */
const MEASURED = [
  [
    'length width height depth distance diameter thickness elevation altitude radius perimeter draft spacing gauge range reach clearance',
    'meters millimeters centimeters kilometers feet inches miles',
  ],
  ['weight mass load cargo capacity yield', 'kilograms grams milligrams tons pounds ounces'],
  ['dose dosage strength concentration content', 'milligrams micrograms grams milliliters percent'],
  ['duration time length delay elapsed timeout wait runtime interval', 'seconds minutes hours days milliseconds'],
  ['area size surface footage', 'hectares acres square'],
  ['volume capacity dose tank flow discharge', 'liters milliliters gallons barrels'],
  ['temperature', 'celsius fahrenheit degrees kelvin'],
  ['power capacity output load demand', 'kilowatts megawatts watts'],
  ['frequency bandwidth', 'hertz megahertz kilohertz'],
  ['size memory storage disk file bandwidth', 'megabytes gigabytes kilobytes bytes'],
  ['price cost amount salary wage fee value total budget revenue income tax balance payment rate', 'usd eur percent'],
  ['discount rate share moisture humidity cover tax margin slope tested', 'percent'],
];
/** As often as a measure's unit is worth saying. */
const UNIT_WEIGHT = 12;
for (const [measures, units] of MEASURED)
  for (const measure of measures.split(' '))
    for (const unit of units.split(' ')) {
      add(pairs, `${measure} ${unit}`, UNIT_WEIGHT);
      add(pairs, `${unit} ${EDGE}`, UNIT_WEIGHT);
      add(words, unit, UNIT_WEIGHT);
    }

/** The types of columns that end with a unit, or with what says when: few lists have such names. */
const TYPED = { number: MEASURED.flatMap(([, units]) => units.split(' ')), time: ['timestamp', 'datetime'] };
for (const [type, ends] of Object.entries(TYPED))
  for (const word of new Set(ends))
    types.set(
      word,
      TYPES.map((one) => (one === type ? UNIT_WEIGHT : 0)),
    );

const corpus = join(DATA, 'wdc-index', 'corpus');
for (const file of readdirSync(corpus).sort())
  for (const line of readFileSync(join(corpus, file), 'utf8').split('\n').filter(Boolean)) {
    const { columns, types } = JSON.parse(line);
    columns.forEach((name, i) => {
      count(name, WEIGHTS.own);
      countType(wordsIn(name).at(-1), types[i]);
    });
  }

// Readings of our own databases; weights are fitted without them (training/identifier_weights.mjs).
const databases = fileURLToPath(new URL('../training/identifiers', import.meta.url));
const isFitting = process.argv.includes('--lists-only');
for (const file of isFitting ? [] : readdirSync(databases).sort())
  if (file.endsWith('.json'))
    for (const { natural, columns } of JSON.parse(readFileSync(join(databases, file), 'utf8')).tables)
      for (const name of [natural, ...columns.map((column) => column.natural)]) count(name, WEIGHTS.own);
for (const line of isFitting ? [] : readFileSync(join(databases, 'habits.jsonl'), 'utf8').split('\n').filter(Boolean)) {
  const { reading, columns } = JSON.parse(line);
  for (const name of [reading, ...columns.map(([, natural]) => natural)]) count(name, WEIGHTS.own);
}

const frequencies = wordFrequencies();
/** Letters that stand in few names and in no dictionary are initials, or words written together. */
const isKnown = (word, n) => (frequencies.rank(word) === null ? word.length > 2 && n >= MIN_UNLISTED : n > 1);
const known = [...words].filter(([word, n]) => isKnown(word, n)).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
const places = new Map(known.map(([word], i) => [word, i]));
const followers = new Map();
for (const [pair, n] of pairs) {
  const [first, second] = pair.split(' ');
  const isPlaced = (word) => word === EDGE || places.has(word);
  if (n < MIN_PAIRS || !isPlaced(first) || !isPlaced(second)) continue;
  followers.set(first, [...(followers.get(first) ?? []), [second, n]]);
}
const byCount = ([a, n], [b, m]) => m - n || (a < b ? -1 : 1);
const pairLines = [EDGE, ...known.map(([word]) => word)]
  .filter((word) => followers.has(word))
  .map(
    (word) =>
      `${word} ${followers
        .get(word)
        .sort(byCount)
        .map(([next, n]) => `${next} ${n}`)
        .join(' ')}`,
  );

const typeLines = known
  .filter(([word]) => (types.get(word) ?? []).reduce((sum, n) => sum + n, 0) >= MIN_PAIRS)
  .map(([word]) => `${word} ${types.get(word).join(' ')}`);

const vectors = await VectorFile.open(embeddedVectorsPath());
const rows = known.map(([word]) => {
  const at = vectors.indexOf(word);
  const vector = new Float64Array(vectors.dimension);
  if (at >= 0) vectors.addTo(vector, at);
  return at >= 0 ? vector : null;
});

/** The first principal directions of the vectors, by orthogonal iteration from fixed starts. */
function directions(all, dimension, size) {
  const mean = new Float64Array(dimension);
  for (const row of all) for (let i = 0; i < dimension; i++) mean[i] += row[i] / all.length;
  const covariance = Array.from({ length: dimension }, () => new Float64Array(dimension));
  for (const row of all)
    for (let i = 0; i < dimension; i++) {
      const centered = row[i] - mean[i];
      for (let j = 0; j < dimension; j++) covariance[i][j] += centered * (row[j] - mean[j]);
    }
  let basis = Array.from({ length: size }, (_, k) =>
    Float64Array.from({ length: dimension }, (_, i) => Math.sin((k + 1) * (i + 1))),
  );
  for (let step = 0; step < 60; step++) {
    const next = [];
    for (const vector of basis) {
      const image = Float64Array.from(covariance, (row) => row.reduce((sum, value, i) => sum + value * vector[i], 0));
      for (const done of next) {
        const dot = done.reduce((sum, value, i) => sum + value * image[i], 0);
        for (let i = 0; i < dimension; i++) image[i] -= dot * done[i];
      }
      const length = Math.hypot(...image);
      next.push(image.map((value) => value / length));
    }
    basis = next;
  }
  return { mean, basis };
}

const present = rows.filter((row) => row !== null);
const { mean, basis } = directions(present, vectors.dimension, TOPICS);
const topics = Buffer.alloc(known.length * TOPICS);
rows.forEach((row, at) => {
  if (row === null) return;
  const projected = basis.map((axis) => axis.reduce((sum, value, i) => sum + value * (row[i] - mean[i]), 0));
  const length = Math.hypot(...projected);
  projected.forEach((value, i) => topics.writeInt8(Math.round((value / length) * 127), at * TOPICS + i));
});

writeFileSync(
  join(TARGET, 'names.txt'),
  `${known.map(([word, n]) => `${word} ${n}`).join('\n')}\n\n${pairLines.join('\n')}\n\n${typeLines.join('\n')}\n`,
);
writeFileSync(join(TARGET, 'topics.i8'), topics);
process.stdout.write(
  `${known.length} words, ${[...followers.values()].reduce((sum, list) => sum + list.length, 0)} pairs\n`,
);
