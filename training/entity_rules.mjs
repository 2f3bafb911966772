// Which primary entity a web table is about, by its headers: rules that are right often enough to learn from. The first
// that holds decides; where none does, the first column that is no rank or date names the rows.
import { readFileSync } from 'node:fs';
import pluralize from 'pluralize';

/** `label: a, b ~ c, d` by line: names of tables, then names of the column that names the rows. */
function readWords() {
  const lines = readFileSync(new URL('entity_words.txt', import.meta.url), 'utf8').trim().split('\n').slice(1);
  const [titles, subjects] = [new Map(), new Map()];
  for (const line of lines) {
    const [label, words] = line.split(': ');
    const [ofTables, ofColumns] = words.split('~').map((part) => part.split(',').map((word) => word.trim()));
    for (const word of ofTables) titles.set(word, label);
    for (const word of ofColumns ?? []) subjects.set(word, label);
  }
  return { titles, subjects };
}

const { titles: TITLES, subjects: SUBJECTS } = readWords();
const AFTER_HEAD = /\s(?:of|in|by|at|from|with|for|to|per|on|before|over|between|and|during|since|held|as)\s.*$/;
const ORDINAL = /^(?:rank|pos|position|no|number|place|rnd|round|rd|pick|order|s ?l? ?no|nr|year|season|seed|draw|date.*|)$/;
const SEASON = /^(?:19|20)\d\d(?: \d\d)?$/;

const singular = (phrase) => phrase.replace(/\S+$/, (word) => pluralize.singular(word));

/** "List of airports in Brazil" gives "airport"; null where no name of a table is known in it. */
export function entityOfTitle(title) {
  const text = title.toLowerCase().replace(/[()]/g, '').replace(/^lists? of /, '').trim();
  const whole = TITLES.get(singular(text)) ?? TITLES.get(text);
  if (whole !== undefined) return whole;
  const words = singular(text.replace(AFTER_HEAD, '')).split(' ');
  const known = words.map((_, i) => TITLES.get(words.slice(i).join(' ')));
  return known.find((label) => label !== undefined) ?? null;
}

const PERSON = ['player', 'name', 'athlete', 'driver', 'rider'];

