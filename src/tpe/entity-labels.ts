import { zip } from '../present.js';
import { softmax } from '../vectors.js';

/**
 * The 48 table primary entities of zero-shot prediction (ADVETA appendix B.2). The paper's list is unpublished; this
 * one is merged from Few-NERD's fine types (Ding et al. 2021), as singular nouns that can come before a column name.
 */
export const ENTITY_LABELS = [
  // person
  'actor',
  'artist',
  'author',
  'athlete',
  'director',
  'politician',
  'scholar',
  'soldier',
  'person',
  // location
  'country',
  'city',
  'body of water',
  'island',
  'mountain',
  'park',
  'road',
  // organization
  'company',
  'school',
  'government agency',
  'newspaper',
  'political party',
  'religious organization',
  'sports league',
  'sports team',
  // building
  'airport',
  'hospital',
  'hotel',
  'library',
  'restaurant',
  'stadium',
  'theater',
  // art
  'television program',
  'film',
  'song',
  'painting',
  'book',
  // product
  'airplane',
  'car',
  'food',
  'game',
  'software',
  // event
  'battle',
  'disaster',
  'election',
  'sports event',
  // other
  'award',
  'disease',
  'language',
] as const;

type EntityLabel = (typeof ENTITY_LABELS)[number];

/** A label and its probability, 0 to 1. */
export interface RankedEntity {
  readonly label: EntityLabel;
  readonly probability: number;
}

/**
 * All labels by the softmax of their logits, the likeliest first. A logit behind those of the labels stands for none of
 * them: what the probabilities lack to 1 is its share.
 */
export function rankEntities(logits: readonly number[]): readonly RankedEntity[] {
  return zip(ENTITY_LABELS, softmax(logits).slice(0, ENTITY_LABELS.length))
    .map(([label, probability]) => ({ label, probability }))
    .sort((a, b) => b.probability - a.probability);
}
