import { renderTable, words } from '../../report/data-table.js';
import { html, type Html } from '../../report/html.js';
import { MAX_ADD, MIN_ADD } from '../project/project-content.js';

/** A name proposed in a worked example, and what to do with it. */
interface WorkedName {
  readonly name: string;
  readonly take: boolean;
  readonly why: string;
}

/** A column of an invented table with names that were proposed for it. */
interface WorkedExample {
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

/** ADVETA §2.1, explicit and implicit elements of a table. */
const CONTEXT = html`<section>
  <h2>First the table, then the name</h2>
  <p>
    Each task shows one column of one table. Before you judge a single name, find out what the table is about: read its
    title, its columns and a few rows, and ask <em>what one row is</em>: a student, a flight, an order. That thing is
    shown as the table’s primary entity; correct it in your head where it is wrong. Then read the questions: they show
    what people want from the column.
  </p>
  <p>
    The test behind every rule: someone who writes SQL well, sees the changed table and knows nothing of the old one,
    must still write the right query for each of these questions. A program may stumble; a person must not.
  </p>
</section>`;

/** ADVETA §2.2 and appendix A (what annotators' replacements look like). */
const REPLACE = html`<section>
  <h2>RPL: another name for the column</h2>
  <p>You look for names that could stand in the column’s place. Take a name only if all of this holds:</p>
  <ol>
    <li><strong>It means the same, here.</strong> Not in the dictionary: in this table, with these cells.</li>
    <li>
      <strong>It is as wide as the column.</strong> A broader name (“place” for “city”) and a narrower one (“capital”
      for “city”) both change what the cells are.
    </li>
    <li><strong>It is correct English</strong> for a header: short, no broken grammar, no misspelling.</li>
    <li>
      <strong>It goes with the entity.</strong> Some words mean the same and are still never said of this thing: a river
      and a voice are both deep, but no one measures the depth of a voice.
    </li>
    <li><strong>It is idiomatic.</strong> Words put together from synonyms are often names that nobody uses.</li>
    <li><strong>It is no other column’s name,</strong> nor could it be taken for one.</li>
  </ol>
  <p>
    Take every name of the list that passes, be they three or none. Then write your own: the list is help, not a limit.
    Look things up as you like. Good places to look are usual abbreviations (a number that people dial is a “tel.”), set
    phrases of the trade, and other parts of speech (“founder” and “founded by”).
  </p>
</section>`;

/** ADVETA §2.3 and §3.1. */
const ADD = html`<section>
  <h2>ADD: columns that join the table</h2>
  <p>
    You choose <strong>${MIN_ADD} to ${MAX_ADD}</strong> names from the list that could become new columns next to the
    column at hand. Take those that are nearest to it in meaning and yet something else:
  </p>
  <ol>
    <li><strong>It fits the table.</strong> Someone who keeps such a table might well add it.</li>
    <li>
      <strong>It is close to the column at hand.</strong> A reader in a hurry could confuse the two. Merely fitting the
      table is not enough.
    </li>
    <li>
      <strong>It says something different from every column</strong> of the table, not only from the one at hand. If a
      question could now be answered from the new column, leave it.
    </li>
    <li><strong>It is natural,</strong> by the same rules as above.</li>
    <li><strong>Those you take differ among themselves;</strong> two spellings of one idea count once.</li>
  </ol>
  <p>Where fewer than ${MIN_ADD} names pass, take those and note it in the comment. A wrong name is worse than none.</p>
</section>`;

/** ADVETA §3.1: one annotates, another reviews, disagreements are resolved. */
const WORKING = html`<section>
  <h2>While you work</h2>
  <ul>
    <li>Decide for yourself. What others answer is hidden from you; a reviewer compares afterwards.</li>
    <li>The order of the list is a program’s guess. Its scores are hidden until you ask; better judge first.</li>
    <li>
      A check under your own names warns of names that are columns already or look misspelled. It is a program, too: it
      may be wrong, and refuses nothing.
    </li>
    <li>
      <strong>Skip</strong> a column that can’t be judged (no telling what it holds) and say why. <strong>Flag</strong>
      what a reviewer should look at. Go back and change answers whenever you know better.
    </li>
  </ul>
</section>`;

function workedExample({ entity, columns, column, question, names }: WorkedExample): Html {
  return renderTable({
    className: 'worked-example',
    caption: html`Table of ${entity} rows (${columns.join(', ')}), column <b>${column}</b>: “${question}”`,
    heads: ['Name', words('Verdict'), words('Why')],
    rows: names.map(({ name, take, why }) => {
      const verdict = take ? 'take' : 'leave';
      return [name, { content: verdict, className: verdict }, why];
    }),
  });
}

/**
 * The guidelines for annotators as a fragment of HTML, headings from h2 down: the paper's principles of RPL and ADD
 * (ADVETA §2.1 to §2.3, §3.1) in our own words, with invented examples.
 */
export function renderGuidelines(): string {
  return String(
    html`${CONTEXT} ${REPLACE} ${REPLACE_EXAMPLES.map(workedExample)} ${ADD} ${ADD_EXAMPLES.map(workedExample)}
    ${WORKING}`,
  );
}
