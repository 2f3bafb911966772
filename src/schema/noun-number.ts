/** The regular number of English nouns. The library tries some hundred patterns a word, and the same words come again and again. */
import pluralize from 'pluralize';
import { memoize } from './memoize.js';

/** The singular of a noun; what looks like none stays as it is. */
export const singularOf = memoize((noun) => pluralize.singular(noun));

/** The plural of a noun; what looks like one stays as it is. */
export const pluralOf = memoize((noun) => pluralize.plural(noun));
