import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { materializeSchema } from '../../../../src/variants/databases/materialize-schema.js';
import { seedCase } from '../../../../src/variants/relations/relation.js';
import type { MutatedSchema } from '../../../../src/variants/databases/mutated-schema.js';
import { mutateOne } from '../../relations/cases.js';
import { schemaOf, schemaRelations } from '../../relations/schema/schema-fixture.js';

const HARBOR = schemaOf('harbor', { pier: 'pier_id name depth', ship: 'ship_id name flag pier_id>pier.pier_id' });
const CREATE = `CREATE TABLE pier(pier_id INTEGER PRIMARY KEY, name TEXT, depth);
  CREATE TABLE ship(ship_id TEXT, name TEXT, flag TEXT, pier_id INTEGER);
  INSERT INTO pier VALUES (7, 'north', 3), (9, 'south', 'deep');
  INSERT INTO ship VALUES ('a', 'Anna', 'NL', 7), ('b', 'Bert', NULL, 7), ('c', 'Cleo', 'PT', 9)`;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perturbql-huge-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function writeOrigin(file: string, blobs: string): string {
  const sqlite = new Sqlite(file);
  sqlite.exec(`${CREATE}; ${blobs}`);
  sqlite.close();
  return file;
}

/** The rows of all tables, cells as their type, length and hash would be: short. */
function contentOf(file: string): unknown {
  const sqlite = new Sqlite(file, { readonly: true });
  const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  const rows = tables.map((name) => {
    const columns = (sqlite.pragma(`table_info("${name}")`) as { readonly name: string }[]).map(
      (one) => `"${one.name}"`,
    );
    const cells = columns.flatMap((one) => [`typeof(${one})`, `octet_length(${one})`, `hex(substr(${one}, 1, 20))`]);
    return [
      name,
      columns,
      sqlite
        .prepare(`SELECT ${cells.join(', ')} FROM "${name}"`)
        .raw()
        .all(),
    ];
  });
  sqlite.close();
  return rows;
}

describe('huge cells of an origin', () => {
  it.each([
    ['in memory', 3 << 20],
    ['on disk', 17 << 20],
  ])('that is held %s are in the databases of its mutated schemas, wherever their columns go', async (_, bytes) => {
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder, name);
    // The same with small cells is what has been written all along.
    const small = writeOrigin(at('small.sqlite'), "UPDATE pier SET name = x'00' WHERE pier_id = 9");
    const huge = writeOrigin(at('huge.sqlite'), `UPDATE pier SET name = zeroblob(${bytes}) WHERE pier_id = 9`);
    const one = seedCase({ id: 'own:0', dbId: HARBOR.id, question: '?', query: 'SELECT flag FROM ship' }, HARBOR);
    let compared = 0;
    for (const relation of schemaRelations()) {
      const result = await mutateOne(relation, one, 4);
      for (const { mutated, detail } of 'reason' in result ? [] : result) {
        if (mutated === null) continue;
        const written = [small, huge].map((file, i) => {
          materializeSchema(file, at(`${i}.sqlite`), HARBOR, mutated);
          return contentOf(at(`${i}.sqlite`));
        });
        const [expected, found] = written.map((content) => JSON.stringify(content));
        const lengthened = found?.replaceAll(`"blob",${bytes},"${'00'.repeat(20)}"`, '"blob",1,"00"');
        expect([detail, lengthened]).toEqual([detail, expected]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(12);
  });

  it('take no more memory than small ones, wherever their columns go', async () => {
    const folder = temporaryFolder();
    const one = seedCase({ id: 'own:0', dbId: HARBOR.id, question: '?', query: 'SELECT flag FROM ship' }, HARBOR);
    const mutated: (MutatedSchema | null)[] = [];
    for (const relation of schemaRelations()) {
      const result = await mutateOne(relation, one, 1);
      if (!('reason' in result)) mutated.push(...result.map((mutation) => mutation.mutated));
    }
    const module = fileURLToPath(new URL('../../../../dist/variants/databases/materialize-schema.js', import.meta.url));
    const peakOf = (bytes: number): number => {
      const file = writeOrigin(
        join(folder, `${bytes}.sqlite`),
        `UPDATE pier SET name = zeroblob(${bytes}) WHERE pier_id = 9`,
      );
      const target = join(folder, `${bytes}-mutant.sqlite`);
      const script = `const { materializeSchema } = await import(${JSON.stringify(module)});
        const [source, target, origin] = ${JSON.stringify([file, target, HARBOR])};
        for (const one of ${JSON.stringify(mutated)}) materializeSchema(source, target, origin, one);
        console.log(process.resourceUsage().maxRSS);`;
      const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      expect(statSync(target).size).toBeGreaterThan(bytes);
      return Number(printed) * 1024;
    };
    const [usual, large] = [peakOf(2 << 20), peakOf(60 << 20)];
    expect(large - usual).toBeLessThan(40 << 20);
    expect(readdirSync(folder).filter((name) => !name.endsWith('.sqlite'))).toEqual([]);
  }, 60_000);
});
