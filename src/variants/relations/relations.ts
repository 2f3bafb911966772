import type { Dataset } from '../../formats/dataset.js';
import type { SqlDialect } from '../../sql/dialect.js';
import type { RowReader } from '../databases/row-reader.js';
import type { QuestionMode, Relation, RelationFacts } from './relation.js';
import type { PerturbationKind } from './names/candidate-pool.js';
import type { DecisionSource } from './names/decisions.js';
import type { OtherNames } from './schema/other-names.js';

/** The resources of relations; each takes those that it needs, loaded at their first use. */
interface RelationResources extends DecisionSource {
  /** Root of a knowledge graph's endpoint; null = our own retriever and judge say what an entity can have. */
  readonly graph: string | null;
  /** True if questions follow values that a kind spells otherwise. */
  readonly question: QuestionMode;
}

/** A built-in relation. */
interface RelationEntry extends RelationFacts {
  /**
   * Error rate in percent, the mean of the paper's nine models on its own mutants of Spider dev (MT-TEQL Table 7); null
   * of a relation that is not the paper's.
   */
  readonly publishedRate: number | null;
  /** Of one that writes cells of the database into questions, or into names of tables. */
  readonly quotesCells?: 'questions' | 'names of tables';
  /** Options of `mutate` that it follows, and few others do. */
  readonly follows?: readonly ('candidates' | 'graph' | 'question')[];
  /** Makes the relation; its module is loaded only then. */
  readonly create: (resources: RelationResources) => Promise<Relation>;
}

/** A relation that answers are counted by. */
interface CountedEntry extends RelationEntry {
  /** Its change, as the subject of a sentence. */
  readonly deed: string;
}

/** Reads the rows of a data set. */
async function rowsOf(dataset: Dataset): Promise<RowReader> {
  const { openRows, RowReader: Reader } = await import('../databases/row-reader.js');
  return Reader.of(await openRows(dataset));
}

/** Makes a relation of the rows and the dialect of a data set. */
function ofRows(load: () => Promise<(rows: RowReader, dialect: SqlDialect) => Relation>): RelationEntry['create'] {
  return async ({ dataset }) => (await load())(await rowsOf(dataset), dataset.dialect);
}

/** Makes a relation of other names for columns and tables, and the dialect of a data set. */
function ofOtherNames(
  load: () => Promise<(names: OtherNames, dialect: SqlDialect) => Relation>,
): RelationEntry['create'] {
  return async ({ stages, dataset, candidates }) => {
    const { otherNames } = await import('./schema/other-names.js');
    return (await load())(await otherNames(stages, candidates ?? null), dataset.dialect);
  };
}

/** Makes a relation of the names that were decided on for columns. */
function ofCandidates(kind: PerturbationKind): RelationEntry['create'] {
  return async (resources) => {
    const { decisionsOf } = await import('./names/decisions.js');
    const { nameRelation } = await import('./names/name-relation.js');
    return nameRelation(kind, decisionsOf(resources), resources.dataset.dialect);
  };
}

/** The common facts of the paper's relations of questions, and of those of schemas. */
const UTTERANCE = { target: 'utterance' } as const;
const SCHEMA = { target: 'schema', cites: 'MT-TEQL §3.2' } as const;

/** The common facts of kinds of evolution: changes of schemas in use, whatever the gold query uses of them. */
const EVOLUTION = { target: 'schema', cites: 'EvoSchema', publishedRate: null } as const;

/** The common facts of changes to gold query and question together. */
const DR_SPIDER_SQL = {
  target: 'query',
  cites: 'Dr.Spider §3.3',
  capability: 'small changes of the question',
  publishedRate: null,
} as const;

/**
 * The metamorphic relations: the paper's under its abbreviations and in its order (MT-TEQL §3, Table 1), then kinds of
 * evolution, then changes of gold and question together. A new one is its file and its entry here.
 */
