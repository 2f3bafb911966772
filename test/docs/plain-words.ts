/** Wording that readers stumbled over, and what to write instead. The one list for docs, help texts and messages. */
const STUMBLING_WORDS: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bgolds\b/i, 'gold queries'],
  [/\b(?:an?|the|whose|its) gold(?:[’']s\b|(?= (?:is|runs|has|lacks|asks|says)\b)|(?=[.,:)]))/i, 'the gold query'],
  [/\banew\b/i, 'again'],
  [/\bwhatever\b/i, 'any; regardless of'],
  [/\d %(?!\w)/, '43%, without a space'],
  [/\bsa(?:ys?|id|ying) so\b/i, 'a warning, a note, reports it'],
  [/\bas it is\b/i, 'unchanged'],
  [/\b(?:be|is|are) had\b/i, 'exists; is obtained'],
  [/\bthe way people do\b/i, 'with names a person might choose'],
  [/\bits original on the original\b/i, 'the original query on the original database'],
  [/\btrained so\b/i, 'trained on this data'],
  [/\bcould turn\b/i, 'might differ'],
  [/\bnot to judge by\b/i, 'a demo baseline'],
  [/\b(?:separate columns|columns? of (?:its|their) own)\b/i, 'reported separately'],
  [/\bstays?, or goes?\b|\bmust stay, or\b/i, 'keeps the answer, or makes it unanswerable'],
  [/\bof parts of others\b|\bof the sub-sentences of others\b/i, 'from parts of others'],
  [/\bRPL or nothing\b/i, 'accepted as RPL or rejected'],
  [/\bleft out for its own question\b/i, 'leave-one-out'],
  [/\b(?:reason|failures?) that (?:may )?pass(?:es)?\b/i, 'transient failures'],
  [/\bbound from below\b/i, 'lower bound'],
  [/\bend of drawing\b|\bdrawing ends\b/i, 'stopping rule'],
  [/\bbuys\b/i, 'gains'],
  [/\bwhat is taken off\b/i, 'the penalty'],
  [/\bare no to none\b/i, 'rejected by neither reader'],
  [/\bwants? an? (?:folder|file)\b|\b(?:folder|file) that is there\b/i, 'need an existing folder'],
  [/\bfound out on\b/i, 'caught'],
  [/\b(?:Ids )count on\b/i, 'numbered consecutively'],
  [/\ba (?:table|column|row|word|condition|negation) more\b/i, 'another table; adds a table'],
  [/\bbe had again\b/i, 'recovered'],
  [/\btoo thin a thread\b/i, 'too weak a test'],
  [/\bquite another make\b/i, 'very different'],
  [/\bwhat (?:it|they|an item|answers?) comes? to\b/i, 'the decision; the result'],
  [/\bis dead (?:at once|from then on)\b/i, 'stops working'],
  [/\bha(?:s|ve) no say\b/i, 'does not count'],
  [/\blooks at dev\b/i, 'dev evaluations'],
  [/\bas ever\b/i, 'as usual'],
  [/\bis (?:a|no) fault of\b/i, 'a bug in'],
  [/\bgoes on where it was\b/i, 'resumes'],
];

/** A place that uses such words, as a failing test shows it. */
export function stumblesIn(place: string, text: string): readonly string[] {
  return STUMBLING_WORDS.flatMap(([words, instead]) => {
    const [found] = words.exec(text) ?? [];
    return found === undefined ? [] : [`${place}: “${found}”, write: ${instead}`];
  });
}
