import { readFileSync } from 'node:fs';
import { pick } from '../../seeded-rng.js';
import type { Rng } from '../../stage.js';
import { headOf } from './name-head.js';
import { packagePath } from '../../package-path.js';

/** Endings of nouns for those who do something: "translator", "organizer", "cellist", "beekeeper". */
const AGENT =
  /(?:[aiu]tor|[cs]tor|izer|iser|[a-z]{3}eer|[a-z]{3}ist|ician|grapher|ologist|keeper|maker|dresser|worker|handler|trainer|planner|helper|holder|mentor|seller|man|woman|person|warden|wright)$/u;

/** Things that end so, and words of the list that mean other things more often, or many people. */
const THING =
  /^(?:generator|indicator|elevator|refrigerator|calculator|denominator|numerator|separator|radiator|accelerator|incubator|simulator|escalator|operator|factor|sector|vector|tractor|connector|detector|projector|reactor|reflector|resistor|capacitor|monitor|transistor|motor|rotor|fertilizer|sanitizer|tokenizer|stabilizer|equalizer|optimizer|career|beer|deer|pacemaker|placeholder|holder|human|german|roman|playlist|wishlist|checklist|shortlist|waitlist|blacklist|handler|model|head|ruler|people|staff|personnel|faculty|child)$/u;

let listed: ReadonlySet<string> | null = null;

/** The nouns of data/attributes/entities.txt whose rows are persons: "employee, staff, worker < person: …". */
function readPersons(): ReadonlySet<string> {
  const text = readFileSync(packagePath('data/attributes/entities.txt'), 'utf8');
  const nouns = [...text.matchAll(/^\+?([^:<\n]+) < person:/gmu)].flatMap(([, list = '']) => list.split(','));
  return new Set(nouns.map((noun) => noun.trim()));
}

/** Checks whether a column of that natural name holds people by what they do: "translator", "approved by". */
function namesAgent(name: string): boolean {
  if (
    /\b(?:\p{L}{2,}ed|written|drawn|taken|made|given|seen|sold|paid|sent|built|led|held|run) by$/u.test(
      name.toLowerCase(),
    )
  )
    return true;
  const head = headOf(name);
  return !THING.test(head) && ((listed ??= readPersons()).has(head) || AGENT.test(head));
}

const list = (text: string): readonly string[] => text.trim().split(/\s*,\s*/u);

const FIRST_NAMES = list(
  'Alice, Amir, Bruno, Carla, Chen, Diana, Elena, Erik, Fatima, Grace, Hugo, Ines, Jonas, Kavya, Leo, Maria, Nadia, Oscar, Priya, Quentin, Rosa, Samuel, Tara, Viktor, Yuki',
);
const LAST_NAMES = list(
  'Abbott, Baker, Castillo, Dawson, Ellis, Fischer, Garcia, Hughes, Ivanov, Jensen, Keller, Lopez, Marsh, Novak, Okafor, Patel, Quinn, Reyes, Schmidt, Tanaka, Underwood, Varga, Walsh, Young, Zhang',
);
const CITIES = list(
  'Aberdeen, Bergen, Calgary, Denver, Esbjerg, Fresno, Ghent, Hobart, Izmir, Juneau, Kyoto, Leeds, Malmo, Nantes, Odessa, Perth, Quito, Rouen, Salem, Tampere, Utrecht, Verona, Windhoek, York',
);
const COUNTRIES = list(
  'Argentina, Brazil, Canada, Denmark, Egypt, France, Germany, Hungary, India, Japan, Kenya, Mexico, Norway, Peru, Portugal, Spain, Sweden, Turkey, United States, Vietnam',
);
const NATIONALITIES = list('American, Brazilian, British, Canadian, Chinese, Dutch, French, German, Indian, Japanese');
const STATES = list('Alabama, Colorado, Florida, Georgia, Iowa, Kansas, Maine, Nevada, Ohio, Oregon, Texas, Vermont');
const DISTRICTS = list(
  'Bridge Quarter, Castle Hill, Garden District, Harborside, Market Ward, Northgate, Old Town, Riverside, Southfield, West End',
);
const MEANINGS = list(
  'bright star, gift of the sea, hidden valley, old friend, quiet river, strong stone, white flower',
);
const OPENING_HOURS = list('Mon-Fri 8:00-16:00, Mon-Fri 9:00-17:00, Mon-Sat 10:00-18:00, Tue-Sun 11:00-19:00');
const KEYWORDS = list('classic, family, handmade, history, modern, nature, outdoor, popular, seasonal, tradition');
const LANGUAGES = list('Arabic, Chinese, Dutch, English, French, German, Hindi, Japanese, Portuguese, Spanish');
const STREETS = list(
  'Oak Street, Mill Lane, Park Avenue, High Street, Station Road, River Drive, Church Road, Hill Way',
);
const COMPANIES = list(
  'Northwind Trading, Blue Harbor, Summit Group, Redwood Systems, Silverline, Granite Works, Lakeside Partners, Orchard House',
);
const SUBJECTS = list(
  'Biology, Chemistry, Economics, Engineering, History, Law, Mathematics, Music, Physics, Psychology',
);
const NOTES = list(
  'Checked and complete, Delivered on time, Follow up next month, Needs a second look, No remarks, Pending approval, Reviewed by the office, Updated last week',
);
const TITLES = list(
  'The Long Road, Winter Light, A Quiet Harbor, Paper Boats, Northern Sky, The Last Garden, Silver River, Open Windows, Seven Letters, Night Train',
);

