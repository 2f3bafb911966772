// Fits the weights by which identifiers are read (data/identifiers/weights.json) to training/identifiers, databases of our
// own whose identifiers were abbreviated by hand:
//   npm run build && node training/identifier_weights.mjs
// Every fourth database is kept apart: its figures are printed, and the confidence is calibrated on it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createIdentifierReader } from '../dist/formats/identifier-reading.js';
import { letteredWords } from '../dist/schema/identifiers/name-letters.js';
import { sameWords } from '../dist/schema/identifiers/reading.js';
import { abbreviatedShare, readingText } from '../dist/schema/identifiers/reading.js';
import { FEATURES } from '../dist/schema/identifiers/features.js';
import { pathPart } from '../dist/schema/identifiers/reading-path.js';
import { trainingSchemas, wordsOf } from './identifier_databases.mjs';
import { fitSpelling } from './identifier_spelling.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Words and abbreviations; of the lists alone, as the databases that weights are fitted to must be new to them. */
const WORDS = process.env.WORDS ?? join(ROOT, 'data', 'identifiers');
const TARGET = join(ROOT, 'data', 'identifiers', 'weights.json');
const ROUNDS = Number(process.env.ROUNDS ?? 4);
const schemas = trainingSchemas();
const FORMS = [...new Set(schemas.map(({ form }) => form))];

/** Letters and their words: of the list, a common reading counting more, and of the databases that are fitted to. */
function spellingPairs() {
  const list = readFileSync(join(WORDS, 'abbreviations.tsv'), 'utf8').split('\n').flatMap((line) => {
    const [letters, reading = '', commonness] = line.split('\t');
    return reading === '' || reading.includes(' ') ? [] : [[letters, reading, commonness / 18]];
  });
  const fitted = schemas.filter(({ form, apart }) => !apart && (form === 'abbreviated' || form === 'habits'));
  const pairs = fitted.flatMap(({ database, readings }) =>
    database.tables.flatMap(({ columns }, t) =>
      columns.flatMap(({ originalName }, c) => letteredWords(originalName, readings.get(`${t}.${c}`)) ?? []),
    ),
  );
  const spelled = pairs.filter(({ isSpelled, words }) => isSpelled && words.length === 1);
  return [...list, ...spelled.map(({ letters, words }) => [letters, words[0], 1])];
}
const spelling = fitSpelling(spellingPairs());
const UNCALIBRATED = { slope: 1, abbreviating: 0, offset: 0, least: { expanded: 0, joined: 0 } };
const readerOf = (calibration = UNCALIBRATED) => createIdentifierReader({ weights, spelling, calibration }, WORDS);

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
  typeGain: 0.3, agree: 1, disagree: -1, listedCueInDatabase: 0.2, listedShare: 0.1, agreeDatabase: 0.5, nearPrevious: 0.8, repeated: -3, participleOfHead: -1, habit: 0.5, spelling: 0.3, elsewhere: 0.3, topicRead: 0.5, topicNear: 0.3,
};
const given = process.env.FROM === undefined ? START : JSON.parse(readFileSync(process.env.FROM, 'utf8')).weights;
let weights = Object.fromEntries(FEATURES.map((feature) => [feature, given[feature] ?? 0]));

/** Two of the forms come with questions: their own words, and those of the next database. */
const evidenceOf = (form, words, at) =>
  form === 'tables' || form === 'heavy' ? { words: [...words, ...schemas[(at + 4) % schemas.length].words] } : {};

/** n-best lists with features and which of their paths read best, of all databases or of those kept apart. */
function listsOf(reader, isApartOnly) {
  const lists = [];
  for (const [at, { database, readings, words, form, apart }] of schemas.entries()) {
    if (isApartOnly && !apart) continue;
    for (const [unit, { paths }] of reader.beliefs(database, evidenceOf(form, words, at))) {
      const gold = wordsOf(readings.get(`${unit.table}.${unit.column ?? ''}`));
      if (unit.parts.every(({ kind }) => kind === 'digits')) continue;
      const scored = paths.map((path) => {
        const words = unit.parts.flatMap((part, i) => pathPart(path, part, i).words).flatMap(wordsOf);
        return { words, features: reader.pathFeatures(path, unit).values, ...f1(words, gold), exact: words.join('') === gold.join('') };
      });
      const best = Math.max(...scored.map((one) => one.f1));
      lists.push({ unit, gold, scored, best, form, apart });
    }
  }
  return lists;
}

/** How much an identifier counts: few of many tables abbreviate as people do, and those in full are many. */
const SHARES = { habits: 2, full: 0.7 };

/** Feature values of each path of a list, and whether it reads best; of lists that can teach something. */
const rowsOf = (lists) =>
  lists.flatMap(({ scored, best, form }) => {
    const goods = scored.map((one) => one.f1 >= best - 1e-9);
    if (best === 0 || goods.every(Boolean)) return [];
    return [{ rows: scored.map(({ features }) => features), goods, weight: SHARES[form] ?? 1 }];
  });

/** Adds to the gradient of the likelihood of the paths that read best; their negative log-likelihood. */
function pullOf(rows, goods, weight, w, gradient) {
  const scores = rows.map((row) => {
    let sum = 0;
    for (let i = 0; i < w.length; i++) sum += row[i] * w[i];
    return sum;
  });
  const top = Math.max(...scores);
  let [total, good] = [0, 0];
  const masses = scores.map((score, j) => {
    const mass = Math.exp(score - top);
    total += mass;
    if (goods[j]) good += mass;
    return mass;
  });
  if (good === 0) return 0;
  for (const [j, row] of rows.entries()) {
    const pull = (goods[j] ? masses[j] / good : 0) - masses[j] / total;
    if (Math.abs(pull) > 1e-5) for (let i = 0; i < w.length; i++) gradient[i] += weight * pull * row[i];
  }
  return -Math.log(good / total);
}

