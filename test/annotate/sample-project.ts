import { join } from 'node:path';
import {
  type AnnotationItem,
  annotationItemId,
  type NameKind,
  type CandidateScores,
  type ItemContext,
} from '../../src/annotate/annotation.js';
import { AnnotationProject } from '../../src/annotate/project/annotation-project.js';
import { createProject } from '../../src/annotate/project/create-project.js';
import {
  DEFAULT_SETTINGS,
  type NewPerson,
  type ProjectItem,
  type ProjectSettings,
} from '../../src/annotate/project/project-content.js';
import type { ColumnType } from '../../src/schema/schema.js';

/** A lighthouse museum of two tables; everything about it is invented. */
const DB_ID = 'lighthouse_museum';

interface SampleColumn {
  readonly name: string;
  readonly originalName: string;
  readonly type: ColumnType;
}

interface SampleTable {
  readonly table: string;
  readonly tableOriginal: string;
  readonly context: Omit<ItemContext, 'questions'>;
}

const column = (name: string, originalName: string, type: ColumnType): SampleColumn => ({ name, originalName, type });

const KEEPERS: SampleTable = {
  table: 'keeper',
  tableOriginal: 'Keeper',
  context: {
    entity: 'keeper',
    columns: [
      column('keeper id', 'Keeper_ID', 'number'),
      column('name', 'Name', 'text'),
      column('home country', 'Home_Country', 'text'),
      column('years of service', 'Years_Of_Service', 'number'),
    ],
    rows: [
      ['1', 'Odile Marren', 'Norway', '12'],
      ['2', 'Tamsin Quoll', 'Portugal', '3'],
      ['3', 'Ivo <b>Brandt</b>', 'Iceland', '27'],
    ],
  },
};

const TOWERS: SampleTable = {
  table: 'tower',
  tableOriginal: 'Tower',
  context: {
    entity: 'tower',
    columns: [
      column('tower id', 'Tower_ID', 'number'),
      column('height', 'Height', 'number'),
      column('lamp type', 'Lamp_Type', 'text'),
      column('opening date', 'Opening_Date', 'time'),
    ],
    rows: [
      ['1', '41.5', 'argand', '1868-05-02'],
      ['2', '18', 'electric', '1931-11-20'],
    ],
  },
};

interface SampleTarget {
  readonly table: SampleTable;
  readonly column: string;
  readonly questions: ItemContext['questions'];
  readonly lists: Readonly<Record<NameKind, readonly string[]>>;
}

const question = (id: string, text: string, query: string): ItemContext['questions'][number] => ({
  id,
  question: text,
  query,
});

/** Five columns that questions mention, each with names to replace it by and names to put next to it. */
const TARGETS: readonly SampleTarget[] = [
  {
    table: KEEPERS,
    column: 'Name',
    questions: [
      question('dev:0', 'What are the names of all keepers?', 'SELECT Name FROM Keeper'),
      question('dev:1', 'Who has served longest?', 'SELECT Name FROM Keeper ORDER BY Years_Of_Service DESC LIMIT 1'),
    ],
    lists: {
      RPL: ['full name', 'keeper name', 'called', 'person name', 'label', 'title'],
      ADD: ['nickname', 'surname', 'maiden name', 'family', 'pen name', 'signature', 'birthplace', 'uniform size'],
    },
  },
  {
    table: KEEPERS,
    column: 'Home_Country',
    questions: [
      question(
        'dev:2',
        'How many keepers come from Norway?',
        "SELECT count(*) FROM Keeper WHERE Home_Country = 'Norway'",
      ),
    ],
    lists: {
      RPL: ['country of origin', 'native country', 'homeland', 'nation', 'birth country', 'land', 'state'],
      ADD: [
        'home town',
        'continent',
        'language',
        'passport number',
        'capital',
        'currency',
        'embassy',
        'residence',
        'climate',
      ],
    },
  },
  {
    table: KEEPERS,
    column: 'Years_Of_Service',
    questions: [
      question('dev:1', 'Who has served longest?', 'SELECT Name FROM Keeper ORDER BY Years_Of_Service DESC LIMIT 1'),
    ],
    lists: {
      RPL: ['service years', 'length of service', 'tenure', 'seniority', 'time served', 'working years'],
      ADD: [
        'age',
        'retirement year',
        'start date',
        'salary',
        'shifts',
        'days of leave',
        'training years',
        'rank',
        'medals',
      ],
    },
  },
  {
    table: TOWERS,
    column: 'Height',
    questions: [question('dev:3', 'How high is the tallest tower?', 'SELECT max(Height) FROM Tower')],
    lists: {
      RPL: ['tower height', 'elevation', 'tallness', 'altitude', 'vertical extent', 'how high'],
      ADD: Array.from({ length: 20 }, (_, i) => `measure ${i + 1}`),
    },
  },
  {
    table: TOWERS,
    column: 'Opening_Date',
    questions: [
      question(
        'dev:4',
        'When did the electric towers open?',
        "SELECT Opening_Date FROM Tower WHERE Lamp_Type = 'electric'",
      ),
    ],
    lists: {
      RPL: ['date opened', 'inauguration date', 'launch date', 'first open on', 'start date', 'day of opening'],
      ADD: [
        'closing date',
        'renovation date',
        'visiting hours',
        'builder',
        'last inspection',
        'ticket price',
        'admission',
      ],
    },
  },
];

