/** The things a segment can say by words that name no column and no value. */
export type Cue =
  | 'ask'
  | 'count'
  | 'average'
  | 'sum'
  | 'most'
  | 'least'
  | 'ascending'
  | 'descending'
  | 'order'
  | 'each'
  | 'more'
  | 'less'
  | 'at-least'
  | 'at-most'
  | 'not'
  | 'between'
  | 'like'
  | 'or'
  | 'both'
  | 'except'
  | 'different';

const words = (list: string): RegExp => new RegExp(`\\b(?:${list})\\b`, 'iu');

const MOST =
  'most|highest|largest|biggest|greatest|maximum|max|maximal|top|best|oldest|longest|latest|newest|tallest|heaviest|' +
  'richest|strongest|fastest|last|more recent|most recent|greater|popular|common|frequent|frequently|expensive|highly';
const LEAST =
  'least|lowest|smallest|fewest|minimum|min|minimal|youngest|shortest|earliest|lightest|cheapest|slowest|poorest|' +
  'bottom|worst|first|rarest|weakest|fewer';

/** The words of each cue; from reading Spider's train questions. */
const CUES: Readonly<Record<Cue, RegExp>> = {
  ask: words(
    'what|which|who|whose|when|where|how|show|list|find|give|return|tell|count|display|name|get|select|are there|is there|do|does|report|compute|calculate|provide|return',
  ),
  count: words('how many|number of|count|total number|amount of|quantity|numbers of|many|much'),
  average: words('average|avg|mean|averages|typical'),
  sum: words('total|sum|overall|combined|altogether|all together'),
  most: words(MOST),
  least: words(LEAST),
  ascending: words(
    'ascending|increasing|alphabetical|alphabetically|alphabetic|lexicographical|lexicographic|low to high|lowest to highest|youngest to oldest|earliest to latest|chronological|least to|smallest to',
  ),
  descending: words(
    'descending|decreasing|reverse|high to low|highest to lowest|oldest to youngest|latest to earliest|most to|largest to',
  ),
  order: words(
    'order|ordered|orders|sort|sorted|sorting|rank|ranked|ordering|ascending|descending|alphabetical|alphabetically|alphabetic|lexicographical|lexicographic|increasing|decreasing|from the (?:oldest|youngest|highest|lowest|largest|smallest|most|least)',
  ),
  each: words(
    'each|every|per|grouped|group|for all|for different|respective|respectively|corresponding|along with|different|by|distinct|that',
  ),
  more: words(
    'more|greater|larger|bigger|higher|older|over|above|after|longer|heavier|later|exceed|exceeds|exceeding|exceeded|bigger|than|past|beyond|taller|faster|since|multiple|several|another|majority|richer',
  ),
  less: words(
    'less|fewer|smaller|lower|younger|under|below|before|shorter|lighter|earlier|than|cheaper|prior|slower|up to|within',
  ),
  'at-least': words(
    'at least|or more|no less|not less|minimum of|or above|or higher|or greater|and above|starting|since|from',
  ),
  'at-most': words('at most|or less|no more|not more|maximum of|or below|or fewer|or lower|or earlier|up to'),
  not: words(
    "not|no|never|without|except|other than|n't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|haven't|hasn't|neither|nor|outside|exclude|excluding|none|non|cannot|lack|lacking|but|any|yet|rather than",
  ),
  between: words('between|from|range|ranging|and|to|through|within'),
  like: words(
    'contain|contains|containing|contained|start|starts|starting|begin|begins|beginning|end|ends|ending|substring|includes|include|including|like|letter|word|prefix|suffix|phrase|has|have|having|string|with',
  ),
  or: words('or|either|nor|neither|and|also'),
  both: words('both|also|and|as well|but|too|but also|at the same time|while'),
  except: words(
    "not|no|never|without|except|but|don't|doesn't|didn't|haven't|hasn't|aren't|isn't|weren't|wasn't|n't|excluding|other than|neither|nor|any|none|have n",
  ),
  different: words('different|distinct|unique|various|differing'),
};

/** Adjectives that say a column by other words: stems of names by the word in the question. */
export const IMPLIED_NAMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    words('old|older|oldest|young|younger|youngest|aged|ages|years old'),
    ['age', 'birth', 'birthday', 'year', 'dat', 'born'],
  ],
  [words('tall|taller|tallest|short|shortest|shorter'), ['height', 'length', 'duration', 'tim', 'distanc']],
  [words('long|longer|longest|last|lasts|lasted'), ['length', 'duration', 'tim', 'distanc', 'hour', 'minut', 'day']],
  [words('heavy|heavier|heaviest|light|lighter|lightest|weigh|weighs|weighing|pounds|lbs|kg'), ['weight', 'weigh']],
  [
    words('cheap|cheaper|cheapest|expensive|cost|costs|costing|costed|costly|pay|paid|charge|charges|dollars'),
    ['pric', 'cost', 'amount', 'fee', 'rat', 'salary', 'charg'],
  ],
  [
    words(
      'recent|recently|latest|earliest|newest|new|last|first|before|after|since|earlier|later|when|during|prior|date',
    ),
    ['dat', 'year', 'tim', 'day', 'month', 'from', 'to', 'start', 'end', 'releas', 'open', 'created'],
  ],
  [words('when|what time|on which day'), ['dat', 'year', 'tim', 'day', 'month']],
  [
    words('large|larger|largest|small|smaller|smallest|big|bigger|biggest'),
    ['size', 'area', 'population', 'capacity', 'number', 'amount', 'total', 'siz', 'enrollment', 'acreag'],
  ],
  [
    words('where|located|from|live|lives|living|in|at|based|place|places|hometown'),
    [
      'location',
      'city',
      'country',
      'stat',
      'address',
      'plac',
      'town',
      'county',
      'region',
      'hometown',
      'nationality',
      'continent',
      'venu',
      'citizenship',
      'district',
    ],
  ],
  [
    words('who|whom|people|person|named|called|titled|entitled'),
    ['name', 'nam', 'titl', 'first', 'last', 'person', 'fname', 'lname'],
  ],
  [words('fast|faster|fastest|slow|slower|slowest'), ['speed', 'tim', 'horsepower', 'accelerat']],
  [
    words('rich|richest|earn|earns|earning|earned|paid|wealthiest|wealthy|salaries|income'),
    ['money', 'salary', 'earning', 'earn', 'net', 'worth', 'incom', 'sal', 'profit', 'sale'],
  ],
  [words('male|female|man|woman|men|women|girl|girls|boy|boys|males|females'), ['sex', 'gender']],
  [words('populous|populated|people|inhabitants|residents|crowded'), ['population']],
  [
    words('good|better|best|worst|worse|bad|highly|well'),
    ['rating', 'scor', 'rank', 'point', 'grad', 'gpa', 'result', 'star'],
  ],
  [words('speak|speaks|spoken|speaking|language|languages'), ['languag']],
  [words('high|higher|highest|low|lower|lowest'), ['height', 'level', 'scor', 'rating', 'elevation', 'grad', 'rank']],
  [words('born|birthday|birthdays'), ['birth', 'born', 'birthday', 'dob']],
  [words('teach|teaches|taught|teaching'), ['cours', 'teach']],
  [words('call|called|phone'), ['phon', 'call', 'mobil', 'cell']],
  [words('email|e-mail|emails|mail'), ['email', 'mail']],
];

/** Checks whether a text has a cue. */
export function hasCue(text: string, cue: Cue): boolean {
  return CUES[cue].test(text);
}