export const RELATIONS = {
  PI: {
    ...UTTERANCE,
    name: 'Prefix Insertion',
    deed: 'Putting a phrase in front of the question',
    cites: 'MT-TEQL §3.1, Table 2',
    capability: 'question form',
    publishedRate: 5.5,
    create: async () => (await import('./utterance/prefix-insertion.js')).PREFIX_INSERTION,
  },
  PR: {
    ...UTTERANCE,
    name: 'Prefix Removal',
    deed: 'Removing the question’s opening phrase',
    cites: 'MT-TEQL §3.1, Table 2',
    capability: 'question form',
    publishedRate: 6.4,
    create: async () => (await import('./utterance/prefix-removal.js')).PREFIX_REMOVAL,
  },
  PS: {
    ...UTTERANCE,
    name: 'Prefix Substitution',
    deed: 'Replacing the question’s opening phrase',
    cites: 'MT-TEQL §3.1, Table 2',
    capability: 'question form',
    publishedRate: 4.9,
    create: async ({ stages }) => {
      const { createPrefixSubstitution } = await import('./utterance/prefix-substitution.js');
      return createPrefixSubstitution(await stages.inflector());
    },
  },
  SS: {
    ...UTTERANCE,
    name: 'Synonym Substitution',
    deed: 'Saying “number of” or “largest” in other words',
    cites: 'MT-TEQL §3.1, Table 3',
    capability: 'words for aggregates',
    publishedRate: 21.1,
    create: async ({ dataset }) => {
      const { createSynonymSubstitution } = await import('./utterance/synonym-substitution.js');
      return createSynonymSubstitution(dataset.dialect);
    },
  },
  NO: {
    ...SCHEMA,
    name: 'Normalization',
    deed: 'Moving an unused column to a table of its own',
    capability: 'schema structure',
    publishedRate: 3.3,
    create: async ({ dataset }) => (await import('./schema/normalization.js')).normalization(dataset.dialect),
  },
  FL: {
    ...SCHEMA,
    name: 'Flattening',
    deed: 'Folding a table into the one that refers to it',
    capability: 'schema structure',
    publishedRate: 5.2,
    create: ofRows(async () => (await import('./schema/flattening.js')).flattening),
  },
  OK: {
    ...SCHEMA,
    name: 'Opaque Key',
    deed: 'Removing the declaration of a foreign key',
    capability: 'joins',
    publishedRate: 4.2,
    create: async ({ dataset }) => (await import('./schema/opaque-key.js')).opaqueKey(dataset.dialect),
  },
  TS: {
    ...SCHEMA,
    name: 'Table Shuffle',
    deed: 'Reordering tables',
    capability: 'serialization order',
    publishedRate: 1.7,
    create: async ({ dataset }) => (await import('./schema/table-shuffle.js')).tableShuffle(dataset.dialect),
  },
  CS: {
    ...SCHEMA,
    name: 'Column Shuffle',
    deed: 'Reordering columns',
    capability: 'serialization order',
    publishedRate: 0.8,
    create: async ({ dataset }) => (await import('./schema/column-shuffle.js')).columnShuffle(dataset.dialect),
  },
  CRm: {
    ...SCHEMA,
    name: 'Column Removal',
    deed: 'Removing an unused column',
    capability: 'column linking',
    publishedRate: 2.1,
    create: async ({ dataset }) => (await import('./evolution/removal.js')).columnRemoval(dataset.dialect),
  },
  CRn: {
    ...SCHEMA,
    name: 'Column Renaming',
    deed: 'Renaming an unused column',
    capability: 'column linking',
    publishedRate: 1.2,
    follows: ['candidates'],
    create: ofOtherNames(async () => (await import('./schema/column-renaming.js')).columnRenaming),
  },
  CI: {
    ...SCHEMA,
    name: 'Column Insertion',
    deed: 'Inserting a column',
    capability: 'column linking',
    publishedRate: 1.2,
    follows: ['candidates', 'graph'],
    create: async (resources) => {
      const { columnInsertion } = await import('./schema/column-insertion.js');
      const { possibleColumns } = await import('./schema/possible-columns.js');
      return columnInsertion(await possibleColumns(resources), resources.dataset.dialect);
    },
  },
  TRn: {
    ...EVOLUTION,
    name: 'Table Renaming',
    deed: 'Renaming tables',
    capability: 'schema structure',
    follows: ['candidates'],
    create: ofOtherNames(async () => (await import('./evolution/table-renaming.js')).tableRenaming),
  },
  CAb: {
    ...EVOLUTION,
    name: 'Column Abbreviation',
    deed: 'Abbreviating columns or writing them in full',
    cites: 'SNAILS',
    capability: 'column linking',
    create: async ({ dataset }) =>
      (await import('./evolution/column-abbreviation.js')).columnAbbreviation(dataset.dialect),
  },
  CSy: {
    ...EVOLUTION,
    name: 'Column Synonym',
    deed: 'Renaming a column to a synonym',
    cites: 'ADVETA §2.2',
    capability: 'column linking',
    follows: ['candidates'],
    create: ofOtherNames(async () => (await import('./schema/column-renaming.js')).columnSynonym),
  },
  TAd: {
    ...EVOLUTION,
    name: 'Table Addition',
    deed: 'Adding a table',
    capability: 'schema structure',
    create: async ({ stages, dataset }) => {
      const { tableAddition } = await import('./evolution/table-addition.js');
      const { furtherTables } = await import('./evolution/further-tables.js');
      return tableAddition(await furtherTables(stages), dataset.dialect);
    },
  },
  TRm: {
    ...EVOLUTION,
    name: 'Table Removal',
    deed: 'Removing an unused table',
    capability: 'schema structure',
    create: async ({ dataset }) => (await import('./evolution/removal.js')).tableRemoval(dataset.dialect),
  },
  CSp: {
    ...EVOLUTION,
    name: 'Column Split',
    deed: 'Splitting a column',
    capability: 'column linking',
    create: ofRows(async () => (await import('./evolution/column-split.js')).columnSplit),
  },
  CMe: {
    ...EVOLUTION,
    name: 'Column Merge',
    deed: 'Merging two columns',
    capability: 'column linking',
    create: ofRows(async () => (await import('./evolution/column-merge.js')).columnMerge),
  },
  CTy: {
    ...EVOLUTION,
    name: 'Column Type Change',
    deed: 'Changing the type of a column',
    capability: 'column linking',
    create: ofRows(async () => (await import('./evolution/column-type-change.js')).columnTypeChange),
  },
  TSp: {
    ...EVOLUTION,
    name: 'Table Split',
    deed: 'Splitting a table by columns',
    capability: 'schema structure',
    create: ofRows(async () => (await import('./evolution/table-split.js')).tableSplit),
  },
  TPa: {
    ...EVOLUTION,
    name: 'Table Partition',
    deed: 'Splitting a table by rows',
    capability: 'schema structure',
    quotesCells: 'names of tables',
    create: ofRows(async () => (await import('./evolution/table-partition.js')).tablePartition),
  },
  TMe: {
    ...EVOLUTION,
    name: 'Table Merge',
    deed: 'Merging two tables',
    capability: 'schema structure',
    create: ofRows(async () => (await import('./evolution/table-merge.js')).tableMerge),
  },
  SK: {
    ...EVOLUTION,
    name: 'Surrogate Key',
    deed: 'Replacing a composite key by a number',
    capability: 'joins',
    create: ofRows(async () => (await import('./evolution/surrogate-key.js')).surrogateKey),
  },
  FKR: {
    ...EVOLUTION,
    name: 'Foreign Key Removal',
    deed: 'Declaring no foreign keys',
    capability: 'joins',
    create: async ({ dataset }) =>
      (await import('./evolution/foreign-key-removal.js')).foreignKeyRemoval(dataset.dialect),
  },
  CEq: {
    ...EVOLUTION,
    name: 'Content Equivalence',
    deed: 'Writing values in another form',
    cites: 'Dr.Spider',
    capability: 'column linking',
    follows: ['question'],
    create: async ({ dataset, question }) => {
      const { contentEquivalence } = await import('./evolution/content-equivalence.js');
      return contentEquivalence(await rowsOf(dataset), question, dataset.dialect);
    },
  },
  NCR: {
    ...EVOLUTION,
    name: 'Needed Column Removal',
    deed: 'Removing a column that the question needs',
    capability: 'unanswerable questions',
    create: async ({ dataset }) => (await import('./evolution/removal.js')).neededColumnRemoval(dataset.dialect),
  },
  NTR: {
    ...EVOLUTION,
    name: 'Needed Table Removal',
    deed: 'Removing a table that the question needs',
    capability: 'unanswerable questions',
    create: async ({ dataset }) => (await import('./evolution/removal.js')).neededTableRemoval(dataset.dialect),
  },
  QCm: {
    ...DR_SPIDER_SQL,
    name: 'Comparison Change',
    deed: 'Turning a comparison around',
    create: async ({ dataset }) => (await import('./query/comparison-change.js')).comparisonChange(dataset.dialect),
  },
  QSo: {
    ...DR_SPIDER_SQL,
    name: 'Sort Order Change',
    deed: 'Turning a sort order around',
    create: ofRows(async () => (await import('./query/sort-order-change.js')).sortOrderChange),
  },
  QNn: {
    ...DR_SPIDER_SQL,
    name: 'Number Change',
    deed: 'Asking for another number of rows',
    create: async ({ dataset }) => (await import('./query/number-change.js')).numberChange(dataset.dialect),
  },
  QDn: {
    ...DR_SPIDER_SQL,
    name: 'Database Number Change',
    deed: 'Asking for another number',
    quotesCells: 'questions',
    create: ofRows(async () => (await import('./query/database-number-change.js')).databaseNumberChange),
  },
  QDt: {
    ...DR_SPIDER_SQL,
    name: 'Database Text Change',
    deed: 'Asking for another text',
    quotesCells: 'questions',
    create: ofRows(async () => (await import('./query/database-text-change.js')).databaseTextChange),
  },
} as const satisfies Readonly<Record<string, CountedEntry>>;

