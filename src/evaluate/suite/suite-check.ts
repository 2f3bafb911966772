import { InputFormatError } from '../../errors.js';
import type { Database } from '../../schema/schema.js';
import type { Suite } from '../../testsuite/suite/open-suite.js';
import { schemaSha256 } from '../../testsuite/suite/schema-sha256.js';
import { schemaPath, schemasFolder } from '../../testsuite/suite/suite-files.js';

/**
 * Checks that a suite was made for the schemas that are judged on it.
 * @throws InputFormatError naming the first that it lacks, or has otherwise
 */
export function checkSuite(suite: Suite, databases: Iterable<Database>): void {
  const ids = new Set(suite.ids);
  const all = [...databases];
  const [missing, ...more] = new Set(all.flatMap(({ id }) => (ids.has(id) ? [] : [id])));
  if (missing !== undefined) {
    const others = more.length === 0 ? '' : `, and ${more.length} more that the gold queries ask for`;
    throw new InputFormatError(`the suite has no schema ${missing}${others}`, {
      where: { file: schemasFolder(suite.path) },
      fix: 'Build a suite of all databases of this gold with `perturbql suite build`, or name another with --suite.',
    });
  }
  for (const database of all) {
    const file = suite.schema(database.id);
    if (file === null || file.schemaSha256 === schemaSha256(database)) continue;
    throw new InputFormatError('the suite was made for other tables, columns, types or keys than --tables has', {
      where: { file: schemaPath(suite.path, database.id), id: database.id },
      fix: 'Name the tables.json that the suite was built with, or build a suite for this one.',
    });
  }
}
