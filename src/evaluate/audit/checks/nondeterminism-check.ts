import type { Expression, FunctionCall } from '../../../sql/ast.js';
import { applyEdits, sortEdits, type SqlEdit } from '../../../sql/edits.js';
import type { AuditedGold } from '../audited-gold.js';
import { type GoldFinding, plainFinding } from '../finding.js';
import type { ReadQuery } from '../read-query.js';

const TIME_FUNCTIONS = new Set(['date', 'time', 'datetime', 'julianday', 'strftime', 'unixepoch', 'timediff']);
const CLOCK_FUNCTIONS = new Set(['now', 'curdate', 'curtime', 'getdate', 'sysdate', 'current_date', 'localtimestamp']);
const RANDOM_FUNCTIONS = new Set(['random', 'randomblob', 'rand', 'newid']);

/** Two moments at which a query that reads the clock is run, each as SQLite's CURRENT_DATE and CURRENT_TIME give it. */
const MOMENTS = [
  { date: '2001-02-03', time: '04:05:06' },
  { date: '2031-10-11', time: '17:18:19' },
] as const;

type Moment = (typeof MOMENTS)[number];

const isNow = (node: Expression): boolean =>
  node.kind === 'literal' && node.type === 'string' && /^now$/i.test(node.value);

/** Where a call without a time takes the present one: after its format, or alone. */
function lacksTime({ name, args, star }: FunctionCall): boolean {
  if (star || name.name.toLowerCase() === 'timediff') return false;
  return args.length === (name.name.toLowerCase() === 'strftime' ? 1 : 0);
}

/** Returns SQLite's value at a moment of CURRENT_DATE, CURRENT_TIME, else of the present as time functions read it. */
function valueAt({ date, time }: Moment, word: string): string {
  const name = word.toLowerCase();
  return name === 'current_date' ? `'${date}'` : name === 'current_time' ? `'${time}'` : `'${date} ${time}'`;
}

/** The edits that put a moment where a node reads the clock. */
function momentEdits(query: ReadQuery, node: Expression, moment: Moment): readonly SqlEdit[] {
  const replaced = (start: number, end: number, after: string): SqlEdit => ({
    start,
    end,
    after,
    before: query.sql.slice(start, end),
  });
  if (node.kind === 'literal' && node.type === 'time')
    return [replaced(node.span.start, node.span.end, valueAt(moment, node.value))];
  if (node.kind !== 'function' || !TIME_FUNCTIONS.has(node.name.name.toLowerCase())) return [];
  const nows = node.args.filter(isNow);
  if (nows.length > 0) return nows.map(({ span }) => replaced(span.start, span.end, valueAt(moment, 'now')));
  if (!lacksTime(node)) return [];
  const end = node.span.end - 1;
  return [replaced(end, end, `${node.args.length === 0 ? '' : ', '}${valueAt(moment, 'now')}`)];
}

async function clockFinding(gold: AuditedGold, query: ReadQuery): Promise<GoldFinding | null> {
  const nodes = query.sites.expressions.map(({ node }) => node);
  const foreign = nodes.find((node) => node.kind === 'function' && CLOCK_FUNCTIONS.has(node.name.name.toLowerCase()));
  const runs = MOMENTS.map((moment) => {
    const edits = nodes.flatMap((node) => momentEdits(query, node, moment));
    return { label: `on ${moment.date} at ${moment.time}`, edits, sql: applyEdits(query.sql, sortEdits(edits)) };
  });
  const [first, second] = runs;
  if (first === undefined || second === undefined) return null;
  if (first.edits.length === 0)
    return foreign === undefined ? null : plainFinding('clock', 'The query reads the clock.');
  const reads = `The query reads the clock (${first.edits[0]?.before === '' ? 'a time function without a time' : (first.edits[0]?.before ?? '')})`;
  if (gold.rows === null) return plainFinding('clock', `${reads}.`);
  const differing = await gold.rows.differ([first.label, first.sql], [second.label, second.sql]);
  if (differing === null) return plainFinding('clock', `${reads}, but on these rows it changes nothing.`, false);
  return { ...plainFinding('clock', `${reads}, and its result changes with it.`), evidence: differing };
}

function randomFinding(query: ReadQuery): GoldFinding | null {
  const call = query.sites.expressions.find(
    ({ node }) => node.kind === 'function' && RANDOM_FUNCTIONS.has(node.name.name.toLowerCase()),
  );
  return call === undefined ? null : plainFinding('random', `The query calls ${query.text(call.node)}.`);
}

/** Gold queries that read the clock or draw random numbers. */
export async function checkNondeterminism(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const query = gold.query ?? gold.written;
  if (query === null) return [];
  return [await clockFinding(gold, query), randomFinding(query)].filter((finding) => finding !== null);
}
