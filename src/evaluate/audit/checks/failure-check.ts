import { SqlRewriteError } from '../../../errors.js';
import type { SqlDialect } from '../../../sql/dialect.js';
import { MYSQL } from '../../../sql/mysql-dialect.js';
import { executableSql } from '../../../sql/executable-sql.js';
import { parseSelect } from '../../../sql/parser.js';
import { POSTGRESQL } from '../../../sql/postgresql-dialect.js';
import { type AuditedGold, verifiedRepair } from '../audited-gold.js';
import { evidenceRun, failureWords, type GoldFinding, type GoldRepair, plainFinding } from '../finding.js';

/** Functions that SQLite lacks, with a system that has them. */
const FOREIGN_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...'year month day hour minute curdate curtime now date_format str_to_date datediff date_add date_sub dayofweek last_day find_in_set substring_index isnull field'
    .split(' ')
    .map((name) => [name, 'MySQL'] as const),
  ...'to_char to_date to_timestamp date_trunc date_part age split_part string_to_array array_agg regexp_replace'
    .split(' ')
    .map((name) => [name, 'PostgreSQL'] as const),
  ...'getdate dateadd datepart charindex len nvl decode'.split(' ').map((name) => [name, 'another system'] as const),
]);

function canParse(sql: string, dialect: SqlDialect): boolean {
  try {
    parseSelect(sql, dialect);
    return true;
  } catch (error) {
    if (error instanceof SqlRewriteError || error instanceof RangeError) return false;
    throw error;
  }
}

/** The systems whose SQL a query is that is not SQLite's; empty where it is SQLite's, or none that is known. */
function otherSystems({ sql, dialect }: AuditedGold): readonly string[] {
  if (canParse(sql, dialect)) return [];
  return [MYSQL, POSTGRESQL].filter((other) => canParse(sql, other)).map(({ title }) => title);
}

/** The name of a function that SQLite lacks. */
function foreignFunction({ written, dialect }: AuditedGold): string | null {
  if (dialect.name !== 'sqlite') return null;
  const calls = (written?.sites.expressions ?? []).flatMap(({ node }) => (node.kind === 'function' ? [node] : []));
  return calls.map(({ name }) => name.name.toLowerCase()).find((name) => FOREIGN_FUNCTIONS.has(name)) ?? null;
}

function bindingFindings(gold: AuditedGold): GoldFinding[] {
  const { fault } = gold;
  if (fault === null) {
    const call = foreignFunction(gold);
    if (call === null) return [];
    const sentence = `SQLite has no function ${call}(), which is of ${FOREIGN_FUNCTIONS.get(call) ?? ''}.`;
    return [plainFinding('other-dialect', sentence)];
  }
  const systems = otherSystems(gold);
  if (systems.length === 0) return [plainFinding('does-not-bind', `The query can't be read: ${fault.message}.`)];
  return [
    plainFinding(
      'other-dialect',
      `The query is for ${systems.join(' or ')}: in ${gold.dialect.title}, ${fault.message}.`,
    ),
  ];
}

/** Quoted texts, and operators in two parts as tokenizers leave them: `> =`, `! =`, `< >`. */
const SPLIT_OPERATOR = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|([<>!])\s+(=)|(<)\s+(>)/g;

/** A query that can't be read, with its split operators joined where it can be then. */
async function joinedOperators(gold: AuditedGold): Promise<GoldRepair | null> {
  const joined = gold.sql.replace(
    SPLIT_OPERATOR,
    (whole, first?: string, second?: string, less?: string, greater?: string) =>
      first === undefined && less === undefined ? whole : `${first ?? less ?? ''}${second ?? greater ?? ''}`,
  );
  if (joined === gold.sql || gold.readVariant(joined) === null) return null;
  return verifiedRepair(gold, executableSql(joined, gold.database));
}

/** Gold queries that fail, don't end, can't be read, or are another system's. */
export async function checkFailure(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const repair = gold.fault === null ? null : await joinedOperators(gold);
  const findings = bindingFindings(gold).map((finding) => ({ ...finding, repair }));
  const outcome = await gold.rows?.run(gold.executable);
  if (outcome === undefined || outcome.kind === 'rows') return findings;
  // The file's fault is no one query's.
  if (outcome.kind === 'failed' && outcome.at === 'database') return findings;
  const evidence = [evidenceRun('on its database', gold.executable, outcome)];
  const isRunaway = outcome.kind === 'timed-out' || outcome.kind === 'too-large';
  const words = failureWords(outcome);
  const sentence = isRunaway ? `The query is no use as a gold query: ${words}.` : `The query does not run: ${words}.`;
  return [...findings, { ...plainFinding(isRunaway ? 'runaway' : 'does-not-run', sentence), evidence, repair }];
}
