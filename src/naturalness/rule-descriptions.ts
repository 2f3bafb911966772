/** What each naturalness rule's rejection means, for reports. */
export const RULE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'existing-name': 'The table has a column of that name, or is named so',
  offensive: 'Holds an offensive word',
  symbols: 'Holds signs that no column name needs',
  digits: 'Holds digits that the column does not',
  short: 'Under four letters, and no usual word',
  misspelled: 'Holds a word that is not English',
  opaque: 'Ends in "id" or a code where the column does not',
  'word-repeat': 'Says a word twice',
  'too-long': 'Too long for a column name',
  'rare-word': 'Holds a rare word',
  'number-agreement': 'Plural where the column is singular, or the other way about',
  'row-kind': 'Says what a row of the table is, not what it has',
  unsupported: 'The dictionary does not support it as a replacement of the column',
  ambiguous: 'Could as well stand for another column of the table',
  synonym: 'A synonym of a column of the table, so nothing to add',
  unassociated: 'Not associated enough with the column and its table to be added',
};
