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

export type EntityLabel = (typeof ENTITY_LABELS)[number];
