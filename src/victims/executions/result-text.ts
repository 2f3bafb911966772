import type { QueryOutcome, QueryRows, Refusal, ResultValue } from '../../sql/execution/query-outcome.js';

const REFUSALS: Readonly<Record<Refusal, string>> = {
  empty: 'there is no SQL',
  'nul-character': 'the SQL holds a NUL character',
  'too-long': 'the SQL is too long',
  'several-statements': 'only one statement is executed at a time',
  'not-a-select':
    "only SELECT, VALUES and WITH are executed; the columns of a table: SELECT name, type FROM pragma_table_info('table')",
};

function renderValue(value: ResultValue): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : Buffer.from(value.text).toString(); // not UTF-8
}

/** As many rows as the bytes allow for. */
function renderRows({ columns, rows, isCut = false }: QueryRows, bytes: number): string {
  const shown: string[] = [];
  let room = bytes - Buffer.byteLength(JSON.stringify({ columns, rows: [], truncated: false }));
  for (const row of rows) {
    const text = JSON.stringify(row.map(renderValue));
    room -= Buffer.byteLength(text) + 1;
    if (room < 0) break;
    shown.push(text);
  }
  const truncated = isCut || shown.length < rows.length;
  return `{"columns":${JSON.stringify(columns)},"rows":[${shown.join(',')}],"truncated":${truncated}}`;
}

/** An error as whoever asked for a query gets it. */
export function renderError(message: string): string {
  return JSON.stringify({ error: message });
}

/** What became of a query as JSON: rows of at most about so many bytes, or an error. */
export function renderOutcome(outcome: QueryOutcome, bytes: number, timeoutMs: number): string {
  switch (outcome.kind) {
    case 'rows':
      return renderRows(outcome, bytes);
    case 'timed-out':
      return renderError(`the query was stopped after ${timeoutMs / 1000} s`);
    case 'too-large':
      return renderError('the result is too large');
    case 'refused':
      return renderError(REFUSALS[outcome.reason]);
    case 'failed':
      return renderError(outcome.message.slice(0, bytes));
  }
}
