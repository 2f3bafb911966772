import type { ColumnFacts } from '../gold-rows.js';
import { type GoldFinding, plainFinding } from '../finding.js';
import { renderString } from '../../../sql/dialect.js';
import type { ComparedValue } from '../read-query.js';
import type { AuditedExample } from '../audited-gold.js';

/** A value by its letters and digits. */
export const valueKey = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

type TextValue = ComparedValue & { readonly value: string };

const keyWords = (text: string): readonly string[] =>
  valueKey(text)
    .split(' ')
    .filter((word) => word !== '');

/** Words by which a value may be meant without being said. */
const NO_NAME = /^(?:|[a-z\d]|yes|no|true|false|null|none|nan|active|inactive|on|off)$/;

/** Checks whether all letters are in a word, in their order and with the first: "SVK" of "Slovakian". */
function isShortened(code: string, word: string): boolean {
  return new RegExp(`^${[...code].join('.*')}`, 'u').test(word);
}

/**
 * Checks whether words of a question may stand for a value: a common beginning, first letters, or a name of one root.
 */
function mayMean(said: readonly string[], value: string): boolean {
  const words = keyWords(value);
  const code = words.join('');
  const isLike = (word: string, one: string): boolean =>
    one.slice(0, 3) === word.slice(0, 3) ||
    (word.length > 3 && one.includes(word)) ||
    (one.length > 3 && word.includes(one));
  if (words.some((word) => said.some((one) => isLike(word, one)))) return true;
  // "French" and 'France', "US" and 'USA', "Louisiana" and 'LA'.
  if (said.some((one) => one.length > 4 && code.length > 4 && one.slice(0, 2) === code.slice(0, 2))) return true;
  if (said.some((one) => one.length > 1 && code.startsWith(one))) return true;
  if (code.length < 5 && said.some((one) => isShortened(code, one))) return true;
  const initialsOf = (list: readonly string[]): string => list.map(([first]) => first ?? '').join('');
  const initials = initialsOf(words);
  return (
    initialsOf(said).includes(code) ||
    (initials.length > 1 && said.some((one) => one.startsWith(initials) && one.length < 5))
  );
}

/** A value of the column that a question says as it is written, and the query does not ask for. */
function saidInstead(question: string, sql: string, facts: ColumnFacts | null): string | null {
  const words = new Set(question.split(/[\s"“”‘’'?!,;:().]+/u));
  const text = ` ${keyWords(question).join(' ')} `;
  const asked = valueKey(sql);
  const said = (facts?.distinct ?? []).find((one) => {
    const key = valueKey(one);
    if (key.length < 2 || asked.includes(key)) return false;
    return key.length < 5 ? words.has(one.trim()) && /\p{Lu}/u.test(one) : text.includes(` ${key} `);
  });
  return said ?? null;
}

/** A code of a question that the query does not ask for, of the form of one that it asks for: "NC" next to 'NY'. */
function codeInstead(question: string, sql: string, value: string): string | null {
  if (!/^\p{Lu}[\p{Lu}\d]{1,5}$/u.test(value)) return null;
  const codes = question.match(/(?<![\p{L}\d])\p{Lu}[\p{Lu}\d]{1,5}(?![\p{L}\d])/gu) ?? [];
  return codes.find((code) => code.length === value.length && !sql.toUpperCase().includes(code)) ?? null;
}

/** A value that a question never says, where it says another one of the same column or form. */
export async function findUnsaidValue(
  { example, dialog, evidence, gold }: AuditedExample,
  values: readonly TextValue[],
): Promise<GoldFinding | null> {
  const said = keyWords(`${dialog} ${evidence}`);
  for (const { column, value: given, operator } of values) {
    const value = operator === 'LIKE' ? given.replace(/^%+|%+$/g, '') : given;
    const words = keyWords(value);
    const isName = /^(?:==?|<>|!=|LIKE)$/.test(operator) && !/\d/.test(value) && !NO_NAME.test(valueKey(value));
    if (!isName || words.every((word) => said.includes(word))) continue;
    const code = codeInstead(example.question, gold.sql, value);
    if (code === null && mayMean(said, value)) continue;
    const facts = await gold.factsOf(column);
    const other = code ?? saidInstead(example.question, gold.sql, facts);
    const sentence =
      other === null
        ? `The query asks for ${renderString(given)}, which the question never says.`
        : `The question says ${JSON.stringify(other)}, and never ${renderString(given)}.`;
    return plainFinding('value-mismatch', sentence, false);
  }
  return null;
}
