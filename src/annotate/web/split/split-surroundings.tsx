import type { ItemContext, SplitTask } from '../../annotation.js';

/** Where the question and the answer are next to one another. */
const WIDE = '(min-width: 60rem)';

interface SplitSurroundingsProps {
  readonly task: SplitTask;
  readonly context: ItemContext;
}

/** "singer.Name" of its table: the columns of each table, by their original names. */
function columnsByTable({ columns }: ItemContext): ReadonlyMap<string, readonly string[]> {
  const byTable = new Map<string, string[]>();
  for (const { originalName } of columns) {
    const dot = originalName.indexOf('.');
    const [table, column] = [originalName.slice(0, dot), originalName.slice(dot + 1)];
    byTable.set(table, [...(byTable.get(table) ?? []), column]);
  }
  return byTable;
}

/** The question, its gold, and the tables of the database. */
export function SplitSurroundings({ task: { question, query }, context }: SplitSurroundingsProps) {
  return (
    <div class="surroundings">
      <section aria-labelledby="gold">
        <h2 id="gold">Question and gold query</h2>
        <ul class="questions">
          <li>
            <p>{question}</p>
            <code class="sql">{query}</code>
          </li>
        </ul>
      </section>
      <details class="database" open={matchMedia(WIDE).matches}>
        <summary>Tables</summary>
        <dl class="tables">
          {[...columnsByTable(context)].map(([table, columns]) => (
            <div key={table}>
              <dt>{table}</dt>
              <dd>{columns.join(', ')}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
