import { itemAt } from '../../present.js';
import { addTo } from '../../vectors.js';
import { memoize } from '../memoize.js';
import { matchAbbreviation } from './name-letters.js';
import type { ColumnWords } from './column-words.js';
import { FeatureVector, type Weights, weightVector } from './features.js';
import type { Spelling } from './spelling.js';
import { NO_WORD } from './transitions.js';

/** What an abbreviation of the list may stand for. */
interface ListedReading {
  readonly words: readonly string[];
  /** How often it is meant in a database of unknown field: 9 nearly always, 1 rarely. */
  readonly commonness: number;
  /** Words that stand near it where it is meant; empty where it needs none. */
  readonly cues: readonly string[];
}

/** Readings of abbreviations by their letters, in lower case. */
export type AbbreviationList = ReadonlyMap<string, readonly ListedReading[]>;

/** Parses lines of abbreviation, reading, commonness and cue words, with a tab between each two. */
export function parseAbbreviationList(text: string): AbbreviationList {
  const list = new Map<string, ListedReading[]>();
  for (const line of text.split('\n')) {
    const [letters = '', reading = '', commonness = '', cues = ''] = line.split('\t');
    if (reading === '') continue;
    const listed = {
      words: reading.split(' '),
      commonness: Number(commonness),
      cues: cues.split(' ').filter((cue) => cue !== ''),
    };
    list.set(letters, [...(list.get(letters) ?? []), listed]);
  }
  return list;
}

/** A way to read a run of letters, before its table is asked. */
export interface Hypothesis {
  readonly words: readonly string[];
  /** The words with a space between each two. */
  readonly reading: string;
  /** Whether the words are more than the letters themselves. */
  readonly isExpanded: boolean;
  readonly isKept: boolean;
  readonly cues: readonly string[] | null;
  /** Ids of the first and the last of its words; none of letters that stay. */
  readonly first: number;
  readonly last: number;
  /** Topics of those of its words that have one. */
  readonly topics: readonly Int8Array[];
  readonly features: FeatureVector;
  readonly score: number;
  /** How the letters are made of the words: the kinds of abbreviation, "word", "kept" or "listed". */
  readonly manner: string;
}

/** Hypotheses kept of a whole part, and of a piece of one. */
const KEPT_OF_PART = 16;
const KEPT_OF_PIECE = 6;
/** A word is seldom anything else. */
const KEPT_OF_WORD = 4;
/** Longer runs are no abbreviations of a word. */
const LONGEST_ABBREVIATION = 14;
/** Pieces of two letters that are words. */
const SHORT_WORDS = new Set('of in on at by to id is or up vs'.split(' '));
/** Pieces are abbreviations in their usual forms only. */
const PIECE_KINDS: ReadonlySet<string> = new Set(['truncated', 'skeleton', 'short-skeleton', 'contracted']);
/** A single letter abbreviates frequent words, or those of its own database. */
const WORDS_OF_ONE_LETTER = 60;

/** Logarithm of the share of a word that its database has, at the least. */
const OWN_LOG_SHARE = -10;

/** Rarer readings of the list don't make a word unclear. */
const LEAST_COMMON = 3;

const MANNERS = ['kept', 'word', 'truncated', 'skeleton', 'short-skeleton', 'contracted', 'picked'] as const;

