/** Words that data sets and models write in place of SQL if the schema has no answer, in any letter case. */
const WORDS = /^(?:null|nan|none|n\/a|unanswerable|not[ _-]answerable|no[ _-]answer|cannot[ _-]answer)$/i;

/** Checks whether a text in place of SQL says that there is no answer: `null`, `unanswerable`, `not answerable` … */
export function saysNoAnswer(text: string): boolean {
  return WORDS.test(text.trim().replace(/[.;]$/, '').trim());
}
