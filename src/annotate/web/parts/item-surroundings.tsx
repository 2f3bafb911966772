import type { ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AnnotationItem, ItemContext, SplitTask } from '../../annotation.js';
import { identifierWords } from '../words.js';

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

/** Text in which whole words or phrases are marked, whatever their case. */
function marked(text: string, phrases: readonly string[]): readonly ComponentChild[] {
  const escaped = phrases
    .filter((phrase) => phrase !== '')
    .map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (escaped.length === 0) return [text];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'giu');
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

interface ItemSurroundingsProps {
  readonly item: AnnotationItem;
  readonly context: ItemContext;
}

/** The table with its rows, and the questions that mention the column. */
export function ItemSurroundings({ item, context }: ItemSurroundingsProps) {
  return (
    <div class="surroundings of-column">
      <section aria-labelledby="table">
        <div class="section-head">
          <h2 id="table">
            Table <span class="target-name">{item.table}</span>
          </h2>
          {context.entity !== null && <span class="soft">one row per {context.entity}</span>}
        </div>
        <Rows item={item} context={context} />
      </section>
      <Questions item={item} context={context} />
    </div>
  );
}

/** So much of the next column shows that there is one. */
const PEEK_PX = 32;

function Rows({ item, context }: ItemSurroundingsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const target = context.columns.findIndex(({ originalName }) => originalName === item.columnOriginal);
  useEffect(() => {
    const box = scroller.current;
    const cell = box?.querySelector<HTMLElement>('th.target');
    // As far as the column needs, and a bit more where another follows; the first columns stay where they fit.
    if (box != null && cell != null && cell.offsetLeft + cell.offsetWidth > box.clientWidth) {
      box.scrollLeft = cell.offsetLeft + cell.offsetWidth + PEEK_PX - box.clientWidth;
    }
  }, []);
  return (
    <div class="scroller" ref={scroller} tabIndex={0} role="group" aria-label={`Rows of ${item.table}`}>
      <table class="cells">
        <thead>
          <tr>
            {context.columns.map((one, column) => (
              <th key={one.originalName} scope="col" class={column === target ? 'target' : ''}>
                {one.name}
                <span class="sub">
                  {[...identifierWords(one), one.type].join(' · ')}
                  {column === target && <span class="hidden">, the column at hand</span>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {context.rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column} class={column === target ? 'target' : ''}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {context.rows.length === 0 && <p class="soft">The table has no rows.</p>}
    </div>
  );
}

function Questions({ item, context }: ItemSurroundingsProps) {
  const { questions } = context;
  const words = [item.column, item.columnOriginal];
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">
        {questions.length === 1 ? '1 question mentions it' : `${questions.length || 'No'} questions mention it`}
      </h2>
      <ul class="questions">
        {questions.map(({ id, question, query }) => (
          <li key={id}>
            <p>{marked(question, words)}</p>
            <code class="sql">{marked(query, words)}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
