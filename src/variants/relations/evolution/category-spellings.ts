/** Values of categories that have one usual short form: long, then short. Our own list. */
const FORMS: readonly (readonly (readonly [long: string, short: string])[])[] = [
  pairs('Female F|Male M'),
  pairs('female f|male m'),
  pairs('Yes Y|No N'),
  pairs('yes y|no n'),
  pairs('True T|False F'),
  pairs('Monday Mon|Tuesday Tue|Wednesday Wed|Thursday Thu|Friday Fri|Saturday Sat|Sunday Sun'),
  pairs(
    'January Jan|February Feb|March Mar|April Apr|June Jun|July Jul|August Aug|September Sep|October Oct|November Nov|December Dec',
  ),
  pairs('Left L|Right R'),
  pairs('North N|East E|South S|West W'),
  pairs(
    `United States USA|United Kingdom UK|Netherlands NLD|Germany DEU|France FRA|Spain ESP|Italy ITA|Belgium BEL|Russia RUS
     |Japan JPN|China CHN|India IND|Canada CAN|Australia AUS|Brazil BRA|Argentina ARG|Mexico MEX|Sweden SWE|Norway NOR
     |Denmark DNK|Finland FIN|Poland POL|Austria AUT|Switzerland CHE|Portugal PRT|Greece GRC|Turkey TUR|Ireland IRL
     |South Africa ZAF|New Zealand NZL|South Korea KOR|Egypt EGY|Hungary HUN|Romania ROU|Ukraine UKR|Croatia HRV`,
  ),
];

/** "Female F|Male M" as pairs; the short form is the last word. */
function pairs(text: string): readonly (readonly [string, string])[] {
  return text.split('|').map((entry) => {
    const words = entry.trim();
    const at = words.lastIndexOf(' ');
    return [words.slice(0, at), words.slice(at + 1)] as const;
  });
}

/** New values by old ones. */
export type Spelling = ReadonlyMap<string, string>;

/** A way to write all values of a category otherwise, or null. */
type SpellingRule = (values: readonly string[]) => Spelling | null;

const mapped = (values: readonly string[], change: (value: string) => string): Spelling =>
  new Map(values.map((value) => [value, change(value)]));

const isTitled = (value: string): boolean => /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value);

/** The values by their long or short forms, where one list has them all. */
function byForm(values: readonly string[], from: 0 | 1): Spelling | null {
  for (const forms of FORMS) {
    const known = new Map(forms.map((form) => [form[from], form[1 - from] ?? '']));
    if (values.every((value) => known.has(value))) return mapped(values, (value) => known.get(value) ?? value);
  }
  return null;
}

/** Ways to spell the values of a category, by name. */
const RULES: Readonly<Record<string, SpellingRule>> = {
  'short forms': (values) => byForm(values, 0),
  'long forms': (values) => byForm(values, 1),
  capitals: (values) => (values.every(isTitled) ? mapped(values, (value) => value.toUpperCase()) : null),
  'small letters': (values) => (values.every(isTitled) ? mapped(values, (value) => value.toLowerCase()) : null),
};

/** Other spellings of a category's values, each value another one. */
export function spellingsOf(values: readonly string[]): readonly (readonly [name: string, spelling: Spelling])[] {
  return Object.entries(RULES).flatMap(([name, rule]) => {
    const spelling = rule(values);
    const isOneToOne = spelling !== null && new Set(spelling.values()).size === values.length;
    return isOneToOne ? [[name, spelling] as const] : [];
  });
}