/** A rule sees `h`, whether any of some headers is there; `w`, whether a word is; `seasons`, headers that are years. */
const RULES = [
  ['sports event', ({ h }) => h('res') && h('opponent')],
  [
    'television program',
    ({ h }) =>
      !h('film') &&
      h('original air date', 'airdate', 'air date', 'original airdate', 'prod code', 'episode title', 'production code',
        'us viewers millions', 'us viewers million', 'viewers millions', 'episode number', 'episode no', 'tv season',
        'no in season', 'timeslot', 'series premiere', 'season premiere'),
  ],
  ['athlete', ({ h }) => h('player', 'runs') && h('opponent', 'opposition') && !h('date', 'score')],
  [
    'sports event',
    ({ h, w }) =>
      h('opponent', 'opponents', 'opponent in final', 'opponent in the final', 'opposition', 'opponents in final',
        'opponents in the final', 'visitor', 'away team', 'team 2', '2nd leg', 'home team') &&
      (w('date') || h('week', 'game', 'score', 'result', 'round', 'year', 'season', 'tie no', 'team 1', 'month', 'agg')),
  ],
  ['athlete', ({ h }) => h('driver', 'drivers', 'rider', 'name') && h('laps', 'grid', 'time retired', 'qual 1', 'speed')],
  [
    'sports event',
    ({ h }) =>
      h('circuit', 'race', 'race name', 'race title', 'grand prix', 'rally name', 'circuit location', 'track') &&
      h('date', 'winner', 'winning driver', 'winners', 'race winner', 'pole position', 'winning team', 'report', 'rnd'),
  ],
  [
    'sports event',
    ({ h }) => h('date') && h('venue', 'competition', 'tournament', 'championship', 'surface', 'score') && !h(...PERSON),
  ],
  [
    'athlete',
    ({ h }) =>
      h('to par') ||
      (h('nationality', 'nation', 'country') &&
        h('name', 'athlete', 'rowers', 'swimmer', 'player') &&
        h('time', 'lane', 'heat', 'total', 'mark', 'react', '1st run', 'run 1', 'snatch')),
  ],
  ['country', ({ h }) => h('gold') && h('silver') && h('nation', 'country', 'noc', 'state', 'delegation')],
  ['sports event', ({ h }) => h('gold') && h('silver') && h('bronze')],
  [
    'award',
    ({ h }) =>
      h('award') ||
      (h('category', 'nominee', 'nominated work', 'nomination', 'nominated') &&
        h('result', 'year', 'recipient', 'recipients', 'outcome', 'winner', 'nominees')),
  ],
  ['film', ({ h }) => h('film', 'film title', 'movie')],
  ['television program', ({ h }) => h('title') && h('episode') && h('role', 'director', 'directed by')],
  ['film', ({ h }) => h('title') && h('role', 'director', 'studio', 'directed by', 'director s', 'gross')],
  ['song', ({ h, w }) => h('song', 'single', 'album', 'song title', 'track') || (w('label') && w('format', 'catalogue'))],
  [
    'song',
    ({ h, w }) =>
      h('title') &&
      w('chart', 'charts', 'peak', 'producer', 'label', 'riaa', 'singer', 'length', 'hot', 'billboard', 'lyricist'),
  ],
  ['game', ({ h }) => h('title', 'game') && h('platform', 'developer', 'genre', 'platform s', 'console')],
  ['book', ({ h }) => h('title') && h('author', 'publisher', 'isbn', 'first issue', 'publication date', 'author s')],
  ['politician', ({ h, w }) => h('candidate') && !w('county')],
  [
    'election',
    ({ h, w }) =>
      h('incumbent', 'poll source', 'polling firm', 'republican ticket', 'democratic ticket') ||
      w('votes', 'obama', 'mccain', 'bush', 'kerry', 'romney', 'republican', 'democratic', 'democrat'),
  ],
  [
    'politician',
    ({ h }) => !h('team') && h('took office', 'left office', 'term start', 'term end', 'term of office', 'in office', 'assumed office', 'term'),
  ],
  ['athlete', ({ h }) => h('player', 'name') && h('pick', 'draft', 'nfl team', 'transfer fee', 'mlb draft')],
  ['school', ({ h }) => h('mascot', 'enrollment', 'decile') || (h('school', 'institution') && !h('player', 'name'))],
  [
    'sports team',
    ({ h }) =>
      h('team', 'club') &&
      !h(...PERSON) &&
      h('played', 'points', 'stadium', 'capacity', 'manager', 'head coach', 'location', 'founded', 'city', 'wins', 'drawn', 'ground'),
  ],
  [
    'sports team',
    ({ h }) =>
      h('season', 'year') &&
      h('league', 'division', 'playoffs', 'regular season', 'reg season', 'tier', 'level') &&
      !h('player', 'winner', 'champion', 'team', 'club'),
  ],
  [
    'sports event',
    ({ h }) =>
      h('year', 'season', 'edition', 'event', 'dates') &&
      h('winner', 'champion', 'champions', 'runner up', 'winners', 'runners up', 'third place', '1st place',
        'men s singles', 'second', 'third', 'host', 'general classification'),
  ],
  [
    'sports event',
    ({ h, seasons }) =>
      h('tournament', 'event', 'stage', 'competition', 'meet', 'championship') &&
      (seasons > 2 || h('winner', 'surface', 'venue', 'position', 'stage winner', 'finish', 'result')),
  ],
  [
    'athlete',
    ({ h }) =>
      h('year', 'season') &&
      (h('team', 'club', 'class', 'chassis', 'entrant', 'yards', 'starts', 'gp', 'poles', 'apps') ||
        (h(...PERSON) && h('games', 'goals', 'points', 'wins', 'races', 'series', 'matches', 'runs', 'avg', 'rec'))),
  ],
  ['sports team', ({ h }) => h('year', 'season') && h('games', 'goals', 'points', 'wins', 'matches', 'pts')],
  ['car', ({ h, w }) => h('model', 'engine') && !w('aircraft') && w('torque', 'displacement', 'engine', 'transmission', 'fuel', 'hp')],
  ['country', ({ h, w }) => h('country', 'nation') && w('population', 'gdp') && !h('city', 'name', 'town')],
  ['city', ({ w }) => w('population', 'pop')],
];

/** The entity of a table with these headers; null where nothing tells it. */
export function entityOfHeaders(columns) {
  const headers = columns.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim());
  const words = new Set(headers.flatMap((name) => name.split(' ')));
  const seen = {
    h: (...names) => names.some((name) => headers.includes(name)),
    w: (...names) => names.some((name) => words.has(name)),
    seasons: headers.filter((name) => SEASON.test(name)).length,
  };
  const rule = RULES.find(([, holds]) => holds(seen));
  if (rule !== undefined) return rule[0];
  const subject = headers.find((name) => !ORDINAL.test(name));
  if (subject === 'name') {
    return seen.h('caps', 'goals', 'club', 'team', 'college', 'apps', 'points', 'matches', 'wins') ? 'athlete' : null;
  }
  return SUBJECTS.get(subject) ?? SUBJECTS.get(singular(subject ?? '')) ?? null;
}
