import type { AugmentSample, AugmentSummary } from '../../../src/variants/report/augment-report.js';
import type { CandidateDecision } from '../../../src/formats/artifacts/candidates.js';
import type { CandidatesReportContext } from '../../../src/variants/report/candidates-report.js';
import type { Database } from '../../../src/schema/schema.js';

/** One decision; by default a retrieved RPL candidate. */
export function decision(changes: Partial<CandidateDecision> = {}): CandidateDecision {
  return {
    db_id: 'school',
    table: 'student',
    column: 'home town',
    bucket: 'RPL',
    reason: 'entailment',
    candidate: 'city of origin',
    source: 'retrieval',
    origin: { table: 'wdc-7', title: 'Exchange students', column: 'city of origin', type: 'text', score: 0.71 },
    similarity: 0.62,
    association: 1.2,
    e1: 0.9,
    e2: 0.8,
    against: 'home town',
    near: false,
    ...changes,
  };
}

function table(name: string, columns: readonly string[]): Database['tables'][number] {
  return { name, originalName: name, columns: columns.map((name) => ({ name, originalName: name, type: 'text' })) };
}

/** Two databases: three tables with 3 + 2 + 1 columns. */
export const DATABASES: readonly Database[] = [
  {
    id: 'school',
    tables: [table('student', ['home town', 'age', 'name']), table('class', ['title', 'room'])],
    primaryKeys: [],
    foreignKeys: [],
  },
  { id: 'shop', tables: [table('product', ['name'])], primaryKeys: [], foreignKeys: [] },
];

export const SETTINGS: CandidatesReportContext['settings'] = {
  recipe: 'cta',
  seed: 7,
  thresholds: { rplMin: 0.65, addMax: 0.45, source: 'manifest' },
  models: [{ name: 'perturbql-judge', revision: 'v0', sha256: 'ab'.repeat(32), nonCommercial: true }],
  index: { name: 'starter', tables: 600, k: 30 },
  vectors: 'retrofitted-glove',
  dictionary: 'wordnet',
  version: '0.1.0',
};

/** Five columns were to be perturbed: all but `student . name`. */
export function context(changes: Partial<CandidatesReportContext> = {}): CandidatesReportContext {
  return {
    dataset: 'spider',
    databases: DATABASES,
    targetColumns: [
      { dbId: 'school', table: 'student', column: 'home town' },
      { dbId: 'school', table: 'student', column: 'age' },
      { dbId: 'school', table: 'class', column: 'title' },
      { dbId: 'school', table: 'class', column: 'room' },
      { dbId: 'shop', table: 'product', column: 'name' },
    ],
    settings: SETTINGS,
    counts: { 'rule: digits': 4, 'pairs scored': 120 },
    warnings: [],
    ...changes,
  };
}

const ADD = { bucket: 'ADD', reason: 'no-equivalence', e1: 0.1, e2: 0.2, similarity: 0.4 } as const;
const DICTIONARY = { source: 'dictionary', origin: null } as const;

/** Nine decisions: 3 RPL, 4 ADD, 2 rejected. */
export const DECISIONS: readonly CandidateDecision[] = [
  decision(),
  decision({ candidate: 'native city', ...DICTIONARY, e1: 0.66, e2: 0.65, near: true }),
  decision({ ...ADD, candidate: 'mailing city' }),
  decision({ ...ADD, candidate: 'postal code', similarity: -0.1 }),
  decision({ ...ADD, candidate: 'Current  Town', against: 'name' }),
  decision({ bucket: 'rejected', reason: 'between-thresholds', candidate: 'region', e1: 0.5, e2: null }),
  decision({ column: 'age', candidate: 'years', ...DICTIONARY, similarity: null }),
  decision({
    column: 'age',
    ...DICTIONARY,
    bucket: 'rejected',
    reason: 'digits',
    candidate: 'age 2',
    e1: null,
    e2: null,
    against: null,
    similarity: null,
  }),
  decision({ db_id: 'shop', table: 'product', column: 'name', ...ADD, candidate: 'brand name' }),
];

/** A variant of each kind: RPL changes the query, ADD does not. */
export const RENAMED: AugmentSample = {
  id: 'dev:1',
  question: 'Where do students <come> from?',
  dbId: 'school',
  kind: 'RPL',
  changes: [{ table: 'student', column: 'home town', to: 'city of origin' }],
  queryBefore: "SELECT Home_Town FROM student WHERE name = 'Home_Town'",
  queryAfter: "SELECT City_Of_Origin FROM student WHERE name = 'Home_Town'",
};
export const ADDED: AugmentSample = {
  ...RENAMED,
  kind: 'ADD',
  changes: [{ table: 'student', column: 'home town', to: 'mailing city' }],
  queryAfter: RENAMED.queryBefore,
};

/** A run of `augment` with both. */
export function augmentSummary(changes: Partial<AugmentSummary> = {}): AugmentSummary {
  return {
    dataset: 'spider',
    databases: DATABASES,
    examples: 3,
    written: { original: 3, rpl: 2, add: 3 },
    leftOut: 6,
    skipped: [
      { id: 'dev:9', reason: 'no candidate' },
      { id: 'dev:2', reason: 'query can’t be parsed' },
      { id: 'dev:3', reason: 'no candidate' },
    ],
    redraws: 4,
    unchangedColumns: [
      { dbId: 'shop', table: 'product', column: 'name', bucket: 'ADD', reason: 'no fitting name' },
      { dbId: 'shop', table: 'product', column: 'name', bucket: 'RPL', reason: 'no name' },
    ],
    samples: [ADDED, RENAMED],
    settings: SETTINGS,
    warnings: [],
    literals: 1,
    verification: null,
    ...changes,
  };
}
