/** Reasons as relations count them, in words. */
const WORDS: Readonly<Record<string, string>> = {
  'dropped-table-alone': 'the query reads the table that goes without the one that takes its columns',
  'gold-can-still-be-read': 'the gold query still runs without what was removed',
  'gold-cannot-follow': 'the gold query can’t be rewritten for the changed schema',
  'gold-unreadable': 'the gold query can’t be read',
  'name-in-the-gold': 'the gold query uses the name',
  'names-become-ambiguous': 'names of the gold query would be ambiguous',
  'nested-join': 'the join is nested',
  'no-column-that-only-it-has': 'every column that the query needs has a twin elsewhere',
  'no-composite-key': 'no table has a key of several columns',
  'no-foreign-key': 'there is no foreign key',
  'no-other-name': 'no other name is known',
  'no-possible-column': 'no column can be added',
  'no-rows-to-read': 'there are no rows to read',
  'no-short-name': 'no name can be shortened',
  'no-table-that-only-it-has': 'every table that the query needs has a twin',
  'no-table-to-add': 'there is no table to add',
  'no-table-with-a-key-and-enough-columns': 'no table has a key and enough columns to split',
  'no-two-columns': 'no table has two columns to choose from',
  'no-unused-column': 'the query uses every column',
  'no-unused-table': 'the query uses every table',
  'no-used-column': 'the query uses no column',
  'nothing-to-change': 'there is nothing to change',
  'one-table': 'the database has one table',
  'star-has-the-order': 'the query’s * depends on the order of columns',
  'star-selects-all': 'the query’s * selects all columns',
};

/** A reason why there is no mutant, in words; one that is not known, such as a user’s own, unchanged. */
export function reasonWords(reason: string): string {
  return WORDS[reason] ?? reason;
}