export type RelationId = keyof typeof RELATIONS;

/** ADVETA's two, of every column that a gold mentions at once: `augment` and `attack` ask for them by themselves. */
const NAME_RELATIONS = {
  RPL: {
    target: 'schema',
    name: 'Replacement',
    cites: 'ADVETA §2.2',
    capability: 'column linking',
    publishedRate: null,
    follows: ['candidates'],
    create: ofCandidates('RPL'),
  },
  ADD: {
    target: 'schema',
    name: 'Addition',
    cites: 'ADVETA §2.3',
    capability: 'column linking',
    publishedRate: null,
    follows: ['candidates'],
    create: ofCandidates('ADD'),
  },
} as const satisfies Readonly<Record<PerturbationKind, RelationEntry>>;

/** Ids of all relations that examples are mutated by. */
export type MutatingId = RelationId | PerturbationKind;

export const MUTATING_RELATIONS: Readonly<Record<MutatingId, RelationEntry>> = { ...RELATIONS, ...NAME_RELATIONS };

export const MUTATING_IDS = Object.keys(MUTATING_RELATIONS) as readonly MutatingId[];

export const RELATION_IDS = Object.keys(RELATIONS) as readonly RelationId[];

/** Those after which a question still has an answer: what can be learned from. */
export const ANSWERABLE_IDS = RELATION_IDS.filter((id) => RELATIONS[id].capability !== 'unanswerable questions');

