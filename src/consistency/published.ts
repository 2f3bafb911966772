import type { RelationId } from '../metamorphic/relation.js';

/** The paper's names of its relations (MT-TEQL Table 1). */
export const RELATION_NAMES: Readonly<Record<RelationId, string>> = {
  PI: 'Prefix Insertion',
  PR: 'Prefix Removal',
  PS: 'Prefix Substitution',
  SS: 'Synonym Substitution',
  NO: 'Normalization',
  FL: 'Flattening',
  OK: 'Opaque Key',
  TS: 'Table Shuffle',
  CS: 'Column Shuffle',
  CRm: 'Column Removal',
  CRn: 'Column Renaming',
  CI: 'Column Insertion',
};

/** Error rates in percent, the mean of the paper's nine models on its own mutants of Spider dev (MT-TEQL Table 7). */
export const PUBLISHED_RATES: Readonly<Record<RelationId | 'all', number>> = {
  ...{ PI: 5.5, PR: 6.4, PS: 4.9, SS: 21.1, NO: 3.3, FL: 5.2, OK: 4.2, TS: 1.7, CS: 0.8, CRm: 2.1, CRn: 1.2, CI: 1.2 },
  all: 3.1,
};
