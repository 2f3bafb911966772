/** Words that data sets and models write in place of SQL if the schema has no answer, in any letter case. */
const WORDS = /^(?:null|none|n\/a|unanswerable|not[ _-]answerable|no[ _-]answer|cannot[ _-]answer)$/i;

const withoutEnd = (text: string): string => text.trim().replace(/[.;]$/, '').trim();

/** Checks whether a text in place of SQL says that there is no answer: `null`, `unanswerable`, `not answerable` … */
export function saysNoAnswer(text: string): boolean {
  return WORDS.test(withoutEnd(text));
}

/**
 * Checks whether a data set's gold query stands for none: a word for it, or `nan`, as programs write a cell that is
 * empty. A model says nothing by that: it is no SQL, and no refusal either.
 */
export function isNoQuery(gold: string): boolean {
  return saysNoAnswer(gold) || /^nan$/i.test(withoutEnd(gold));
}
