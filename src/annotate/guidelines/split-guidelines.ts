import { renderTable, words } from '../../report/data-table.js';
import { html, type Html } from '../../report/html.js';

/** Spider-SS §2.2. */
const SPLITTING = html`<section>
  <h2>Where a sub-sentence begins</h2>
  <p>
    Each task shows one question and its gold query. Split the question so that each sub-sentence says whole clauses of
    the query, and none could be split further. A program has done so already: correct it.
  </p>
  <ol>
    <li>
      <strong>Break before what restricts, orders or limits:</strong> “who …”, “that have …”, “from France”, “ordered by
      …”, “with the highest …”. What is asked for stays in one piece.
    </li>
    <li>
      <strong>Words that name a table or a column stay together</strong>, with their “of” or “for”: “date of birth”,
      “number of students”.
    </li>
    <li>
      <strong>A word that joins ends what comes before it:</strong> “and”, “or”, “but” stay with the words on their
      left.
    </li>
    <li><strong>The mark at the end belongs to the last sub-sentence,</strong> and no sub-sentence is one word.</li>
    <li>A question that can’t be split is one sub-sentence, which says all clauses.</li>
  </ol>
</section>`;

/** Spider-SS §2.2, §2.3. */
const SAYING = html`<section>
  <h2>What a sub-sentence says</h2>
  <p>Give each clause of the gold query to the sub-sentence whose words say it.</p>
  <ol>
    <li>
      <strong>A clause belongs where its words are,</strong> not where the query has it. One sub-sentence can say
      several clauses; a clause is seldom said twice.
    </li>
    <li>
      <strong>No word of its column</strong> (–): the sub-sentence says the clause, but its column is named elsewhere:
      “in ascending order” says “order by farm.total_horses asc”, and nothing of horses.
    </li>
    <li>
      <strong>Extra:</strong> a column that a sub-sentence names for a clause that another one says. Of “by email
      address and” | “phone number in ascending order” the second says the order, and the first has the email address as
      extra.
    </li>
    <li>A sub-sentence that says no clause (“for each of them, please”) stays without one.</li>
  </ol>
</section>`;

interface WorkedSegment {
  readonly text: string;
  readonly says: string;
}

/** Invented questions, split. */
const EXAMPLES: readonly (readonly WorkedSegment[])[] = [
  [
    { text: 'Show the names and fares of the ferries', says: 'select ferry.name; select ferry.fare' },
    { text: 'that leave from Oban', says: 'ferry.home_port = ‘Oban’' },
    { text: ', sorted from high to low.', says: 'order by ferry.fare desc, no word of its column' },
  ],
  [{ text: 'How many trails are longer than ten miles?', says: 'select count(*); trail.length > 10: not to be split' }],
];

function workedExample(segments: readonly WorkedSegment[]): Html {
  const question = segments.map(({ text }) => text).join(' ');
  return renderTable({
    className: 'worked-example',
    caption: question.replaceAll(' ,', ','),
    heads: ['Sub-sentence', words('says')],
    rows: segments.map(({ text, says }) => [text, says]),
  });
}

/** Spider-SS, appendix C. */
const WORKING = html`<section>
  <h2>While you work</h2>
  <ul>
    <li>Decide for yourself. What others answer is hidden from you; a reviewer compares afterwards and decides.</li>
    <li>
      The proposal is a program’s. Read the whole question before you look at it, and hand in what you would have said.
    </li>
    <li>
      <strong>Skip</strong> a question whose gold query asks for something else, and give the reason in the comment.
      <strong>Flag</strong> one that needs a clause which the gold query lacks.
    </li>
  </ul>
</section>`;

/** The guidelines for people who split questions, as a fragment of HTML, headings from h2 down (Spider-SS §2, appendix C). */
export function renderSplitGuidelines(): string {
  return String(html`${SPLITTING} ${SAYING} ${EXAMPLES.map(workedExample)} ${WORKING}`);
}
