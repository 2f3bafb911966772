import { loadSpiderTables } from '../../formats/spider-tables.js';
import { fileSha256 } from '../../run/sha256.js';
import { identifierKey } from '../../schema/name-identity.js';
import type { SchemaAnnotations } from './selecting-victim.js';

/** The separator between the names of one table or column: "city | town". */
const BETWEEN = '|';

function namesIn(listed: string): readonly string[] {
  const names = listed.split(BETWEEN).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/**
 * Reads a `tables.json` whose natural names list several in a row, as Spider-Syn releases them for MAS. Names are found
 * by identifiers, so a column that was renamed has none.
 * @throws InputFormatError when it is no tables.json
 */
export function loadAnnotations(file: string): SchemaAnnotations & { readonly fingerprint: string } {
  const names = new Map<string, readonly string[]>();
  const keyOf = (...identifiers: readonly string[]): string => JSON.stringify(identifiers.map(identifierKey));
  for (const [dbId, { tables }] of loadSpiderTables(file)) {
    for (const table of tables) {
      names.set(keyOf(dbId, table.originalName), namesIn(table.name));
      for (const { name, originalName } of table.columns) {
        names.set(keyOf(dbId, table.originalName, originalName), namesIn(name));
      }
    }
  }
  return {
    fingerprint: fileSha256(file),
    tableNames: (dbId, table) => names.get(keyOf(dbId, table)) ?? [],
    columnNames: (dbId, table, column) => names.get(keyOf(dbId, table, column)) ?? [],
  };
}
