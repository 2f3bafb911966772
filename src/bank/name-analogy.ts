/** Last words that say too little of a name for what is listed of them to hold with other words before them. */
const BARE_HEADS = new Set(
  'id identifier code number no name type date time day amount status value total count text'.split(' '),
);
/** Words too small to be all that two names share, or exchange. */
const SMALL_WORDS = new Set('a an the of in on at by for to from with and or per is has'.split(' '));
/** Words that a name may exchange for an analogy: more change too much. */
const MOST_EXCHANGED = 2;

/**
 * First words of one name where another has others: "carapace width" → "plastron width" exchanges one word for another.
 */
export interface Exchange {
  readonly out: readonly string[];
  readonly in: readonly string[];
}

/**
 * Returns the words to exchange at the beginning of `known` to turn it into `name`, if both end in the same words; null
 * if they share no words of weight, or differ in more than two.
 */
export function exchangeOf(known: readonly string[], name: readonly string[]): Exchange | null {
  let end = 0;
  const shortest = Math.min(known.length, name.length);
  while (end < shortest && known[known.length - 1 - end] === name[name.length - 1 - end]) end++;
  const [out, into] = [known.slice(0, known.length - end), name.slice(0, name.length - end)];
  const shared = name.slice(name.length - end);
  if (
    shared.every((word) => SMALL_WORDS.has(word)) ||
    [out, into].some((words) => words.some((w) => SMALL_WORDS.has(w)))
  )
    return null;
  return [out, into].every(({ length }) => length > 0 && length <= MOST_EXCHANGED) ? { out, in: into } : null;
}

/** A name after an exchange; null where it has nothing to exchange, or would say a word twice. */
export function applyExchange({ out, in: into }: Exchange, name: string): string | null {
  const words = name.split(' ');
  const at = words.findIndex((_, i) => out.every((word, o) => words[i + o] === word));
  if (at === -1) return null;
  const turned = [...words.slice(0, at), ...into, ...words.slice(at + out.length)];
  return new Set(turned).size === turned.length ? turned.join(' ') : null;
}

/** A name's last words, with the first ones that stand before them. */
export interface NameParts {
  readonly before: string;
  readonly rest: string;
}

/**
 * Ways to part a name so that its last words say enough alone: "initial | dose", "rendering | provider id", but not
 * "start | date".
 */
export function partsOf(words: readonly string[]): readonly NameParts[] {
  if (words.some((word) => SMALL_WORDS.has(word))) return [];
  return words
    .map((_, start) => ({ before: words.slice(0, start).join(' '), rest: words.slice(start).join(' ') }))
    .filter(({ before, rest }) => before !== '' && !BARE_HEADS.has(rest));
}

/** Checks whether a name can stand behind a modifier: "draw time", but not "date of start" or "is active". */
export function takesModifier(name: string): boolean {
  return !name.split(' ').some((word) => SMALL_WORDS.has(word)) && !/(?:ed|en)$/.test(name);
}
