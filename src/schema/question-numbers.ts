const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const OTHER_WORDS: Readonly<Record<string, number>> = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1_000,
  million: 1e6,
  billion: 1e9,
  dozen: 12,
  once: 1,
  twice: 2,
  half: 0.5,
  single: 1,
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  both: 2,
  couple: 2,
  pair: 2,
};

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, value) => [word, value] as const),
  ...Object.entries(OTHER_WORDS),
]);

/** A number that a question may write before or after words of amount, as a part of a pattern: in digits, or up to twenty in words. */
export const NUMBER_PATTERN = `\\d+(?:\\.\\d+)?|${SMALL.slice(1).reverse().join('|')}`;

/** The number that such a text is; null for all else. */
export function numberOf(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (NUMBER_WORDS.get(text.toLowerCase()) ?? null);
}

/** Numbers that a text writes in digits, a currency before them or not; digits within a code are none. */
export function writtenNumbers(text: string): readonly number[] {
  const words = text.match(/[\p{L}\d$€£][\p{L}\d$€£.,]*/gu) ?? [];
  return words.flatMap((word) => {
    const digits = word.replace(/^(?:usd|eur|gbp|us\$|\$|€|£)/i, '').replace(/[.,]+$/, '');
    return /^\d[\d,]*(?:\.\d+)?$/.test(digits) ? [Number(digits.replaceAll(',', ''))] : [];
  });
}

/** Numbers that a text writes in words. */
export function spelledNumbers(text: string): readonly number[] {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => NUMBER_WORDS.get(word) ?? []);
}

/** Every run of digits in a text, as a number: the parts of dates and codes. */
export function digitRuns(text: string): readonly number[] {
  return (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
}
