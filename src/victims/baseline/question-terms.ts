import { FUNCTION_WORDS } from '../../reranker/function-words.js';
import type { LinkedQuestion, Mention } from './schema-linking.js';

/** Runs of words that examples are compared by. */
const LONGEST_RUN = 3;

/** Returns a question's terms to find and classify it: runs of one to three tokens, its begin, its number of links. */
export function questionTerms({ tokens }: LinkedQuestion): readonly string[] {
  const texts = ['^', ...tokens.map(({ text }) => text), '$'];
  const terms: string[] = [];
  for (let length = 1; length <= LONGEST_RUN; length++) {
    for (let at = 0; at + length <= texts.length; at++) terms.push(texts.slice(at, at + length).join(' '));
  }
  for (const name of ['COL', 'TAB', 'VAL', 'NUM']) {
    terms.push(`#${name}=${Math.min(3, texts.filter((text) => text === name).length)}`);
  }
  return terms;
}

/** Stems of a question's words but for articles, prepositions and the like. */
export function contentStems({ words }: LinkedQuestion): readonly string[] {
  return words.flatMap(({ kind, text, stem }) => (kind === 'word' && !FUNCTION_WORDS.has(text) ? [stem] : []));
}

/** Returns the context of a mention, for the classifier of its role. */
export function mentionContext({ tokens, words }: LinkedQuestion, { token, first, last }: Mention): readonly string[] {
  const at = (offset: number): string => tokens[token + offset]?.text ?? (token + offset < 0 ? '^' : '$');
  const before = [at(-1), at(-2), at(-3)];
  const after = [at(1), at(2), at(3)];
  const stems = words.slice(first, last + 1).map(({ stem }) => `M=${stem}`);
  return [
    'bias',
    ...stems,
    ...before.map((text, i) => `L${i + 1}=${text}`),
    ...after.map((text, i) => `R${i + 1}=${text}`),
    `LL=${before[1]} ${before[0]}`,
    `LLL=${before[2]} ${before[1]} ${before[0]}`,
    `RR=${after[0]} ${after[1]}`,
    `LR=${before[0]} ${after[0]}`,
    ...before.map((text) => `L=${text}`),
    ...after.map((text) => `R=${text}`),
    `Q=${tokens[0]?.text ?? ''} ${tokens[1]?.text ?? ''}`,
    `P=${Math.floor((4 * token) / Math.max(1, tokens.length))}`,
    ...['VAL', 'NUM']
      .filter((name) => tokens.slice(token + 1, token + 6).some(({ text }) => text === name))
      .map((name) => `F=${name}`),
  ];
}
