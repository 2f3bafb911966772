import { COMPOSED } from './counted-relation.js';
import { RELATIONS, type RelationId } from './relations.js';

/** Each relation's change, as the subject of a sentence; one that is not here is called by its name. */
const DEEDS: Readonly<Partial<Record<RelationId, string>>> = {
  PI: 'Putting a phrase in front of the question',
  PR: 'Removing the question’s opening phrase',
  PS: 'Replacing the question’s opening phrase',
  SS: 'Saying “number of” or “largest” in other words',
  NO: 'Moving an unused column to a table of its own',
  FL: 'Folding a table into the one that refers to it',
  OK: 'Removing the declaration of a foreign key',
  TS: 'Reordering tables',
  CS: 'Reordering columns',
  CRm: 'Removing an unused column',
  CRn: 'Renaming an unused column',
  CI: 'Inserting a column',
  TRn: 'Renaming tables',
  CAb: 'Abbreviating columns or writing them in full',
  CSy: 'Renaming a column to a synonym',
  TAd: 'Adding a table',
  TRm: 'Removing an unused table',
  CSp: 'Splitting a column',
  CMe: 'Merging two columns',
  CTy: 'Changing the type of a column',
  TSp: 'Splitting a table by columns',
  TPa: 'Splitting a table by rows',
  TMe: 'Merging two tables',
  SK: 'Replacing a composite key by a number',
  FKR: 'Declaring no foreign keys',
  CEq: 'Writing values in another form',
  NCR: 'Removing a column that the question needs',
  NTR: 'Removing a table that the question needs',
  QCm: 'Turning a comparison around',
  QSo: 'Turning a sort order around',
  QNn: 'Asking for another number of rows',
  QDn: 'Asking for another number',
  QDt: 'Asking for another text',
};

/** Returns the facts about a relation, or undefined for one of the user's own. */
function factsOf(relation: string): (typeof RELATIONS)[RelationId] | undefined {
  return RELATIONS[relation as RelationId];
}

/** The paper's name of a relation; null of one that is not the paper's. */
export function nameOfRelation(relation: string): string | null {
  if (relation === COMPOSED) return 'several changes at once';
  return factsOf(relation)?.name ?? null;
}

/** The paper's error rate of a relation, in percent; null where it has none. */
export function publishedRateOf(relation: string): number | null {
  return factsOf(relation)?.publishedRate ?? null;
}

/** "SS, Synonym Substitution": a relation's code with its name. */
export function wordsOf(relation: string): string {
  return [relation, nameOfRelation(relation)].filter((part) => part !== null).join(', ');
}

/** Describes a relation as the subject of a sentence; one of the user's own by its name. */
export function deedOf(relation: string): string {
  if (relation === COMPOSED) return 'Making several changes at once';
  return DEEDS[relation as RelationId] ?? nameOfRelation(relation) ?? `Relation ${relation}`;
}
