// The word tokenizer that Spider's scripts run over SQL (NLTK's NLTKWordTokenizer, not the TreebankWordTokenizer of the
// data set's own fields, `sql/spider-tokens.ts`), as replacements in their order: each sees the spaces of those before.
// Steps about quotes are left out, since strings are taken out before.
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/\s+/g, ' '], // not NLTK's: long runs would slow the period's step down
  [/([«“‘„]|`+)/gu, ' $1 '],
  [/([^.])(\.)([\])}>"'»”’ ]*)\s*$/gu, '$1 $2 $3 '],
  [/([:,])([^\d])/g, ' $1 $2'],
  [/([:,])$/g, ' $1 '],
  [/\.{2,}/g, ' $& '],
  [/[;@#$%&]/g, ' $& '],
  [/[?!]/g, ' $& '],
  [/\*/g, ' $& '],
  [/[\][(){}<>]/g, ' $& '],
  [/--/g, ' -- '],
  [/([»”’])/gu, ' $1 '],
  [/\b(can)(not)\b/gi, ' $1 $2 '],
  [/\b(gim|lem)(me)\b/gi, ' $1 $2 '],
  [/\b(gon|wan)(na)\b/gi, ' $1 $2 '],
  [/\b(got)(ta)\b/gi, ' $1 $2 '],
];

const MARK = /^=?(__val_\d+_\d+__)$/;

/** The text with each string replaced by a mark, and the strings, quotes included, by mark; null if a quote has no end. */
function takeStrings(sql: string): { readonly text: string; readonly strings: ReadonlyMap<string, string> } | null {
  const source = sql.replaceAll("'", '"');
  const quotes = [...source.matchAll(/"/g)].map(({ index }) => index);
  if (quotes.length % 2 !== 0) return null;
  const strings = new Map<string, string>();
  let [text, from] = ['', 0];
  for (let i = 0; i < quotes.length; i += 2) {
    const [start = 0, end = 0] = quotes.slice(i, i + 2);
    const mark = `__val_${start}_${end}__`;
    strings.set(mark, source.slice(start, end + 1));
    text += source.slice(from, start) + mark;
    from = end + 1;
  }
  return { text: text + source.slice(from), strings };
}

/** `!`, `<` or `>` and a following `=` in one token. */
function joinComparisons(tokens: string[]): string[] {
  for (let i = tokens.length - 1; i > 0; i--) {
    const before = tokens[i - 1] ?? '';
    if (tokens[i] === '=' && (before === '!' || before === '<' || before === '>'))
      tokens.splice(i - 1, 2, `${before}=`);
  }
  return tokens;
}

/**
 * The tokens of a query as the parser of Spider's published evaluator cuts it: lower case but for strings, these in
 * double quotes whatever quotes they had. Null where quotes do not come in pairs, which that parser gives up on; it
 * takes an apostrophe within a string for a quote.
 */
export function spiderTokens(sql: string): readonly string[] | null {
  const taken = takeStrings(sql);
  if (taken === null) return null;
  const spaced = STEPS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), taken.text);
  const words = spaced
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const tokens = words.flatMap((word) => {
    const mark = MARK.exec(word)?.[1];
    if (mark === undefined) return [word];
    const string = taken.strings.get(mark) ?? mark;
    return word.startsWith('=') ? ['=', string] : [string];
  });
  return joinComparisons(tokens);
}
