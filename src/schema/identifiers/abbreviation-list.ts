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
