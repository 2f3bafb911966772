/** A name proposed in a worked example, and what to do with it. */
interface WorkedName {
  readonly name: string;
  readonly take: boolean;
  readonly why: string;
}

/** A column of an invented table with names that were proposed for it. */
export interface WorkedExample {
  /** The table with all its columns; one of them is the column at hand. */
  readonly entity: string;
  readonly columns: readonly string[];
  readonly column: string;
  /** A question whose SQL mentions the column. */
  readonly question: string;
  readonly names: readonly WorkedName[];
}

const FERRY = { entity: 'ferry', columns: ['name', 'operator', 'home port', 'capacity', 'departure', 'fare'] };

/** Names for a column that is renamed. */
export const REPLACE_EXAMPLES: readonly WorkedExample[] = [
  {
    ...FERRY,
    column: 'capacity',
    question: 'Which ferries take more than 400 passengers?',
    names: [
      { name: 'passenger capacity', take: true, why: 'Says the same more fully; the cells count passengers.' },
      { name: 'maximum passengers', take: true, why: 'Other words, same number in every row.' },
      {
        name: 'capability',
        take: false,
        why: 'Related word, other meaning: what a ship can do, not how many it takes.',
      },
      { name: 'size', take: false, why: 'Too broad: it could be length, weight or decks.' },
      { name: 'cubic content', take: false, why: 'A sense of “capacity”, but not the one of this table.' },
      { name: 'passengers carry number', take: false, why: 'Nobody would write it: the grammar is wrong.' },
    ],
  },
  {
    ...FERRY,
    column: 'operator',
    question: 'How many ferries does North Line run?',
    names: [
      { name: 'operated by', take: true, why: 'Another part of speech, the same cells.' },
      { name: 'shipping company', take: true, why: 'What an operator of ferries is.' },
      { name: 'surgeon', take: false, why: 'A synonym elsewhere; no one who runs a ferry.' },
      { name: 'harbor', take: false, why: 'Would be taken for “home port”, which is a column already.' },
    ],
  },
];

/** Names for columns that join a table. */
export const ADD_EXAMPLES: readonly WorkedExample[] = [
  {
    ...FERRY,
    column: 'fare',
    question: 'What is the lowest fare from Easthaven?',
    names: [
      { name: 'luggage surcharge', take: true, why: 'Also money that a passenger pays, yet never the fare.' },
      { name: 'booking fee', take: true, why: 'Near in meaning, answers other questions.' },
      { name: 'discount', take: true, why: 'Belongs to fares, and can’t replace them.' },
      { name: 'ticket price', take: false, why: 'The same as “fare”: the SQL could use either.' },
      { name: 'sailing time', take: false, why: 'Could mean “departure”, a column that is there.' },
      { name: 'shoe size', take: false, why: 'No table of ferries has it.' },
      { name: 'engine type', take: false, why: 'Fits the table, but has nothing to do with the fare.' },
    ],
  },
];