function scoresOf(names: readonly string[], kind: NameKind): readonly CandidateScores[] {
  return names.map((name, i) => ({
    name,
    bucket: i < 3 ? kind : 'rejected',
    reason: i < 3 ? (kind === 'RPL' ? 'entailment' : 'no-equivalence') : 'between-thresholds',
    similarity: (20 - i) / 25,
    association: kind === 'ADD' ? (20 - i) / 30 : null,
    e1: kind === 'RPL' ? (20 - i) / 22 : i / 25,
    e2: null,
    ...(kind === 'ADD' && i < 3 ? { goesWith: i < 2 ? ('column' as const) : ('row' as const) } : {}),
  }));
}

/** Of the names of a list neither in its order nor against it; names of the home country are the hardest on average. */
function sampleDifficulty(column: string, i: number): number {
  const tenths = (i * 7 + 2) % 10;
  return (column === 'Home_Country' ? 5 + tenths / 2 : tenths / 2) / 10;
}

function sampleItem({ table, column: original, questions, lists }: SampleTarget, kind: NameKind): ProjectItem {
  const { name, type } = table.context.columns.find(({ originalName }) => originalName === original)!;
  const place = { dbId: DB_ID, tableOriginal: table.tableOriginal, columnOriginal: original, kind };
  const source = kind === 'RPL' ? 'dictionary' : 'retrieval';
  const origin =
    kind === 'RPL' ? null : { table: 'w17', title: 'Lights of the <i>northern</i> coast', column: 'remarks' };
  const item: AnnotationItem = {
    ...place,
    id: annotationItemId(place),
    table: table.table,
    column: name,
    type,
    // Those of towers are as earlier versions made them.
    candidates: lists[kind].map((candidate, i) => ({
      name: candidate,
      source,
      origin,
      ...(table === KEEPERS ? { difficulty: sampleDifficulty(original, i) } : {}),
    })),
  };
  return { item, context: { ...table.context, questions }, scores: scoresOf(lists[kind], kind) };
}

/** Ten items: five columns of two tables, both kinds, lists of 6 to 20 names. */
export function sampleItems(): readonly ProjectItem[] {
  return TARGETS.flatMap((target) => [sampleItem(target, 'RPL'), sampleItem(target, 'ADD')]);
}

export interface SampleOptions {
  readonly annotators?: readonly string[];
  readonly reviewers?: readonly string[];
  readonly settings?: Partial<ProjectSettings>;
  readonly items?: readonly ProjectItem[];
}

/** A link's token for each person of a project, by name. */
function renewTokens(file: string): ReadonlyMap<string, string> {
  return AnnotationProject.with(
    file,
    {},
    (project) => new Map(project.people().map(({ name }) => [name, project.renewToken(name)])),
  );
}

/** Makes `project.db` in a folder: by default Ada and Ben annotate everything both, Rita reviews, chunks of one table. */
export function createSampleProject(
  folder: string,
  { annotators = ['Ada', 'Ben'], reviewers = ['Rita'], settings = {}, items = sampleItems() }: SampleOptions = {},
): { readonly file: string; readonly tokens: ReadonlyMap<string, string> } {
  const file = join(folder, 'project.db');
  const people: NewPerson[] = [
    ...annotators.map((name) => ({ name, role: 'annotator' as const })),
    ...reviewers.map((name) => ({ name, role: 'reviewer' as const })),
  ];
  const all = { ...DEFAULT_SETTINGS, name: 'Lighthouse museum', overlap: 2, chunkSize: 3, ...settings };
  createProject(file, items, { settings: all, people });
  return { file, tokens: renewTokens(file) };
}
