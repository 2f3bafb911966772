// No pattern repeats without a bound over text that another one can repeat over.

const BYTE_ORDER_AND_CONTROL = /[\u0000-\u0008\u000B\u000E-\u001F\u007F\u200B\u2060\uFEFF]/g; // eslint-disable-line no-control-regex
/** Joiners mean something between letters of some scripts and in emoji, nothing besides ASCII. */
const STRAY_JOINERS = /(?<![\u0080-\uFFFF])[\u200C\u200D]|[\u200C\u200D](?![\u0080-\uFFFF])/g;
const NO_BREAK_SPACES = /[\u00A0\u202F\u2028\u2029]/g;

/** The text without byte order marks, NUL, other controls and characters of no width; special spaces become plain ones. */
export function withoutInvisible(text: string): string {
  return text.replace(BYTE_ORDER_AND_CONTROL, '').replace(STRAY_JOINERS, '').replace(NO_BREAK_SPACES, ' ');
}

const THINKING_TAG = /<(\/?)(?:think|thinking|reasoning|thought)>/gi;

/**
 * The text without `<think>…</think>`. Templates that put the first tag into the prompt leave only the second, and an
 * answer that ends while thinking only the first: what is before, or after, is thinking.
 */
export function withoutThinking(text: string): string {
  let [kept, from, depth] = ['', 0, 0];
  for (const { 0: tag, 1: slash, index } of text.matchAll(THINKING_TAG)) {
    if (slash === '') {
      if (depth++ === 0) kept += text.slice(from, index);
    } else {
      if (depth === 0) kept = '';
      depth = Math.max(0, depth - 1);
    }
    if (slash !== '' || depth > 0) from = index + tag.length;
  }
  if (depth === 0) return kept + text.slice(from);
  // Not closed: thinking if the answer begins with it, else the tag is in a string of the SQL.
  return kept.trim() === '' ? kept : kept + text.slice(kept.length);
}

const FINAL_CHANNEL = '<|channel|>final<|message|>';
const LEADING_TOKENS = /^(?:\s{0,99}(?:<\|[\w ]{1,40}\|>|<s>)){1,20}/;
const SPECIAL_TOKEN = /<\|[\w ]{1,40}\|>|<\/s>/;

/** The text without a model's special tokens and what follows the first one behind the answer. */
export function withoutSpecialTokens(text: string): string {
  const final = text.lastIndexOf(FINAL_CHANNEL);
  const answer = (final < 0 ? text : text.slice(final + FINAL_CHANNEL.length)).replace(LEADING_TOKENS, '');
  const end = answer.search(SPECIAL_TOKEN);
  return end < 0 ? answer : answer.slice(0, end);
}
