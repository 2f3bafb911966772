// Fits the weights by which identifiers are read (data/identifiers/weights.json) to training/identifiers, databases of our
// own whose identifiers were abbreviated by hand:
//   npm run build && node training/identifier_weights.mjs
// Every fourth database is kept apart: its figures are printed, and the confidence is calibrated on it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createIdentifierReader } from '../dist/formats/identifier-reading.js';
import { sameWords } from '../dist/schema/identifiers/reading.js';
import { FEATURES } from '../dist/schema/identifiers/features.js';
import { pathFeatures, pathReading } from '../dist/schema/identifiers/reading-path.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = process.env.CORPUS ?? join(ROOT, 'training', 'identifiers');
/** Words and abbreviations; of the lists alone, as the databases that weights are fitted to must be new to them. */
const WORDS = process.env.WORDS ?? join(ROOT, 'data', 'identifiers');
const TARGET = join(ROOT, 'data', 'identifiers', 'weights.json');
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const TYPES = { date: 'time', time: 'time', datetime: 'time', text: 'text', integer: 'number', real: 'number', boolean: 'boolean' };

const STYLES = {
  snake: (words) => words.join('_'),
  upper_snake: (words) => words.join('_').toUpperCase(),
  camel: (words) => words.map((word, i) => (i === 0 ? word : capital(word))).join(''),
  pascal: (words) => words.map(capital).join(''),
  run_together: (words) => words.join(''),
  mixed: (words) => words.map(capital).join('_'),
};
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const wordsOf = (text) => text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];

/** A database with its identifiers in one form; readings by "table.column". */
function databaseOf(file, pick) {
  const readings = new Map();
  const styled = (natural) => (STYLES[file.style] ?? STYLES.snake)(wordsOf(natural));
  const tables = file.tables.map((table, t) => {
    readings.set(`${t}.`, table.natural);
    const columns = table.columns.map((column, c) => {
      readings.set(`${t}.${c}`, column.natural);
      const form = pick(t, c);
      const originalName = form === 'natural' ? styled(column.natural) : column[form];
      return { name: originalName, originalName, type: TYPES[column.type] ?? 'text' };
    });
    const form = pick(t, -1);
    const originalName = form === 'natural' ? styled(table.natural) : table[form];
    return { name: originalName, originalName, columns };
  });
  // As questions would: the words of every third column, among those of other databases.
  const words = file.tables.flatMap(({ columns }, t) =>
    columns.flatMap(({ natural }, c) => ((t + c) % 3 === 1 ? wordsOf(natural) : [])),
  );
  return { words, database: { id: file.db, tables, primaryKeys: file.tables.map((_, table) => ({ table, column: 0 })), foreignKeys: [] }, readings };
}

const FORMS = {
  abbreviated: () => 'abbreviated',
  heavy: () => 'heavy',
  // As schemas often are: tables in full, columns abbreviated.
  tables: (t, c) => (c === -1 || (t + c) % 4 === 0 ? 'natural' : 'abbreviated'),
  mixed: (t, c) => ['abbreviated', 'natural', 'abbreviated', 'heavy', 'abbreviated', 'abbreviated', 'natural'][(t * 5 + c * 3 + 7) % 7],
};

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort();
const corpus = files.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')));
const isApart = (at) => at % 4 === 3;
const schemas = corpus.flatMap((file, at) =>
  Object.entries(FORMS).map(([form, pick]) => ({ ...databaseOf(file, pick), form, apart: isApart(at) })),
);

function f1(words, gold) {
  const left = [...gold];
  let hits = 0;
  for (const word of words) {
    const at = left.indexOf(word);
    if (at === -1) continue;
    hits++;
    left.splice(at, 1);
  }
  return { hits, f1: (2 * hits) / (words.length + gold.length || 1) };
}

const START = {
  word: 1.5, wordShare: 0.3, innerWord: -2.5, listed: 2.5, listedCommonness: 1, listedCue: 1.5, listedWithoutCue: -1,
  truncated: 0.5, truncatedShare: 1, skeleton: 1.5, skeletonShare: 1, 'short-skeleton': -1, 'short-skeletonShare': 1,
  contracted: -1, contractedShare: 1, picked: -3, pickedShare: 2, lostConsonants: -0.7, strayVowels: -0.7, oneLetter: -2,
  twoLetters: -1, readShare: 0.5, severalWords: 0, kept: -6, keptLetters: -0.3, keptOne: 1, inner: -2, innerShort: -1,
  pairGain: 0.5, firstWord: 0.3, lastWord: 0.3, inTable: 0.7, inTableName: 1, inKeyTable: 1, inDatabase: 1, inText: 1, topic: 1,
  typeGain: 0.3, agree: 1, disagree: -1, listedCueInDatabase: 0.2, listedShare: 0.1, agreeDatabase: 0.5, nearPrevious: 0.8, repeated: -3, habit: 0.5,
};
const given = process.env.FROM === undefined ? START : JSON.parse(readFileSync(process.env.FROM, 'utf8')).weights;
let weights = Object.fromEntries(FEATURES.map((feature) => [feature, given[feature] ?? 0]));

