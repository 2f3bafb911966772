/** Words of table names that say how rows are kept, not what they are: "car data", "model list", "player attributes". */
export const FILING_WORDS: ReadonlySet<string> = new Set(
  'data info information list table detail details attribute attributes statistics profile'.split(' '),
);
