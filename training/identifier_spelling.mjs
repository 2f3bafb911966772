// Which letters of words abbreviations keep, counted along the likeliest way to abbreviate each word to its letters, again
// and again (identifier_weights.mjs).
import { keepPlace, SPELLING_SIZES, stopPlace } from '../dist/schema/identifiers/spelling.js';

const ROUNDS = 8;
/** Times that a letter is believed to have stayed or not before any is seen. */
const PRIOR = 2;

/** The likeliest way to abbreviate a word: places of `keep` and `stop` with whether it was so; null where there is none. */
function bestWay(letters, word, keep, stop) {
  const memo = new Map();
  const best = (at, j, wasKept, isGapped) => {
    if (at === word.length) return j === letters.length ? { score: 0, events: null } : null;
    const key = ((at * 40 + j) * 2 + (wasKept ? 1 : 0)) * 2 + (isGapped ? 1 : 0);
    if (memo.has(key)) return memo.get(key);
    const ways = [];
    const goOn = (rest, score, events) => {
      if (rest !== null) ways.push({ score: rest.score + score, events: { events, rest: rest.events } });
    };
    const place = stopPlace(word, at, j, isGapped);
    if (wasKept && j === letters.length) ways.push({ score: Math.log(stop[place]), events: { events: [['stop', place, 1]], rest: null } });
    const [before, score] = wasKept ? [[['stop', place, 0]], Math.log(1 - stop[place])] : [[], 0];
    const letter = keepPlace(word, at, wasKept);
    goOn(best(at + 1, j, false, true), score + Math.log(1 - keep[letter]), [...before, ['keep', letter, 0]]);
    if (j < letters.length && letters[j] === word[at])
      goOn(best(at + 1, j + 1, true, isGapped), score + Math.log(keep[letter]), [...before, ['keep', letter, 1]]);
    const found = ways.reduce((a, b) => (a === null || b.score > a.score ? b : a), null);
    memo.set(key, found);
    return found;
  };
  const way = best(1, 1, true, false);
  if (way === null) return null;
  const events = [];
  for (let at = way.events; at !== null; at = at.rest) events.push(...at.events);
  return events;
}

/** Shares of letters that stay, from pairs of letters and word, each with its weight. */
export function fitSpelling(pairs) {
  const usable = pairs.filter(([letters, word]) => letters[0] === word[0] && letters.length < word.length && word.length <= 32);
  let spelling = { keep: Array(SPELLING_SIZES.keep).fill(0.5), stop: Array(SPELLING_SIZES.stop).fill(0.2) };
  for (let round = 0; round < ROUNDS; round++) {
    const counts = Object.fromEntries(
      ['keep', 'stop'].map((kind) => [kind, Array.from({ length: SPELLING_SIZES[kind] }, () => [PRIOR, 2 * PRIOR])]),
    );
    for (const [letters, word, weight] of usable)
      for (const [kind, place, is] of bestWay(letters, word, spelling.keep, spelling.stop) ?? []) {
        counts[kind][place][0] += is * weight;
        counts[kind][place][1] += weight;
      }
    spelling = Object.fromEntries(
      Object.entries(counts).map(([kind, all]) => [kind, all.map(([is, n]) => Number((is / n).toFixed(3)))]),
    );
  }
  return spelling;
}
