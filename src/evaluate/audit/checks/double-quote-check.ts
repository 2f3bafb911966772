import { whereReadable } from '../../../sql/sql-fault.js';
import { singleQuoteLiterals } from '../../../sql/executable-sql.js';
import { type AuditedGold, verifiedRepair } from '../audited-gold.js';
import { type GoldFinding, plainFinding } from '../finding.js';

/** Gold queries with strings in double quotes. */
export async function checkDoubleQuotes(gold: AuditedGold): Promise<readonly GoldFinding[]> {
  const { sql, database, written, dialect } = gold;
  if (written === null || !dialect.doubleQuotedLiterals || dialect.name !== 'sqlite') return [];
  const texts = written.bound.names.filter(({ token }) => written.isText(token)).map(({ token }) => token.name);
  if (texts.length === 0) return [];
  const repaired = whereReadable(() => singleQuoteLiterals(sql, database).sql, null);
  if (repaired === null) return [];
  const named = texts.slice(0, 3).map((text) => `"${text}"`);
  const sentence = `${named.join(', ')}${texts.length > 3 ? ', …' : ''} ${texts.length === 1 ? 'is a string' : 'are strings'} only because no column has the name.`;
  return [{ ...plainFinding('double-quoted-string', sentence), repair: await verifiedRepair(gold, repaired) }];
}
