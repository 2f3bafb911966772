import type { ComposedSample, ComposeReport } from '../../../src/compositional/compose/report/compose-report.js';

/** A part of a gardener question replaced by another's. */
export const REPLACED = {
  id: 'dev:0~SUB(dev:1)',
  kind: 'SUB',
  connective: null,
  depth: 1,
  parents: ['dev:0', 'dev:1'],
  elements: [
    { id: 'dev:0#1-1', text: 'who come from Portugal.', frame: 'relative', noun: 'gardener' },
    { id: 'dev:1#1-1', text: 'who were born before 1980?', frame: 'relative', noun: 'gardener' },
  ],
  pieces: [
    { of: 'base', text: 'Show the names of all gardeners ' },
    { of: 'element', text: 'who were born before 1980.' },
  ],
  hardness: 'easy',
  db_id: 'community_garden',
  source: 'dev:0',
  question: 'Show the names of all gardeners who were born before 1980.',
  query: 'SELECT full_name FROM gardener WHERE birth_year < 1980',
  segments: [],
  template: 't0',
  asked: [
    {
      question: 'Show the names of all gardeners who come from Portugal.',
      query: "SELECT full_name FROM gardener WHERE home_country = 'Portugal'",
    },
    {
      question: 'How many gardeners are there who were born before 1980?',
      query: 'SELECT count(*) FROM gardener WHERE birth_year < 1980',
    },
  ],
} satisfies ComposedSample;

/** The same part appended. */
export const APPENDED: ComposedSample = {
  ...REPLACED,
  id: 'dev:0~AND(dev:1)',
  kind: 'APP',
  connective: 'and',
  pieces: [
    { of: 'base', text: 'Show the names of all gardeners who come from Portugal' },
    { of: 'link', text: ' and ' },
    { of: 'element', text: 'who were born before 1980' },
    { of: 'base', text: '.' },
  ],
  hardness: 'medium',
  question: 'Show the names of all gardeners who come from Portugal and who were born before 1980.',
  query: "SELECT full_name FROM gardener WHERE home_country = 'Portugal' AND birth_year < 1980",
};

/** The report of a run that wrote both. */
export function composedReport(changes: Partial<ComposeReport> = {}): ComposeReport {
  const written = { total: 1, or: 0, deep: 0 };
  const rule = { group: 'coherence', source: 'ours' };
  return {
    format: 'perturbql-compose',
    version: 1,
    perturbql: '0.1.0',
    dataset: 'spider',
    examples: 3,
    questions: 2,
    elements: 2,
    drafts: 1200,
    draftsByKind: { SUB: 700, APP: 500 },
    made: 2,
    written: {
      SUB: { ...written, hardness: { easy: 1, medium: 0, hard: 0, extra: 0 } },
      APP: { ...written, hardness: { easy: 0, medium: 1, hard: 0, extra: 0, unknown: 0 } },
    },
    executed: true,
    rules: [
      { ...rule, id: 'same-frame', says: 'frames <fit>', refused: 3, refusedByKind: { SUB: 1, APP: 2 } },
      { ...rule, id: 'or-of-two', says: '"or" joins two', refused: 1195, refusedByKind: { SUB: 698, APP: 497 } },
      { ...rule, id: 'order-last', says: 'an order is last', refused: 0, refusedByKind: { SUB: 0, APP: 0 } },
    ],
    split: null,
    databases: [{ id: 'community_garden', questions: 2, elements: 2, written: { SUB: 1, APP: 1 } }],
    samples: [REPLACED, APPENDED],
    warnings: [],
    leftOut: [{ reason: 'no clause form', count: 1, ids: ['dev:2'] }],
    ...changes,
  };
}
