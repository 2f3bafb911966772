import { possibleBaseForms } from '../../dictionary/morphology.js';
import { singularOf } from '../../schema/noun-number.js';

/** One word, number or quoted text of a question; `start` and `end` are offsets in it. */
export interface QuestionWord {
  readonly kind: 'word' | 'number' | 'quoted';
  /** As written; without quotes. */
  readonly text: string;
  /** Lower-case stem, equal for the forms of a word: "ordered" and "orders". */
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = new RegExp(
  [
    `"(?<double>[^"]+)"|“(?<curly>[^”]+)”|‘(?<open>[^’]+)’|\`\`(?<tex>[^']+)''`,
    `(?<![\\p{L}\\p{N}])'(?<single>[^']*[^'\\s])'(?!\\p{L})`,
    `(?<number>\\d[\\d,]*(?:\\.\\d+)?(?![\\p{L}\\d]))`,
    `(?<word>[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}]*)`,
  ].join('|'),
  'gu',
);

const stems = new Map<string, string>();
/** Bound of the memory for stems, in words. */
const MAX_STEMS = 50_000;

function computeStem(word: string): string {
  const base = possibleBaseForms(word, 'verb')[0] ?? word;
  const singular = base.length > 3 ? singularOf(base) : base;
  const bare = singular.length > 5 ? singular.replace(/(?:ing|ed|ly)$/, '') : singular;
  const stem = bare.length < 3 ? singular : bare.replace(/([bdgklmnprt])\1$/, '$1');
  return stem.length > 3 ? stem.replace(/e$/, '') : stem;
}

/** A rough stem that the inflected forms of a word share; for lower-case words. */
export function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, (stem = computeStem(word)));
  }
  return stem;
}

/** The words of a question; a quoted text is one of them, the `s` of a genitive none. */
export function questionWords(question: string): readonly QuestionWord[] {
  return [...question.matchAll(TOKEN)].flatMap((match): QuestionWord[] => {
    const { number, word, double, curly, open, tex, single } = match.groups ?? {};
    const place = { start: match.index, end: match.index + match[0].length };
    if (number !== undefined) return [{ kind: 'number', text: number.replaceAll(',', ''), stem: number, ...place }];
    const quoted = double ?? curly ?? open ?? tex ?? single;
    if (quoted !== undefined) return [{ kind: 'quoted', text: quoted.trim(), stem: quoted.toLowerCase(), ...place }];
    const text = word ?? match[0];
    if (text === 's' && /['’]/.test(question[match.index - 1] ?? '')) return [];
    return [{ kind: 'word', text, stem: stemOf(text.toLowerCase()), ...place }];
  });
}