/** Kinds of texts that do not depend on a column's name much: for names that no list knows. */
const KINDS = list('standard, basic, premium, special, regular, advanced, general, primary');

export type TextSource = (rng: Rng) => string;

const from =
  (values: readonly string[]): TextSource =>
  (rng) =>
    pick(values, rng);

const number = (rng: Rng, length: number): string => Array.from({ length }, () => rng.int(10)).join('');
const person: TextSource = (rng) => `${pick(FIRST_NAMES, rng)} ${pick(LAST_NAMES, rng)}`;
const handle: TextSource = (rng) => `${pick(FIRST_NAMES, rng)}.${pick(LAST_NAMES, rng)}`.toLowerCase();
const phone: TextSource = (rng) => `${2 + rng.int(8)}${number(rng, 2)}-555-0${number(rng, 3)}`;
const letters = (rng: Rng, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(65 + rng.int(26))).join('');

/** A source and whether its texts are written in one way only, whatever the case of the neighbours. */
export interface NamedSource {
  readonly draw: TextSource;
  readonly fixedCase: boolean;
}

const named = (draw: TextSource): NamedSource => ({ draw, fixedCase: false });
const fixed = (draw: TextSource): NamedSource => ({ draw, fixedCase: true });

const PEOPLE =
  /\b(?:person|manager|owner|coach|teacher|author|artist|director|winner|student|customer|employee|player|singer|captain|president|chairman|leader|father|mother|spouse|contact|editor|driver|doctor|nurse|host|actor|producer|composer|guest|client|agent|officer|mayor|founder|opponent|partner|runner-up)\b/u;

/** Checks whether a column of that natural name holds people's names: "team manager", "last author". */
export function namesPeople(name: string): boolean {
  return PEOPLE.test(name.toLowerCase()) || namesAgent(name);
}

/** When something is open. */
export const HOURS = /\b(?:office|opening|visiting|operating|business|working|availability) hours$/u;

/** "Is volunteer", "reminder sent", "translated"; not "hours approved", which counts. */
const FLAG =
  /^(?:is|has|was|can|needs|requires)\b|\b\p{L}+[^s\s] (?:required|allowed|approved|verified|signed|sent|accepted|confirmed|enabled|waived|needed|included|available)$|\b(?:flag|indicator)$/u;

/** Checks whether a name asks for yes or no. */
export function isFlagName(name: string): boolean {
  const words = name.toLowerCase();
  return FLAG.test(words) || /^\p{L}{3,}[^e]ed$/u.test(words);
}

