import { isExtreme } from '../../../sql/aggregates.js';
import { isNumberText } from '../evidence.js';
import { type GoldFinding, plainFinding } from '../finding.js';
import type { ColumnFacts } from '../gold-rows.js';
import type { NamedColumn, ReadQuery } from '../read-query.js';
import type { AuditedExample } from './audited-example.js';

/** Words that ask for the most or the least of an amount; dates and ranks have others. */
const AMOUNT =
  /(?<!\bat |\bat the )\b(?:most(?! recent)|least|highest|lowest|largest|smallest|biggest|greatest|longest|shortest|fewest|tallest|heaviest|maximum|minimum|max|min|expensive|cheapest)\b/iu;
/** Texts whose order by letters is that of what they say: dates and times of day in ISO's form. */
const SORTABLE = /^\s*(?:\d{4}(?:-\d\d(?:-\d\d.*)?)?|\d\d:\d\d(?::\d\d.*)?)\s*$/u;

interface Extreme {
  readonly column: NamedColumn;
  readonly words: string;
}

/** Where a query takes the first or the last of a column: MIN, MAX, and ORDER BY with LIMIT. */
function extremesOf(query: ReadQuery): readonly Extreme[] {
  const calls = query.sites.expressions.flatMap(({ node }) => {
    if (!isExtreme(node) || node.args.length !== 1) return [];
    return node.args.map((arg) => ({ column: query.column(arg), words: query.text(node) }));
  });
  const orders = query.sites.selects.flatMap(({ node }) =>
    node.limit === null
      ? []
      : node.orderBy
          .slice(0, 1)
          .map((term) => ({ column: query.column(term.expression), words: `ORDER BY ${query.text(term)}` })),
  );
  return [...calls, ...orders].flatMap(({ column, words }) => (column === null ? [] : [{ column, words }]));
}

function reasonOf({ column: { name, type } }: Extreme, facts: ColumnFacts | null): string | null {
  if (facts === null) {
    return type === 'text' ? `goes letter by letter: the schema calls ${name} text` : null;
  }
  const texts = facts.kind === 'texts' ? (facts.distinct ?? []) : [];
  const values = texts.filter((text) => !facts.voids.includes(text) && !isNumberText(text));
  const [example] = values;
  if (example === undefined || values.every((text) => SORTABLE.test(text))) return null;
  return `goes letter by letter: ${name} holds texts such as ${JSON.stringify(example.slice(0, 40))}`;
}

/**
 * Gold queries that take the first or last text by its letters where the question asks for the most or the least of
 * something.
 */
export async function findTextExtreme({ example: { question }, gold }: AuditedExample): Promise<GoldFinding | null> {
  const { query } = gold;
  const asked = AMOUNT.exec(question)?.[0];
  if (query === null || asked === undefined) return null;
  for (const extreme of extremesOf(query)) {
    const facts = await gold.factsOf(extreme.column);
    const reason = gold.rows !== null && facts === null ? null : reasonOf(extreme, facts);
    if (reason !== null)
      return plainFinding(
        'text-order',
        `The question says ${JSON.stringify(asked)}, and ${extreme.words} ${reason}.`,
        false,
      );
  }
  return null;
}