/** The twelve of MT-TEQL. */
export const MT_TEQL_IDS = RELATION_IDS.filter((id) => RELATIONS[id].cites.startsWith('MT-TEQL'));

/** Relations after which the answer stays, or there is none: all but those that change the gold with the question. */
export const KEEPING_IDS = RELATION_IDS.filter((id) => RELATIONS[id].target !== 'query');

/** Where relations quote cells that the data set's own questions and names do not, by their ids. */
export const QUOTING_RELATIONS: ReadonlyMap<string, NonNullable<RelationEntry['quotesCells']>> = new Map(
  RELATION_IDS.flatMap((id) => {
    const { quotesCells }: RelationEntry = RELATIONS[id];
    return quotesCells === undefined ? [] : [[id, quotesCells]];
  }),
);

/** Kinds of evolution. */
export const EVOLUTION_IDS = KEEPING_IDS.filter((id) => !MT_TEQL_IDS.includes(id));

/**
 * Relations under one name: the twelve of MT-TEQL, and those that make Dr.Spider's three database sets (Chang et al.
 * 2023, §3.1): schema synonym, schema abbreviation, content equivalence, and its five SQL sets (§3.3).
 */
export const RELATION_GROUPS: Readonly<Record<string, readonly RelationId[]>> = {
  'mt-teql': MT_TEQL_IDS,
  'dr-spider': ['CAb', 'CSy', 'CSp', 'CMe', 'CTy', 'CEq'],
  'dr-spider-sql': RELATION_IDS.filter((id) => RELATIONS[id].target === 'query'),
};
