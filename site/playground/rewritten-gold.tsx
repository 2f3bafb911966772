import type { JSX } from 'preact';
import type { SqlEdit } from '../../src/sql/edits.js';
import type { Rewritten } from './rewrite.js';

/** The query with its edits marked. */
function marked(sql: string, edits: readonly SqlEdit[]): readonly JSX.Element[] {
  let at = 0;
  const parts = edits.flatMap(({ start, end, after }, i) => {
    const kept = sql.slice(at, start);
    at = end;
    return [<span key={`kept-${i}`}>{kept}</span>, <mark key={`new-${i}`}>{after}</mark>];
  });
  return [...parts, <span key="rest">{sql.slice(at)}</span>];
}

/** The rewritten query, or why there is none. */
export function RewrittenGold({ query, rewritten }: { query: string; rewritten: Rewritten }): JSX.Element {
  const { gold, fault } = rewritten;
  return (
    <section aria-labelledby="gold-title">
      <h2 id="gold-title">3. The gold query, rewritten</h2>
      <div aria-live="polite" class="gold">
        {fault !== null && (
          <p class="fault">
            <strong>{fault.message}.</strong> {fault.fix}
          </p>
        )}
        {gold !== null && (
          <pre class="sql" tabIndex={0} aria-label="Rewritten query">
            {marked(query, gold.edits)}
          </pre>
        )}
        {gold?.edits.length === 0 && <p>No name in it has changed: it keeps its bytes.</p>}
      </div>
    </section>
  );
}