function fit(lists, from) {
  const names = FEATURES;
  const usable = rowsOf(lists);
  const w = Float64Array.from(names, (name) => from[name]);
  const [m, v] = [new Float64Array(w.length), new Float64Array(w.length)];
  const start = w.slice();
  for (let step = 1; step <= 300; step++) {
    const gradient = new Float64Array(w.length);
    let loss = 0;
    for (const { rows, goods, weight } of usable) loss += weight * pullOf(rows, goods, weight, w, gradient);
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
  const lists = listsOf(readerOf(), round === ROUNDS);
  const apart = lists.filter((list) => list.apart);
  process.stderr.write(`round ${round} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  for (const form of FORMS)
    process.stderr.write(`  ${form.padEnd(11)} apart: ${figures(apart.filter((one) => one.form === form))}\n`);
  if (round === ROUNDS) {
    if (process.env.SHOW !== undefined)
      for (const { unit, gold, scored } of apart.filter((one) => one.form === process.env.SHOW && !one.scored[0].exact).slice(0, 150))
        process.stdout.write(`${unit.identifier.padEnd(24)} ${gold.join(' ').padEnd(36)} ${scored[0].words.join(' ').padEnd(36)} ${scored.some((one) => one.exact) ? 'listed' : ''}\n`);
    break;
  }
  weights = fit(lists.filter((list) => !list.apart), weights);
}
/** Heavy abbreviations are less sure than those that most databases have. */
const isCalibrated = ({ form }) => form !== 'heavy';

/** Each expansion of the databases kept apart: its posterior, how much its database abbreviates, and whether people's reading has its words. */
function expansionsOf(reader) {
  const found = [];
  for (const [at, { database, readings, words, form, apart }] of schemas.entries()) {
    if (!apart || !isCalibrated({ form })) continue;
    const beliefs = reader.beliefs(database, evidenceOf(form, words, at));
    const share = abbreviatedShare(beliefs);
    for (const [unit, { paths, masses }] of beliefs) {
      const gold = wordsOf(readings.get(`${unit.table}.${unit.column ?? ''}`));
      const all = paths.map((path) => unit.parts.map((part, i) => pathPart(path, part, i).words.join(' ')));
      unit.parts.forEach(({ text }, part) => {
        const best = all[0][part];
        if (best === text) return;
        const posterior = all.reduce((sum, other, i) => sum + (sameWords(other[part]) === sameWords(best) ? masses[i] : 0), 0);
        found.push({ posterior, share, right: best.split(' ').every((word) => gold.includes(word)) });
      });
    }
  }
  return found;
}

const logit = (p) => Math.log(Math.min(1 - 1e-6, Math.max(1e-6, p)) / (1 - Math.min(1 - 1e-6, Math.max(1e-6, p))));
function calibrate(expansions) {
  let [slope, abbreviating, offset] = [1, 0, 0];
  for (let step = 0; step < 6000; step++) {
    let [da, ds, db] = [0, 0, 0];
    for (const { posterior, share, right } of expansions) {
      const x = logit(posterior);
      const error = (right ? 1 : 0) - 1 / (1 + Math.exp(-(slope * x + abbreviating * share + offset)));
      da += error * x;
      ds += error * share;
      db += error;
    }
    slope += (0.05 * da) / expansions.length;
    abbreviating += (0.5 * ds) / expansions.length;
    offset += (0.5 * db) / expansions.length;
  }
  const [a, s, b] = [slope, abbreviating, offset].map((value) => Number(value.toFixed(4)));
  return { slope: a, abbreviating: s, offset: b };
}

/** Precision wanted of the words that are expanded. */
const PRECISION = 0.92;
const expansions = expansionsOf(readerOf());
const calibrated = calibrate(expansions);
/** Parts of the databases kept apart as they are read at any confidence, which a table shares. */
function partsRead() {
  const reader = readerOf({ ...UNCALIBRATED, ...calibrated });
  const found = [];
  for (const [at, { database, readings, words, form, apart }] of schemas.entries()) {
    if (!apart || !isCalibrated({ form })) continue;
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
const calibration = { ...calibrated, least };
const read = readerOf(calibration);
for (const form of FORMS) {
  let [n, exact, words, right] = [0, 0, 0, 0];
  for (const [at, one] of schemas.entries())
    for (const reading of one.apart && one.form === form ? read.read(one.database, evidenceOf(form, one.words, at)) : []) {
      const gold = wordsOf(one.readings.get(`${reading.table}.${reading.column ?? ''}`));
      n++;
      if (wordsOf(readingText(reading)).join('') === gold.join('')) exact++;
      for (const word of reading.parts.flatMap((part) => (part.isExpanded ? part.words : []))) {
        words++;
        if (gold.includes(word)) right++;
      }
    }
  process.stderr.write(`${form} apart, as read: exact ${((100 * exact) / n).toFixed(1)} %, precision ${(right / words).toFixed(3)} of ${words} words\n`);
}
writeFileSync(TARGET, `${JSON.stringify({ weights, spelling, calibration }, null, 2)}\n`);
