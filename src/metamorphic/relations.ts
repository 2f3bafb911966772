import type { CandidateDecision } from '../formats/candidates-file.js';
import type { Dataset } from '../formats/dataset.js';
import type { StageResources } from '../recipes/stage-resources.js';
import type { MetamorphicRelation, RelationId } from './relation.js';

/** What relations are made from; each takes what it needs, loaded at its first use. */
interface RelationResources {
  /** Models, index, vectors, dictionaries. */
  readonly stages: StageResources;
  /** The data set that is mutated: rows, sample values, the SQL dialect. */
  readonly dataset: Dataset;
  /** Root of a knowledge graph's endpoint; null = our own retriever and judge say what an entity can have. */
  readonly graph: string | null;
  /** Decisions of an earlier run of `perturbql candidates`; they stand in for dictionary, retriever and judge. */
  readonly candidates?: readonly CandidateDecision[] | null;
}

/** Makes one relation; its module is loaded only then. */
export type RelationFactory = (resources: RelationResources) => Promise<MetamorphicRelation>;

/** MT-TEQL §3, Table 1. A new relation is its file, one line here and its tests. */
export const RELATIONS: Readonly<Record<RelationId, RelationFactory>> = {
  PI: async () => (await import('./utterance/prefix-insertion.js')).PREFIX_INSERTION,
  PR: async () => (await import('./utterance/prefix-removal.js')).PREFIX_REMOVAL,
  PS: async ({ stages }) => {
    const { createPrefixSubstitution } = await import('./utterance/prefix-substitution.js');
    return createPrefixSubstitution(await stages.inflector());
  },
  SS: async ({ dataset }) => {
    const { createSynonymSubstitution } = await import('./utterance/synonym-substitution.js');
    return createSynonymSubstitution(dataset.dialect);
  },
  NO: async ({ dataset }) => (await import('./schema/normalization.js')).normalization(dataset.dialect),
  FL: async ({ dataset }) => {
    const { flattening } = await import('./schema/flattening.js');
    const { LinkReader } = await import('./database/link-facts.js');
    return flattening(new LinkReader(dataset), dataset.dialect);
  },
  OK: async ({ dataset }) => (await import('./schema/opaque-key.js')).opaqueKey(dataset.dialect),
  TS: async ({ dataset }) => (await import('./schema/table-shuffle.js')).tableShuffle(dataset.dialect),
  CS: async ({ dataset }) => (await import('./schema/column-shuffle.js')).columnShuffle(dataset.dialect),
  CRm: async ({ dataset }) => (await import('./schema/column-removal.js')).columnRemoval(dataset.dialect),
  CRn: async ({ stages, dataset, candidates }) => {
    const { columnRenaming } = await import('./schema/column-renaming.js');
    const { otherNames } = await import('./schema/other-names.js');
    return columnRenaming(await otherNames(stages, candidates ?? null), dataset.dialect);
  },
  CI: async ({ stages, dataset, graph, candidates }) => {
    const { columnInsertion } = await import('./schema/column-insertion.js');
    const { possibleColumns } = await import('./schema/possible-columns.js');
    return columnInsertion(
      await possibleColumns({ stages, dataset, graph, candidates: candidates ?? null }),
      dataset.dialect,
    );
  },
};