/** Two of the forms come with questions: their own words, and those of the next database. */
const evidenceOf = (form, words, at) =>
  form === 'tables' || form === 'heavy' ? { words: [...words, ...schemas[(at + 4) % schemas.length].words] } : {};

/** n-best lists with features and which of their paths read best. */
function listsOf(reader) {
  const lists = [];
  for (const [at, { database, readings, words, form, apart }] of schemas.entries()) {
    for (const [unit, { paths }] of reader.beliefs(database, evidenceOf(form, words, at))) {
      const gold = wordsOf(readings.get(`${unit.table}.${unit.column ?? ''}`));
      if (unit.parts.every(({ kind }) => kind === 'digits')) continue;
      const scored = paths.map((path) => {
        const words = pathReading(path, unit.parts).flat().flatMap(wordsOf);
        return { words, features: pathFeatures(path).values, ...f1(words, gold), exact: words.join('') === gold.join('') };
      });
      const best = Math.max(...scored.map((one) => one.f1));
      lists.push({ unit, gold, scored, best, form, apart });
    }
  }
  return lists;
}

function fit(lists, from) {
  const names = FEATURES;
  const w = Float64Array.from(names, (name) => from[name]);
  const [m, v] = [new Float64Array(w.length), new Float64Array(w.length)];
  const start = w.slice();
  for (let step = 1; step <= 300; step++) {
    const gradient = new Float64Array(w.length);
    let loss = 0;
    for (const { scored, best } of lists) {
      if (scored.length < 2 || best === 0) continue;
      const scores = scored.map(({ features }) => features.reduce((sum, value, i) => sum + value * w[i], 0));
      const top = Math.max(...scores);
      const masses = scores.map((score) => Math.exp(score - top));
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      const goods = scored.map((one, i) => (one.f1 >= best - 1e-9 ? masses[i] : 0));
      const good = goods.reduce((sum, mass) => sum + mass, 0);
      if (good === 0 || good === total) continue;
      loss -= Math.log(good / total);
      scored.forEach(({ features }, j) => {
        const pull = goods[j] / good - masses[j] / total;
        if (Math.abs(pull) < 1e-6) return;
        for (let i = 0; i < w.length; i++) gradient[i] += pull * features[i];
      });
    }
    const lambda = 0.5;
    for (let i = 0; i < w.length; i++) {
      const g = (gradient[i] - lambda * (w[i] - start[i])) / lists.length;
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.99 * v[i] + 0.01 * g * g;
      w[i] += (0.03 * (m[i] / (1 - 0.9 ** step))) / (Math.sqrt(v[i] / (1 - 0.99 ** step)) + 1e-8);
    }
    if (step === 1 || step === 300) process.stderr.write(`  step ${step}: loss ${(loss / lists.length).toFixed(4)}\n`);
  }
  return Object.fromEntries(names.map((name, i) => [name, Number(w[i].toFixed(4))]));
}

function figures(lists) {
  let [exact, hits, ours, theirs, oracle] = [0, 0, 0, 0, 0];
  for (const { scored, gold } of lists) {
    const [first] = scored;
    if (first.exact) exact++;
    if (scored.some((one) => one.exact)) oracle++;
    hits += first.hits;
    ours += first.words.length;
    theirs += gold.length;
  }
  return `${lists.length} identifiers, exact ${((100 * exact) / lists.length).toFixed(1)} % (in the list ${((100 * oracle) / lists.length).toFixed(1)}), word F1 ${((2 * hits) / (ours + theirs)).toFixed(3)}`;
}

