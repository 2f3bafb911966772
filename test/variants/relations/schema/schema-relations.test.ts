import { describe, expect, it } from 'vitest';
import { seedCase } from '../../../../src/variants/relations/relation.js';
import type { MutatedSchema } from '../../../../src/variants/databases/mutated-schema.js';
import { columnAt, type Database } from '../../../../src/schema/schema.js';
import { exampleCases, mutateOne, relationContext } from '../cases.js';
import { mutationsIn, schemaOf, schemaRelations } from './schema-fixture.js';

const HARBOR = schemaOf('harbor', {
  pier: 'pier_id name depth',
  ship: 'ship_id name flag pier_id>pier.pier_id',
  crew: 'crew_id ship_id>ship.ship_id age',
});

const relation = (id: string) => schemaRelations().find((one) => one.id === id)!;
const ask = (query: string, database: Database = HARBOR, question = 'which?') =>
  seedCase({ id: 'own:0', dbId: database.id, question, query }, database);

const namesOf = ({ tables }: Database): string[] =>
  tables.map(({ originalName, columns }) => `${originalName}(${columns.map((c) => c.originalName).join(' ')})`);
const keysOf = (database: Database): string[] =>
  database.foreignKeys.map(
    ({ from, to }) => `${columnAt(database, from).originalName}>${database.tables[to.table]!.originalName}`,
  );

async function schemas(
  id: string,
  query: string,
  database = HARBOR,
  question?: string,
): Promise<readonly MutatedSchema[]> {
  const mutations = mutationsIn(await mutateOne(relation(id), ask(query, database, question), 100));
  return mutations.map(({ mutated }) => mutated!);
}

