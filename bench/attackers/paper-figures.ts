/** Accuracy in percent of one approach: on dev, and on people's names, renamed and added. */
export interface PaperRow {
  readonly dev: number;
  readonly rpl: number;
  readonly add: number;
}

/** ADVETA Table 3, Spider: exact match of ETA trained with each approach, means of five runs. */
export const PAPER_TABLE_3 = {
  original: { dev: 70.8, rpl: 27.6, add: 39.9 },
  'bert-attack': { dev: 68.1, rpl: 26.9, add: 43.1 },
  textfooler: { dev: 67.9, rpl: 28.4, add: 42.2 },
  w2v: { dev: 68.3, rpl: 30.1, add: 43.3 },
  mas: { dev: 69.1, rpl: 27.3, add: 35.3 },
  cta: { dev: 69.8, rpl: 35.8, add: 50.6 },
  'cta-without-retriever': { dev: 69.7, rpl: 34.7, add: 43.0 },
  'cta-without-nli': { dev: 69.6, rpl: 29.8, add: 47.8 },
} as const satisfies Readonly<Record<string, PaperRow>>;

/** ADVETA Table 6: exact match of RAT-SQL (BERT) on Spider dev and on Spider-Syn, which asks it in other words. */
export const PAPER_TABLE_6 = {
  original: { dev: 69.7, synonyms: 48.2 },
  mas: { dev: 67.4, synonyms: 62.6 },
} as const satisfies Readonly<Record<string, { readonly dev: number; readonly synonyms: number }>>;

export type ArmName = keyof typeof PAPER_TABLE_3;
export const ARM_NAMES = Object.keys(PAPER_TABLE_3) as readonly ArmName[];

/** A column that ADVETA's Table 10 shows proposals for, in its table, and what two attackers proposed there. */
export interface ShownColumn {
  readonly table: string;
  readonly columns: readonly string[];
  readonly column: string;
  /** Cells of the column: both attackers read some. */
  readonly values: readonly string[];
  readonly paper: Readonly<Record<'bert-attack' | 'textfooler', string>>;
}

/** ADVETA Table 10; the paper names no tables and shows no cells: these are ours, as is the third column where it shows two. */
export const PAPER_TABLE_10: Readonly<Record<'RPL' | 'ADD', readonly ShownColumn[]>> = {
  RPL: [
    {
      table: 'club',
      columns: ['club id', 'region', 'name'],
      column: 'region',
      values: ['North', 'South'],
      paper: { 'bert-attack': 'member, regional, district', textfooler: 'districts, zones, sphere' },
    },
    {
      table: 'author',
      columns: ['author id', 'type', 'title'],
      column: 'type',
      values: ['critic', 'poet'],
      paper: { 'bert-attack': 'title, types, number', textfooler: 'style, guy, genus' },
    },
    {
      table: 'song',
      columns: ['singer id', 'song name', 'country'],
      column: 'song name',
      values: ['Sun', 'Love'],
      paper: {
        'bert-attack': 'songs title, singer name, chorus name',
        textfooler: 'ballads denomination, ballads appointments, song designation',
      },
    },
  ],
  ADD: [
    {
      table: 'course',
      columns: ['course id', 'semester', 'section id'],
      column: 'semester',
      values: ['Fall', 'Spring'],
      paper: { 'bert-attack': 'classes, honors, session', textfooler: 'sophomore, majoring, freshman' },
    },
    {
      table: 'artwork',
      columns: ['artist id', 'artist', 'age'],
      column: 'artist',
      values: ['Claude Monet', 'Paul Klee'],
      paper: { 'bert-attack': 'composition, creator, design', textfooler: 'musicianship, thespian, arranger' },
    },
    {
      table: 'movie',
      columns: ['movie id', 'director', 'year'],
      column: 'director',
      values: ['Ang Lee', 'Jane Campion'],
      paper: { 'bert-attack': 'designer, operator, composer', textfooler: 'officers, padrone, guide' },
    },
  ],
};