for (let round = 0; round <= ROUNDS; round++) {
  const started = Date.now();
  const lists = listsOf(createIdentifierReader({ weights, calibration: { slope: 1, offset: 0, least: { expanded: 0, joined: 0 } } }, WORDS));
  const apart = lists.filter((list) => list.apart);
  process.stderr.write(`round ${round} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  for (const form of Object.keys(FORMS))
    process.stderr.write(`  ${form.padEnd(11)} fitted: ${figures(lists.filter((one) => !one.apart && one.form === form))}; apart: ${figures(apart.filter((one) => one.form === form))}\n`);
  if (round === ROUNDS) {
    if (process.env.SHOW !== undefined)
      for (const { unit, gold, scored } of apart.filter((one) => one.form === process.env.SHOW && !one.scored[0].exact).slice(0, 150))
        process.stdout.write(`${unit.identifier.padEnd(24)} ${gold.join(' ').padEnd(36)} ${scored[0].words.join(' ').padEnd(36)} ${scored.some((one) => one.exact) ? 'listed' : ''}\n`);
    break;
  }
  weights = fit(lists.filter((list) => !list.apart), weights);
}
/** Posterior of each expansion of the databases kept apart, and whether people's reading has its words. */
function expansionsOf(reader) {
  const found = [];
  for (const { database, readings } of schemas.filter((one) => one.apart && one.form !== 'heavy')) {
    for (const [unit, { paths, masses }] of reader.beliefs(database)) {
      const gold = wordsOf(readings.get(`${unit.table}.${unit.column ?? ''}`));
      const all = paths.map((path) => pathReading(path, unit.parts).map((words) => words.join(' ')));
      unit.parts.forEach(({ text }, at) => {
        const best = all[0][at];
        if (best === text) return;
        const posterior = all.reduce((sum, other, i) => sum + (sameWords(other[at]) === sameWords(best) ? masses[i] : 0), 0);
        const isJoined = best.replaceAll(' ', '') === text;
        found.push({ isJoined, posterior, right: best.split(' ').every((word) => gold.includes(word)) });
      });
    }
  }
  return found;
}

const logit = (p) => Math.log(Math.min(1 - 1e-6, Math.max(1e-6, p)) / (1 - Math.min(1 - 1e-6, Math.max(1e-6, p))));
function calibrate(expansions) {
  let [slope, offset] = [1, 0];
  for (let step = 0; step < 3000; step++) {
    let [da, db] = [0, 0];
    for (const { posterior, right } of expansions) {
      const x = logit(posterior);
      const error = (right ? 1 : 0) - 1 / (1 + Math.exp(-(slope * x + offset)));
      da += error * x;
      db += error;
    }
    slope += (0.5 * da) / expansions.length / 10;
    offset += (0.5 * db) / expansions.length;
  }
  return { slope: Number(slope.toFixed(4)), offset: Number(offset.toFixed(4)) };
}

/** Precision wanted of the words that are expanded. */
const PRECISION = 0.92;
const expansions = expansionsOf(createIdentifierReader({ weights, calibration: { slope: 1, offset: 0, least: { expanded: 0, joined: 0 } } }, WORDS));
const { slope, offset } = calibrate(expansions);
/** Parts of the databases kept apart as they are read at any confidence, which a table shares. */
function partsRead() {
  const calibration = { slope, offset, least: { expanded: 0, joined: 0 } };
  const reader = createIdentifierReader({ weights, calibration }, WORDS);
  const found = [];
  for (const [at, { database, readings, words, form, apart }] of schemas.entries()) {
    if (!apart || form === 'heavy') continue;
    for (const { table, column, parts } of reader.read(database, evidenceOf(form, words, at))) {
      const gold = wordsOf(readings.get(`${table}.${column ?? ''}`));
      for (const { letters, words: read, confidence, isExpanded } of parts)
        if (isExpanded || read.length > 1)
          found.push({ isExpanded, confidence, right: read.every((word) => gold.includes(word)), letters });
    }
  }
  return found;
}

/** Precision against coverage, by the least confidence of what is read. */
const curveOf = (some) =>
  Array.from({ length: 100 }, (_, i) => i / 100).map((least) => {
    const kept = some.filter(({ confidence }) => confidence >= least);
    const right = kept.filter((one) => one.right).length;
    return { least, coverage: kept.length / some.length, precision: right / kept.length };
  });
const parts = partsRead();
const least = Object.fromEntries(
  ['expanded', 'joined'].map((kind) => {
    const curve = curveOf(parts.filter(({ isExpanded }) => isExpanded === (kind === 'expanded')));
    for (const { least: at, coverage, precision } of curve.filter((_, i) => i % 5 === 0))
      process.stderr.write(
        `${kind}, confidence ${at.toFixed(2)}: coverage ${coverage.toFixed(3)}, precision ${precision.toFixed(3)}\n`,
      );
    return [kind, curve.find(({ precision }) => precision >= PRECISION)?.least ?? 1];
  }),
);
writeFileSync(TARGET, `${JSON.stringify({ weights, calibration: { slope, offset, least } }, null, 2)}\n`);
