/**
 * Abbreviations and initialisms of database vocabulary that have one usual reading. Our own list; those that are words
 * of their own ("no", "in", "long") or read in several ways ("st", "dr", "pos", "dns") are left out.
 */
export const ABBREVIATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  `abbr abbreviation|acct account|addr address|amt amount|appt appointment|apt apartment|attn attention|avg average|bal balance
  bday birthday|bldg building|calc calculated|cert certificate|cmt comment|cnt count|cntry country|ctry country
  config configuration|coord coordinate|corp corporation|cust customer|dept department|desc description|dest destination
  diff difference|disch discharge|dist distance|dob date of birth|dod date of death|doc document|dtl detail|dur duration|dx diagnosis|edu education
  elev elevation|emp employee|eng engine|eval evaluation|fname first name|freq frequency
  gov government|grp group|govt government|hgt height|hosp hospital|hq headquarters|hrs hours|ht height|img image
  info information|init initial|intl international|inv invoice|lang language|lat latitude
  len length|lvl level|lib library|lname last name|loc location|lon longitude|lng longitude|max maximum|med medical|mfg manufacturing
  mfr manufacturer|mgr manager|mgmt management|min minimum|misc miscellaneous|mkt market|mnth month|mth month|mpg miles per gallon|mph miles per hour
  msg message|mtg meeting|nbr number|num number|nr number|obs observation|occ occupancy|opp opponent|org organization|orig original
  pct percentage|perf performance|pkg package|pop population|pref preference|prev previous|prob probability|prof professor
  proj project|prod product|pub publication|pwd password|qty quantity|qtr quarter|rec record|ref reference|reg registration
  regd registered|req request|resp response|rev revenue|sal salary|sched schedule
  seq sequence|ser serial|src source|ssn social security number|std standard|subj subject|supp supplier|svc service|tel telephone
  temp temperature|tot total|treas treasurer|txn transaction|univ university|val value|veh vehicle|ver version
  vol volume|wgt weight|wk week|wt weight|yr year|yrs years
  bmi body mass index|cpi consumer price index|dnf did not finish|eps earnings per share|eta estimated time of arrival
  etd estimated time of departure|gdp gross domestic product|gni gross national income|gnp gross national product
  gpa grade point average|hdi human development index|isbn international standard book number
  issn international standard serial number|kmh kilometers per hour|kph kilometers per hour|mvp most valuable player
  ppg points per game|psi pounds per square inch|pts points|rbi runs batted in|roi return on investment
  rpm revolutions per minute|sku stock keeping unit|upc universal product code|vat value added tax
  vin vehicle identification number|yoy year over year|ytd year to date`
    .split(/[|\n]/)
    .map((entry) => entry.trim())
    .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]),
);

function readingOf(word: string): string | null {
  const key = word.toLowerCase();
  return Object.hasOwn(ABBREVIATIONS, key) ? (ABBREVIATIONS[key] ?? null) : null;
}

/** Spells out the abbreviations in a natural name: "num of staff" → "number of staff"; other words stay as they are. */
export function expandAbbreviations(name: string): string {
  const words = name.split(' ');
  return words
    .map((word, i) => {
      const reading = readingOf(word)?.split(' ');
      if (reading === undefined) return word;
      // "vin number" says "number" once.
      if (reading.length > 1 && reading.at(-1) === words[i + 1]?.toLowerCase()) reading.pop();
      return reading.join(' ');
    })
    .join(' ');
}

/**
 * The same for abbreviations of single words only: "gpa" is about no average, nor "sku" about a unit, so that rules that
 * go by a name's words don't read theirs.
 */
export function expandSingleWords(name: string): string {
  return name
    .split(' ')
    .map((word) => {
      const reading = readingOf(word);
      return reading === null || reading.includes(' ') ? word : reading;
    })
    .join(' ');
}