/** Reserved names: example.com (RFC 2606), 555-0xxx. */
const BY_NAME: readonly (readonly [RegExp, NamedSource])[] = [
  [/\be ?mail\b/u, fixed((rng) => `${handle(rng)}@example.com`)],
  [/\b(?:url|website|web site|homepage|link|web page)\b/u, fixed((rng) => `https://www.example.com/${handle(rng)}`)],
  [/\b(?:phone|telephone|mobile|cell|fax)\b/u, fixed(phone)],
  [/\b(?:login|user ?name|account name|handle|nickname)\b/u, fixed(handle)],
  [/\b(?:password|hash|token)\b/u, fixed((rng) => number(rng, 12))],
  [/\b(?:zip|postcode|postal code)\b/u, fixed((rng) => number(rng, 5))],
  [/\b(?:first|given|fore|middle) ?name\b/u, named(from(FIRST_NAMES))],
  [/\b(?:last|family|maiden|sur) ?name\b/u, named(from(LAST_NAMES))],
  [/\b(?:barcode|ean|upc|gtin)\b/u, fixed((rng) => number(rng, 13))],
  [HOURS, fixed(from(OPENING_HOURS))],
  [/\b(?:severity|priority|intensity|importance|risk|urgency|difficulty)$/u, named(from(list('low, medium, high')))],
  [/\b(?:quality|condition)$/u, named(from(list('excellent, good, fair, poor')))],
  [/\b(?:frequency|interval|recurrence)$/u, named(from(list('daily, weekly, monthly, quarterly, yearly')))],
  [/\b(?:method|mode)$/u, named(from(list('automatic, manual, mixed, remote')))],
  [/\b(?:outcome|result)$/u, named(from(list('failed, passed, pending')))],
  [/\bmaterials?$/u, named(from(list('aluminum, concrete, cotton, glass, paper, plastic, steel, stone, wood')))],
  [/\b(?:(?<!time )zone|direction|sector)$/u, named(from(list('Central, East, North, South, West')))],
  [/\b(?:airport|branch|depot|harbou?r|office|station)$/u, named(from(CITIES))],
  [/\b(?:terminal|gate|platform|bay|shelf|aisle|slot)$/u, fixed((rng) => `${letters(rng, 1)}${1 + rng.int(20)}`)],
  [/\bmeanings?$/u, named(from(MEANINGS))],
  [/\bpronouns?$/u, named(from(list('he/him, she/her, they/them')))],
  [/\b(?:time ?zone)$/u, fixed(from(list('UTC, UTC+1, UTC+2, UTC+5:30, UTC+9, UTC-5, UTC-8')))],
  [/\b(?:keywords?|tags?|hashtags?|topics?)$/u, named(from(KEYWORDS))],
  [/\b(?:gender|sex)\b/u, fixed(from(['F', 'M']))],
  [/\b(?:nationality|citizenship)\b/u, named(from(NATIONALITIES))],
  [/\b(?:country|nation)\b/u, named(from(COUNTRIES))],
  [/\b(?:city|town|hometown|birthplace|village|location|place|destination|origin|venue)\b/u, named(from(CITIES))],
  [/\b(?:districts?|boroughs?|neighbou?rhoods?|quarter|suburbs?|ward)$/u, named(from(DISTRICTS))],
  [/\b(?:state|province|county|region|district)\b/u, named(from(STATES))],
  [/\b(?:street|address)\b/u, named((rng) => `${1 + rng.int(240)} ${pick(STREETS, rng)}`)],
  [/\b(?:languages?|tongue|subtitles)\b/u, named(from(LANGUAGES))],
  [/\bcontinent\b/u, named(from(list('Africa, Asia, Europe, North America, Oceania, South America')))],
  [/\b(?:color|colour)\b/u, named(from(list('black, blue, brown, gray, green, orange, red, silver, white, yellow')))],
  [/\bstatus\b/u, named(from(list('active, closed, completed, inactive, open, pending')))],
  [/\b(?:weekday|day)\b/u, named(from(list('Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday')))],
  [/\bmonth\b/u, named(from(list('January, February, March, April, June, July, September, October, December')))],
  [/\b(?:currency)\b/u, fixed(from(list('CHF, EUR, GBP, JPY, USD')))],
  [/\b(?:payment method|payment type)\b/u, named(from(list('Cash, Check, Credit Card, Debit Card, Transfer')))],
  [/\b(?:size)\b/u, named(from(list('small, medium, large')))],
  [/\b(?:grade)\b/u, fixed(from(list('A, A-, B+, B, C+, C, D')))],
  [/\b(?:genre)\b/u, named(from(list('Classical, Comedy, Drama, Folk, Jazz, Pop, Rock, Thriller')))],
  [
    /\b(?:company|manufacturer|publisher|brand|supplier|vendor|sponsor|employer|organization|agency|store|shop|firm|club|team|school|hotel|restaurant)\b/u,
    named(from(COMPANIES)),
  ],
  [/\b(?:subject|department|major|field|faculty|discipline)\b/u, named(from(SUBJECTS))],
  [
    /\b(?:description|details?|notes?|comments?|remarks?|summary|text|content|feedback|review|reason|purpose|explanation|instructions?)\b/u,
    named(from(NOTES)),
  ],
  [/\b(?:title|subtitle|song|book|film|movie|album|show|episode|theme)\b/u, named(from(TITLES))],
  [
    /\b(?:code|id|identifier|number|no|serial|sku|isbn|plate|key|reference|account|license|licence|model|lot|batch|call ?sign)$/u,
    fixed((rng) => `${letters(rng, 2)}${number(rng, 4)}`),
  ],
  [/\b(?:version|revision)$/u, fixed((rng) => `v${1 + rng.int(4)}.${rng.int(10)}`)],
  [/\b(?:type|kind|category|class|level|group|style|role|rank)\b/u, named(from(KINDS))],
  [PEOPLE, named(person)],
  [/\bname(?:$| (?:of|at|in|on)\b)/u, named(person)],
];

/** Heads that say little: what stands before them says more, "postal code", "company name", "payment type". */
const BARE = ['name', 'number', 'no', 'code', 'type', 'address', 'zone', 'version'];

/** Checks whether texts are known for the head of a name: "id", "city", "status". */
export function isTextHead(head: string): boolean {
  return head === 'name' || head === 'code' || namesAgent(head) || BY_NAME.some(([pattern]) => pattern.test(head));
}

/** The texts of the first pattern that fits a name; of a type, by a pattern that says "type": a "school type" is no school. */
function knownTexts(name: string, head: string): NamedSource | undefined {
  return BY_NAME.find(([pattern]) => {
    const match = pattern.exec(name);
    return match !== null && (head !== 'type' || match.index + match[0].length === name.length);
  })?.[1];
}

/** Returns the texts that a column's natural name suggests ("home town", "contact phone"), else kinds of things. */
export function textsByName(name: string): NamedSource {
  if (isFlagName(name)) return named(from(['no', 'yes']));
  const head = headOf(name);
  // "team id" is no team.
  const byHead = BARE.includes(head) ? undefined : knownTexts(head, head);
  if (byHead !== undefined) return byHead;
  return namesAgent(name) ? named(person) : (knownTexts(name.toLowerCase(), head) ?? named(from(KINDS)));
}