describe('schema relations', () => {
  it('give the same for a case whatever stands next to it, at most the limit, each of another schema', async () => {
    const cases = exampleCases();
    for (const one of schemaRelations()) {
      const together = await one.mutate(cases, 3, relationContext());
      const alone = await mutateOne(one, cases[4]!, 3);
      expect(alone).toEqual(together[4]);
      for (const result of together) {
        if ('reason' in result) continue;
        const ids = result.map(({ mutated }) => mutated!.schema.id);
        expect(result.length).toBeLessThanOrEqual(3);
        expect(new Set(ids).size).toBe(ids.length);
        expect(result.every(({ mutated }) => mutated!.content.length === mutated!.schema.tables.length)).toBe(true);
      }
    }
  });

  it('say why there is nothing to change', async () => {
    const lone = schemaOf('lone', { thing: 'thing_id' });
    const reasons = await Promise.all(
      ['NO', 'FL', 'OK', 'TS', 'CS', 'CRm', 'CRn'].map((id) =>
        mutateOne(relation(id), ask('SELECT * FROM thing', lone)),
      ),
    );
    expect(reasons.map((result) => ('reason' in result ? result.reason : ''))).toEqual([
      ...['no-unused-column', 'no-foreign-key', 'no-foreign-key', 'one-table', 'no-two-columns'],
      ...['no-unused-column', 'no-unused-column'],
    ]);
    const unread = await mutateOne(relation('CRm'), ask('SELECT nothing FROM nowhere'));
    expect(unread).toEqual({ reason: 'gold-unreadable' });
  });

  it('remove only what neither the gold nor a key uses; a star uses all', async () => {
    const removed = await schemas('CRm', 'SELECT * FROM ship WHERE ship_id IN (SELECT ship_id FROM crew)');
    expect(removed.map(({ schema }) => namesOf(schema).join(' '))).toEqual([
      'pier(pier_id depth) ship(ship_id name flag pier_id) crew(crew_id ship_id age)',
      'pier(pier_id name) ship(ship_id name flag pier_id) crew(crew_id ship_id age)',
      'pier(pier_id name depth) ship(ship_id name flag pier_id) crew(crew_id ship_id)',
    ]);
    expect(removed.every(({ schema }) => keysOf(schema).length === 2)).toBe(true);
  });

  it('take columns that a NATURAL join matches for used', async () => {
    const removed = await schemas('CRm', 'SELECT count(*) FROM pier NATURAL JOIN ship');
    expect(removed.map(({ schema }) => namesOf(schema)[0])).not.toContain('pier(pier_id depth)');
  });

  it('normalize a column into a table with a key that links the two', async () => {
    const [first] = await schemas('NO', 'SELECT name, depth FROM pier');
    expect(namesOf(first!.schema)).toEqual([
      'pier(pier_id name depth)',
      'ship(ship_id name_id flag pier_id)',
      'crew(crew_id ship_id age)',
      'ship_name(name_id name)',
    ]);
    expect(keysOf(first!.schema)).toEqual(['pier_id>pier', 'ship_id>ship', 'name_id>ship_name']);
    expect(first!.schema.primaryKeys).toContainEqual({ table: 3, column: 0 });
  });

  it('hide one key at a time; one that is declared twice as a whole', async () => {
    const twice = { ...HARBOR, foreignKeys: [...HARBOR.foreignKeys, HARBOR.foreignKeys[0]!] };
    const hidden = await schemas('OK', 'SELECT name FROM pier', twice);
    expect(hidden.map(({ schema }) => keysOf(schema))).toEqual([['ship_id>ship'], ['pier_id>pier', 'pier_id>pier']]);
  });

  it('shuffle tables into every other order, with keys on the same columns', async () => {
    const shuffled = await schemas('TS', 'SELECT name FROM pier');
    expect(new Set(shuffled.map(({ schema }) => namesOf(schema).join())).size).toBe(5);
    expect(shuffled.every(({ schema }) => keysOf(schema).join() === 'pier_id>pier,ship_id>ship')).toBe(true);
  });

  it('shuffle the columns of tables that no star selects', async () => {
    const shuffled = await schemas('CS', 'SELECT * FROM pier');
    expect(shuffled).toHaveLength(23 + 5);
    expect(shuffled.every(({ schema }) => namesOf(schema)[0] === 'pier(pier_id name depth)')).toBe(true);
    const all = 'SELECT * FROM pier, ship, crew';
    expect(await mutateOne(relation('CS'), ask(all))).toEqual({ reason: 'star-has-the-order' });
  });

  it('rename what is unused, but not to a word of the question', async () => {
    const renamed = await schemas('CRn', 'SELECT name FROM pier', HARBOR, 'age now');
    expect(renamed.map(({ schema }) => namesOf(schema).join(' '))).toEqual([
      'pier(pier_id name depth_now) ship(ship_id name flag pier_id) crew(crew_id ship_id age)',
      'pier(pier_id name depth) ship(ship_id name_now flag pier_id) crew(crew_id ship_id age)',
      'pier(pier_id name depth) ship(ship_id name flag_now pier_id) crew(crew_id ship_id age)',
    ]);
  });

  it('invent no name longer than the longest of the schema by half', async () => {
    const short = schemaOf('short', { a: 'id f>bb.id', bb: 'id gg long' });
    const made = await Promise.all(
      ['NO', 'FL', 'CRn', 'CI'].map((id) => mutateOne(relation(id), ask('SELECT id FROM a', short))),
    );
    const names = made.map((result) =>
      'reason' in result ? [] : result.flatMap(({ mutated }) => (mutated === null ? [] : namesOf(mutated.schema))),
    );
    expect(names.every((own) => own.length > 0)).toBe(true);
    // Neither "long_id" nor "long_now"; "long" of a table that is flattened keeps its name, "gg" becomes "bb_gg".
    const longest = Math.max(...names.flat().flatMap((line) => line.split(/[( )]/).map((name) => name.length)));
    expect(longest).toBe('visits'.length);
    expect(names[1]).toEqual(['a(id f bb_gg long)']);
  });

  it('qualify a name that a new column would make ambiguous, and then expect the result only', async () => {
    const query = 'SELECT shade FROM crew JOIN lamp ON lamp.crew_id = crew.crew_id';
    const database = schemaOf('lamps', {
      crew: 'crew_id age',
      lamp: 'lamp_id shade crew_id>crew.crew_id',
      dock: 'dock_id',
    });
    const stub = schemaRelations().find(({ id }) => id === 'CRn')!;
    expect(mutationsIn(await mutateOne(stub, ask(query, database))).every((m) => m.expectation === 'same-query')).toBe(
      true,
    );
    const inserted = mutationsIn(await mutateOne(relation('CI'), ask(query, database)));
    // The schema has a shade already: no table gets another one.
    expect(inserted.map(({ detail }) => detail)).toEqual([
      'added crew.visits',
      'added lamp.visits',
      'added dock.visits',
    ]);
  });

  it('insert columns at the end, not into tables that a star selects', async () => {
    const inserted = await schemas('CI', 'SELECT * FROM ship', HARBOR, 'visits of ships');
    expect(inserted.map(({ schema }) => namesOf(schema).join(' '))).toEqual([
      'pier(pier_id name depth shade) ship(ship_id name flag pier_id) crew(crew_id ship_id age)',
      'pier(pier_id name depth) ship(ship_id name flag pier_id) crew(crew_id ship_id age shade)',
    ]);
    expect(inserted[0]!.content[0]).toEqual({
      select: 'SELECT "pier_id", "name", "depth", NULL AS "shade" FROM "pier"',
      made: ['shade'],
    });
  });

  it('give composed schemas that are equal one id, in whatever order they came about', async () => {
    const one = ask('SELECT name FROM pier');
    const [shuffle, hide] = [relation('TS'), relation('OK')];
    const after = async (first: typeof shuffle, second: typeof shuffle, a: number, b: number): Promise<string> => {
      const mutation = mutationsIn(await mutateOne(first, one))[a]!;
      const database = mutation.mutated!.schema;
      const next = { example: { ...one.example, dbId: database.id }, database, mutated: mutation.mutated };
      return mutationsIn(await mutateOne(second, next))[b]!.mutated!.schema.id;
    };
    const hidden = (await mutateOne(hide, one)) as readonly { readonly detail: string }[];
    expect(hidden).toHaveLength(2);
    const ids = await Promise.all([0, 1, 2, 3, 4].map((a) => after(shuffle, hide, a, 0)));
    expect(new Set(ids).size).toBe(5);
    expect(await after(hide, hide, 0, 0)).toBe(await after(hide, hide, 1, 0));
  });
});