/** What single runs of letters can stand for, by vocabulary and list alone. Answers are remembered. */
export class PartHypotheses {
  readonly #words: ColumnWords;
  readonly #list: AbbreviationList;
  readonly #weights: Float64Array;
  readonly #byFeature: Weights;
  readonly #spelling: Spelling;
  readonly ofPart = memoize((letters) => this.#of(letters, false));
  readonly ofPiece = memoize((letters) => this.#of(letters, true), 50_000);

  constructor(words: ColumnWords, list: AbbreviationList, weights: Weights, spelling: Spelling) {
    this.#words = words;
    this.#list = list;
    this.#weights = weightVector(weights);
    this.#byFeature = weights;
    this.#spelling = spelling;
  }

  /** The hypothesis that letters abbreviate a word of their own database; null where they can't. */
  ofOwnWord(letters: string, word: string): Hypothesis | null {
    const features = this.#abbreviationFeatures(letters, word);
    // Rare as the word may be elsewhere, here it isn't.
    features?.add('readShare', Math.max(0, OWN_LOG_SHARE - this.#words.logShare(word)));
    return features === null ? null : this.#hypothesis([word], features, { isExpanded: true });
  }

  /** Whether letters are a word and no abbreviation of another. */
  isClear(letters: string): boolean {
    if (letters.length < 3 && !SHORT_WORDS.has(letters)) return false;
    const listed = this.#list.get(letters) ?? [];
    const isAmbiguous = listed.some(
      ({ words, commonness }) => words.join('') !== letters && commonness >= LEAST_COMMON,
    );
    return !isAmbiguous && this.#words.isWord(letters);
  }

  #of(letters: string, isPiece: boolean): readonly Hypothesis[] {
    const found = new Map<string, Hypothesis>();
    const kept = new FeatureVector().add('kept').add('keptLetters', letters.length);
    if (letters.length === 1) kept.add('keptOne');
    const all = [this.#hypothesis([letters], kept, { isKept: true })];
    for (const one of [
      ...this.#asWord(letters, isPiece),
      ...this.#asListed(letters),
      ...this.#asAbbreviation(letters, isPiece),
    ]) {
      const before = found.get(one.reading);
      // A listed abbreviation of a word is both.
      found.set(one.reading, before === undefined ? one : this.#both(before, one));
    }
    all.push(...found.values());
    all.sort((a, b) => b.score - a.score);
    if (!isPiece && this.isClear(letters)) return all.slice(0, KEPT_OF_WORD);
    return all.slice(0, isPiece ? KEPT_OF_PIECE : KEPT_OF_PART);
  }

  *#asWord(letters: string, isPiece: boolean): Iterable<Hypothesis> {
    const isShort = letters.length < 3;
    if (isPiece && isShort && !SHORT_WORDS.has(letters)) return;
    if (isShort ? !this.#words.has(letters) : !this.#words.isWord(letters)) return;
    const features = new FeatureVector().add('word').add('wordShare', this.#words.logShare(letters));
    if (isPiece) features.add('innerWord');
    yield this.#hypothesis([letters], features, {});
  }

  *#asListed(letters: string): Iterable<Hypothesis> {
    for (const { words, commonness, cues } of this.#list.get(letters) ?? []) {
      const features = new FeatureVector().add('listed').add('listedCommonness', Math.log(commonness / 9));
      const reading = words.join(' ');
      if (words.length > 1) features.add('severalWords', words.length - 1);
      else if (reading !== letters) features.add('listedShare', this.#words.logShare(reading));
      yield this.#hypothesis(words, features, {
        isExpanded: reading !== letters,
        cues: cues.length > 0 ? cues : null,
      });
    }
  }

  /** The likeliest words that letters abbreviate, and those of the list. */
  *#asAbbreviation(letters: string, isPiece: boolean): Iterable<Hypothesis> {
    if (letters.length > LONGEST_ABBREVIATION || letters.length < (isPiece ? 3 : 1)) return;
    const most = isPiece ? KEPT_OF_PIECE : KEPT_OF_PART;
    const best: { readonly word: string; readonly score: number }[] = [];
    this.#words.visitWithLetters(letters, letters.length === 1 ? WORDS_OF_ONE_LETTER : Infinity, (word) => {
      const score = this.#abbreviationScore(letters, word, isPiece);
      if (score === null) return;
      const place = best.findIndex((one) => one.score < score);
      if (place === -1 && best.length === most) return;
      best.splice(place === -1 ? best.length : place, 0, { word, score });
      if (best.length > most) best.pop();
    });
    const listed = (this.#list.get(letters) ?? []).flatMap(({ words }) => (words.length === 1 ? words : []));
    for (const word of new Set([...best.map((one) => one.word), ...listed])) {
      const features = this.#abbreviationFeatures(letters, word, isPiece);
      if (features !== null) yield this.#hypothesis([word], features, { isExpanded: true });
    }
  }

  /** The score of its features, without any of them made. */
  #abbreviationScore(letters: string, word: string, isPiece: boolean): number | null {
    const match = matchAbbreviation(letters, word);
    if (match === null || (isPiece && !PIECE_KINDS.has(match.kind))) return null;
    const of = this.#byFeature;
    return (
      of[match.kind] +
      of[`${match.kind}Share`] * Math.log(match.share) +
      of.spelling * this.#spelling.logShare(letters, word) +
      of.lostConsonants * match.lostConsonants +
      of.strayVowels * match.strayVowels +
      of.readShare * this.#words.logShare(word)
    );
  }

  #abbreviationFeatures(letters: string, word: string, isPiece = false): FeatureVector | null {
    const match = matchAbbreviation(letters, word);
    if (match === null || (isPiece && !PIECE_KINDS.has(match.kind))) return null;
    const features = new FeatureVector()
      .add(match.kind)
      .add(`${match.kind}Share`, Math.log(match.share))
      .add('spelling', this.#spelling.logShare(letters, word))
      .add('lostConsonants', match.lostConsonants)
      .add('strayVowels', match.strayVowels)
      .add('readShare', this.#words.logShare(word));
    if (letters.length === 1) features.add('oneLetter');
    if (letters.length === 2) features.add('twoLetters');
    return features;
  }

  #both(a: Hypothesis, b: Hypothesis): Hypothesis {
    const [listed, other] = b.features.get('listed') > 0 ? [b, a] : [a, b];
    const features = listed.features.copy();
    addTo(features.values, other.features.values);
    // The list knows better how usual a word is that is written so.
    if (other.features.get('readShare') !== 0) features.add('readShare', -other.features.get('readShare'));
    return this.#hypothesis(listed.words, features, { isExpanded: listed.isExpanded, cues: listed.cues });
  }

  #hypothesis(
    words: readonly string[],
    features: FeatureVector,
    { isExpanded = false, isKept = false, cues = null }: Partial<Pick<Hypothesis, 'isExpanded' | 'isKept' | 'cues'>>,
  ): Hypothesis {
    const manner = MANNERS.find((feature) => features.get(feature) > 0) ?? 'listed';
    const idOf = (word: string): number => (isKept ? NO_WORD : this.#words.idOf(word));
    const [first, last] = [idOf(itemAt(words, 0)), idOf(itemAt(words, words.length - 1))];
    const topics = isExpanded ? words.flatMap((word) => this.#words.topic(word) ?? []) : [];
    return {
      words,
      reading: words.join(' '),
      features,
      first,
      last,
      topics,
      isExpanded,
      isKept,
      cues,
      manner,
      score: features.dot(this.#weights),
    };
  }
}
