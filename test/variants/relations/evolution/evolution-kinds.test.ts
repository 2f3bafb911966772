import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../../../src/variants/databases/row-reader.js';
import { materializeSchema } from '../../../../src/variants/databases/materialize-schema.js';
import { columnSplit } from '../../../../src/variants/relations/evolution/column-split.js';
import { contentEquivalence } from '../../../../src/variants/relations/evolution/content-equivalence.js';
import { type Mutation, type NotApplicable, seedCase } from '../../../../src/variants/relations/relation.js';
import type { Column, Database } from '../../../../src/schema/schema.js';
import { SQLITE } from '../../../../src/sql/dialect.js';
import { EXAMPLES, mutateOne } from '../cases.js';
import { schemaOf, schemaRelations } from '../schema/schema-fixture.js';
import { CLUB, datasetAt, evolutionKinds, writeClub } from './club-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perturbql-kinds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'club.sqlite');
writeClub(file, [
  [
    [1, 'Ann Lee', '1990-01-31', 1, 'Senior', 12, '2020-01-02', 1],
    [2, 'Jan van Dyk', '2001-12-05', 0, 'Junior', 3, '2020-03-04', 1],
    [3, 'Bob Stone', null, 1, 'Senior', -2, null, 2],
    [4, 'Eve Stone', '1990-01-31', null, 'Junior', 3, null, null],
  ],
  [
    [1, 'Ann', 'Lee', 'York', 'Ohio', 1.5],
    [2, 'Bob', 'van Dyk', 'Lake Tia', 'Utah', 2],
    [3, 'Cy', 'Orr', 'York', 'Utah', null],
  ],
  [
    [1, 1, '7'],
    [2, 1, '0'],
  ],
]);

async function mutate(id: string, query: string, database = CLUB): Promise<readonly Mutation[] | NotApplicable> {
  const relation = evolutionKinds(datasetAt(file)).find((kind) => kind.id === id)!;
  return mutateOne(relation, seedCase({ id: 'own:0', dbId: database.id, question: '?', query }, database), 100);
}

/** The gold of the mutation whose detail begins so. */
async function goldOf(id: string, detail: string, query: string): Promise<string | null | undefined> {
  const result = await mutate(id, query);
  if ('reason' in result) return result.reason;
  return result.find((mutation) => mutation.detail.startsWith(detail))?.query;
}

const tablesOf = ({ tables }: Database): readonly string[] =>
  tables.map(({ originalName, columns }) => `${originalName}(${columns.map((c) => c.originalName).join(' ')})`);

describe('kinds of evolution', () => {
  it('rename tables in the other number, with prefixes, abbreviated, and by synonyms', async () => {
    const result = (await mutate('TRn', 'SELECT player.points FROM player')) as readonly Mutation[];
    expect(result.map(({ query }) => query)).toEqual([
      'SELECT players.points FROM players',
      'SELECT tbl_player.points FROM tbl_player',
      'SELECT fact_player.points FROM fact_player',
      'SELECT plyr.points FROM plyr',
      'SELECT player_now.points FROM player_now',
      'SELECT player.points FROM player',
      'SELECT player.points FROM player',
    ]);
    expect(await goldOf('TRn', 'renamed player to players', 'SELECT p.* FROM Player AS p')).toBe(
      'SELECT p.* FROM players AS p',
    );
  });

  it.each([
    ['城市 singer', 'tbl_城市'],
    ['城市 SINGER', 'TBL_城市'],
    ['城市 singer SHOW', 'tbl_城市'],
    ['城市', 'tbl_城市'],
    ['ГОРОД singer', 'TBL_ГОРОД'],
    ['город SINGER', 'tbl_город'],
  ])('prefix a table in the letters of its schema: %s', async (names, renamed) => {
    const all = names.split(' ');
    const schema = schemaOf('town', Object.fromEntries(all.map((name) => [name, 'a_b a_long_column_name'])));
    const result = (await mutate('TRn', `SELECT a_b FROM ${all[0]}`, schema)) as readonly Mutation[];
    expect(result.map(({ detail }) => detail).join()).toContain(`${all[0]} to ${renamed}`);
  });

  it('prefix no table twice, and none of a schema that has no Latin letter', async () => {
    const detailsOf = async (first: string, tables: Readonly<Record<string, string>>): Promise<string> => {
      const result = await mutate('TRn', `SELECT 1 FROM ${first}`, schemaOf('town', tables));
      return 'reason' in result ? result.reason : result.map(({ detail }) => detail).join('; ');
    };
    const columns = 'a_b a_long_column_name';
    const twice = await detailsOf('tbl_singer', { tbl_singer: columns, concert: columns });
    expect(twice).toContain('renamed concert to tbl_concert');
    expect(twice).toContain('renamed tbl_singer to dim_singer, concert to dim_concert');
    expect(twice).not.toMatch(/tbl_tbl|dim_tbl/);
    expect(await detailsOf('城市', { 城市: '城市编号 名称', 歌手: '歌手编号 姓名' })).not.toMatch(/tbl|dim|fact/);
  });

  it('bring no Latin word into a schema that has no Latin letter, nor does any other relation', async () => {
    const town = schemaOf('town', {
      城市: '城市编号 名称 人口 面积 省份',
      歌手: '歌手编号 姓名 年龄 城市编号>城市.城市编号 生日',
    });
    const one = seedCase({ id: 'own:0', dbId: 'town', question: '?', query: 'SELECT 姓名 FROM 歌手' }, town);
    const empty = join(folder, 'town.sqlite');
    new Sqlite(empty)
      .exec(
        'CREATE TABLE 城市 (城市编号 INTEGER PRIMARY KEY, 名称, 人口, 面积, 省份); CREATE TABLE 歌手 (歌手编号 INTEGER PRIMARY KEY, 姓名, 年龄, 城市编号, 生日)',
      )
      .close();
    const reasons: Record<string, string> = {};
    for (const relation of [...evolutionKinds(datasetAt(empty)), ...schemaRelations()]) {
      const made = await mutateOne(relation, one, 100);
      if ('reason' in made) reasons[relation.id] = made.reason;
      else for (const { mutated } of made) expect(tablesOf(mutated!.schema).join()).not.toMatch(/[A-Za-z]/);
    }
    const refused = Object.keys(reasons).filter((id) => reasons[id] === 'names-in-another-script');
    expect(refused).toEqual(['TRn', 'CSy', 'TAd', 'NO', 'CRn', 'CI']);
  });

  it('keep golds apart from names of their own that a table gets', async () => {
    const query = 'WITH players AS (SELECT 1 AS n) SELECT n FROM players, player';
    expect(await goldOf('TRn', 'renamed player to players', query)).toBeUndefined();
    expect(await goldOf('TRn', 'renamed player to tbl_player', query)).toBe(query.replace(', player', ', tbl_player'));
  });

  it('write columns at levels of naturalness, all of a schema at once', async () => {
    const shop = schemaOf('shop', { item: 'item_id maximum_quantity bonus capacity dept' });
    const result = (await mutate('CAb', 'SELECT dept, capacity FROM item', shop)) as readonly Mutation[];
    expect(result.map(({ mutated }) => tablesOf(mutated!.schema)[0])).toEqual([
      'item(item_id maximum_quantity bonus capacity department)',
      'item(item_id maximum_qty bonus capacity dept)',
      'item(item_id max_qty bonus cpcty dept)',
    ]);
    expect(result.map(({ query }) => query)).toEqual([
      'SELECT department, capacity FROM item',
      'SELECT dept, capacity FROM item',
      'SELECT dept, cpcty FROM item',
    ]);
  });

  it('shorten words as other identifiers of the schema do', async () => {
    const name = (words: string, originalName: string): Column => ({ name: words, originalName, type: 'text' });
    const columns = [name('patient id', 'pt_id'), name('patient name', 'patient_name'), name('weight', 'weight')];
    const ward: Database = {
      ...schemaOf('ward', { stay: 'a b c' }),
      tables: [{ name: 'stay', originalName: 'stay', columns }],
    };
    const result = (await mutate('CAb', 'SELECT weight FROM stay', ward)) as readonly Mutation[];
    expect(result.map(({ mutated }) => tablesOf(mutated!.schema)[0])).toEqual([
      'stay(patient_id patient_name weight)',
      'stay(pt_id pt_name wgt)',
    ]);
  });

  it('write in full what an identifier shortens, and shorten nothing that is shorter already', async () => {
    const name = (words: string, originalName: string): Column => ({ name: words, originalName, type: 'text' });
    const columns = [name('student id', 'StuID'), name('year of birth', 'YrOfBrth'), name('city', 'City')];
    const campus = {
      ...schemaOf('campus', { x: 'y' }),
      tables: [{ name: 'student', originalName: 'Student', columns }],
    };
    const result = (await mutate('CAb', 'SELECT StuID FROM Student', campus)) as readonly Mutation[];
    expect(result.map(({ level, query }) => [level, query])).toEqual([['full', 'SELECT StudentID FROM Student']]);
    expect(tablesOf(result[0]!.mutated!.schema)).toEqual(['Student(StudentID YearOfBirth City)']);
  });

  it('give a used column another name, and the gold with it', async () => {
    const query = 'SELECT p.points FROM player p WHERE p.team_id = 1';
    const result = (await mutate('CSy', query)) as readonly Mutation[];
    expect(result.map((one) => [one.detail, one.query])).toEqual([
      ['renamed player.points to points_now', 'SELECT p.points_now FROM player p WHERE p.team_id = 1'],
    ]);
    expect(await mutate('CSy', 'SELECT count(*) FROM player')).toEqual({ reason: 'no-used-column' });
  });

  it('add related and unrelated tables with rows, in the manner of the schema', async () => {
    const result = (await mutate('TAd', 'SELECT points FROM player')) as readonly Mutation[];
    expect(result.map(({ detail, level, query }) => [detail, level, query])).toEqual([
      ['added the related table coaches(coach_name, salary)', 'related', 'SELECT points FROM player'],
      ['added the unrelated table storms(storm, began_on)', 'unrelated', 'SELECT points FROM player'],
    ]);
    const target = join(folder, 'added.sqlite');
    materializeSchema(file, target, CLUB, result[0]!.mutated!);
    const sqlite = new Sqlite(target, { readonly: true });
    expect(sqlite.prepare('SELECT *, typeof(salary) AS t FROM coaches').all()).toEqual([
      { coach_name: "Ann O'Hara", salary: 12.5, t: 'real' },
      { coach_name: 'Bo', salary: 13, t: 'real' },
    ]);
    sqlite.close();
    const own = 'WITH coaches AS (SELECT 1 AS n) SELECT n FROM coaches';
    expect(await goldOf('TAd', 'added the related', own)).toBeUndefined();
  });

  it('remove what a gold needs: nothing answers the question then', async () => {
    const columns = (await mutate(
      'NCR',
      'SELECT city, count(last_name) FROM team WHERE team_id > 1',
    )) as readonly Mutation[];
    expect(columns.map(({ detail, query, expectation }) => [detail, query, expectation])).toEqual([
      ['dropped team.city, which the question needs', null, 'unanswerable'],
    ]);
    // A text in double quotes is read as such where no column has that name.
    expect(await mutate('NCR', 'SELECT "city" FROM team')).toEqual({ reason: 'gold-can-still-be-read' });
    expect(await mutate('NCR', 'SELECT * FROM team')).toEqual({ reason: 'no-column-that-only-it-has' });
    const join = 'SELECT city FROM team JOIN player ON team.team_id = player.team_id';
    const tables = (await mutate('NTR', join)) as readonly Mutation[];
    expect(tables.map(({ detail }) => detail)).toEqual(['dropped team, which the question needs']);
    expect(await mutate('NTR', 'SELECT 1')).toEqual({ reason: 'no-table-that-only-it-has' });
  });

  it('let the question follow values that are spelled otherwise, where that is asked', async () => {
    const relation = contentEquivalence(new RowReader(datasetAt(file)), 'follow', SQLITE);
    const query = "SELECT points FROM player WHERE level = 'Senior'";
    const question = 'What do senior players, but no seniors, have? And a Junior?';
    const result = await mutateOne(relation, seedCase({ id: 'own:0', dbId: CLUB.id, question, query }, CLUB), 100);
    const capitals = (result as readonly Mutation[]).find(({ level }) => level === 'capitals');
    expect(capitals?.question).toBe('What do SENIOR players, but no seniors, have? And a Junior?');
  });

  it('remove tables that the gold does not read', async () => {
    const result = (await mutate('TRm', 'SELECT points FROM player')) as readonly Mutation[];
    expect(result.map(({ detail }) => detail)).toEqual(['dropped team', 'dropped visit']);
    expect(await mutate('TRm', 'SELECT points FROM player, team, visit')).toEqual({ reason: 'no-unused-table' });
  });

  it('split names and dates, and put them together in golds', async () => {
    const name = 'split player.player_name into first_name, last_name';
    expect(await goldOf('CSp', name, "SELECT player_name FROM player WHERE player_name = 'Ann Lee'")).toBe(
      "SELECT first_name || ' ' || last_name FROM player WHERE first_name || ' ' || last_name = 'Ann Lee'",
    );
    expect(await goldOf('CSp', name, 'SELECT p.player_name FROM player p WHERE p.player_name > 5')).toBe(
      "SELECT p.first_name || ' ' || p.last_name FROM player p WHERE CAST(p.first_name || ' ' || p.last_name AS TEXT) > 5",
    );
    expect(await goldOf('CSp', 'split player.birth_date into birth_year', 'SELECT max(birth_date) FROM player')).toBe(
      "SELECT max(birth_year || '-' || substr('0' || birth_month, -2) || '-' || substr('0' || birth_day, -2)) FROM player",
    );
    expect(await goldOf('CSp', name, 'SELECT n FROM (SELECT player_name AS n FROM player) ORDER BY n')).toBe(
      "SELECT n FROM (SELECT CAST(first_name || ' ' || last_name AS TEXT) AS n FROM player) ORDER BY n",
    );
  });

  it('name the values that a change maps, and say null where rows stay', async () => {
    const [split] = (await mutate('CSp', 'SELECT points FROM player')) as readonly Mutation[];
    expect(split?.expectation).toBe('same-query');
    expect(split?.mapping).toEqual([
      {
        column: 'player.player_name',
        now: ['player.first_name', 'player.last_name'],
        restored: "first_name || ' ' || last_name",
      },
    ]);
    const [renamed] = (await mutate('TRn', 'SELECT points FROM player')) as readonly Mutation[];
    expect(renamed?.mapping).toBeNull();
    for (const id of ['TRm', 'FKR']) {
      const [first] = (await mutate(id, 'SELECT points FROM player')) as readonly Mutation[];
      expect(first?.mapping).toBeNull();
    }
  });

  it('refuse by name what no cast keeps: texts in a column of numbers', async () => {
    const query = 'SELECT arrived_on FROM player WHERE arrived_on > 2019';
    const result = (await mutate('CSp', query)) as readonly Mutation[];
    expect(result.map(({ detail }) => detail)).not.toContainEqual(expect.stringContaining('arrived_on'));
    expect(
      await goldOf('CSp', 'split player.arrived_on', "SELECT 1 FROM player WHERE arrived_on > '2020-01-01'"),
    ).toMatch(/^SELECT 1 FROM player WHERE arrived_on_year \|\| .* > '2020-01-01'$/);
  });

  it('merge columns, and take them out of one another in golds', async () => {
    const gold = await goldOf('CMe', 'merged team.first_name and team.last_name', 'SELECT last_name FROM team');
    expect(gold).toBe("SELECT substr(full_name, instr(full_name, ' ') + 1) FROM team");
    expect(
      await goldOf('CMe', 'merged team.city and team.state into location', "SELECT 1 FROM team WHERE city = 'York'"),
    ).toBe("SELECT 1 FROM team WHERE substr(location, 1, instr(location, ', ') - 1) = 'York'");
  });

  it('write values in another type under the same name', async () => {
    expect(await goldOf('CTy', 'changed player.points to text', 'SELECT sum(points) FROM player')).toBe(
      'SELECT sum(CAST(points AS INTEGER)) FROM player',
    );
    expect(
      await goldOf('CTy', 'changed player.is_active to yes or no', 'SELECT 1 FROM player WHERE is_active = 1'),
    ).toBe("SELECT 1 FROM player WHERE CASE is_active WHEN 'no' THEN 0 WHEN 'yes' THEN 1 END = 1");
    expect(await goldOf('CTy', 'changed visit.number to number', 'SELECT number FROM visit')).toBe(
      'SELECT CAST(number AS TEXT) FROM visit',
    );
  });

  it('split a table by its key: golds read the part that has what they use, or join both', async () => {
    const gold = (query: string): Promise<unknown> => {
      return goldOf('TSp', 'split player: level, points, arrived_on into player_details', query);
    };
    expect(await gold('SELECT player_name FROM player')).toBe('SELECT player_name FROM player');
    expect(await gold('SELECT p.points FROM player AS p')).toBe('SELECT p.points FROM player_details AS p');
    expect(await gold('SELECT player_name, points FROM player ORDER BY player_id')).toBe(
      'SELECT player_name, points FROM player JOIN player_details ON player.player_id = player_details.player_id ORDER BY player.player_id',
    );
    expect(await gold('SELECT city, points, player_name FROM team LEFT JOIN player USING (team_id)')).toBe(
      'SELECT city, points, player_name FROM team LEFT JOIN (SELECT player.player_name, player_details.points, player.team_id FROM player JOIN player_details ON player.player_id = player_details.player_id) AS player USING (team_id)',
    );
  });

  it('split a table by a category: golds read one part where they ask for it, else both', async () => {
    const gold = (query: string): Promise<unknown> => goldOf('TPa', 'split player by level', query);
    expect(await gold("SELECT points FROM player WHERE level = 'Senior'")).toBe(
      "SELECT points FROM player_senior WHERE level = 'Senior'",
    );
    expect(await gold("SELECT points FROM player WHERE level = 'Junior' AND points > 3")).toBe(
      "SELECT points FROM player_junior WHERE level = 'Junior' AND points > 3",
    );
    expect(await gold("SELECT points FROM player WHERE level = 'Senior' OR points > 3")).toBe(
      "SELECT points FROM (SELECT level, points FROM player_junior UNION ALL SELECT level, points FROM player_senior) AS player WHERE level = 'Senior' OR points > 3",
    );
    expect(await gold('SELECT rowid FROM player')).toBe('row-id');
  });

  it('refuse golds that name the index of a table whose parts they would read: one part has it, or none', async () => {
    const [split, partition] = ['split player: level, points, arrived_on', 'split player by level'];
    const indexed = 'player AS p INDEXED BY by_level';
    for (const query of [`SELECT points FROM ${indexed} WHERE level = 'Junior'`, `SELECT points FROM ${indexed}`]) {
      expect([query, await goldOf('TPa', partition, query)]).toEqual([query, 'index-of-the-gold']);
      // Another table is split then.
      expect([query, await goldOf('TSp', split, query)]).toEqual([query, undefined]);
      expect([query, await goldOf('TMe', 'merged player and team', query)]).toEqual([query, 'index-of-the-gold']);
    }
    // The index is over the level, which is moved.
    expect(await goldOf('TSp', split, `SELECT player_name FROM ${indexed}`)).toBeUndefined();
    const team = 'team INDEXED BY by_city';
    for (const [id, detail, query] of [
      ['CMe', 'merged team.city and team.state', `SELECT city FROM ${team}`],
      ['CSp', 'split player.birth_date', `SELECT birth_date FROM ${indexed}`],
      ['CTy', 'changed player.points to text', `SELECT points FROM ${indexed}`],
    ] as const) {
      const free = query.replace(/ INDEXED BY \w+/, '');
      expect([id, await goldOf(id, detail, query)]).not.toEqual([id, expect.stringContaining('INDEXED BY')]);
      expect(await goldOf(id, detail, free)).toContain('SELECT');
    }
    expect(await goldOf('TPa', partition, "SELECT 1 FROM player NOT INDEXED WHERE level = 'Junior'")).toBe(
      "SELECT 1 FROM player_junior NOT INDEXED WHERE level = 'Junior'",
    );
  });

  it('merge tables: golds lose the join, or read a part', async () => {
    const gold = (query: string): Promise<unknown> => goldOf('TMe', 'merged player and team into player_team', query);
    expect(await gold('SELECT count(*) FROM team')).toBe(
      'SELECT count(*) FROM (SELECT DISTINCT team_id FROM player_team WHERE team_id IS NOT NULL) AS team',
    );
    expect(await gold('SELECT points FROM player')).toBe(
      'SELECT points FROM (SELECT points FROM player_team WHERE player_id IS NOT NULL) AS player',
    );
    expect(await gold('SELECT rowid FROM team')).toBe('row-id');
    const whole = join(folder, 'whole.sqlite');
    writeClub(whole, [
      [[1, 'Ann Lee', null, 1, 'Senior', 12, null, 1]],
      [[1, 'Ann', 'Lee', 'York', 'Ohio', 1.5]],
      [[1, 1, '7']],
    ]);
    const query = 'SELECT p.points, t.city FROM player AS p JOIN team AS t ON p.team_id = t.team_id';
    const relation = evolutionKinds(datasetAt(whole)).find(({ id }) => id === 'TMe')!;
    const result = await mutateOne(relation, seedCase({ id: 'own:0', dbId: CLUB.id, question: '?', query }, CLUB));
    expect((result as readonly Mutation[]).map((mutation) => mutation.query)).toContain(
      'SELECT p.points, p.city FROM player_team AS p',
    );
  });

  it('number a key of several columns, and leave stars as they were', async () => {
    expect(await goldOf('SK', 'gave visit the key visit_id', 'SELECT * FROM visit')).toBe(
      'SELECT player_id, team_id, number FROM visit',
    );
  });

  it('drop all foreign keys of the schema', async () => {
    const [mutation] = (await mutate('FKR', 'SELECT 1')) as readonly Mutation[];
    expect(mutation?.mutated?.schema.foreignKeys).toEqual([]);
    expect(mutation?.expectation).toBe('same-query');
  });

  it('spell values of a category otherwise, with the constants of the gold', async () => {
    const gold = (query: string): Promise<unknown> => goldOf('CEq', 'values of player.level in capitals', query);
    expect(await gold("SELECT 1 FROM player WHERE level = \"Senior\" OR level IN ('Junior', 'none')")).toBe(
      "SELECT 1 FROM player WHERE level = 'SENIOR' OR level IN ('JUNIOR', 'none')",
    );
    expect(await gold("SELECT 1 FROM player WHERE level = 'SENIOR'")).toBeUndefined();
    expect(await gold('SELECT 1 FROM player ORDER BY level')).toBe('order-of-values');
    expect(await gold("SELECT 1 FROM player WHERE level LIKE 'S%'")).toBe('another-use-of-the-value');
    expect(await gold('SELECT max(level) FROM player')).toBe('function-of-the-value');
    expect(await gold('SELECT 1 FROM team WHERE city IN (SELECT level FROM player)')).toBe(
      'a-subquery-passes-the-value-on',
    );
    const result = (await mutate('CEq', 'SELECT points, level FROM player')) as readonly Mutation[];
    const [mapping] = result[0]?.mapping ?? [];
    expect(mapping?.results).toEqual([1]);
    expect(new Map(mapping?.values).get('Senior')).toBe('SENIOR');
  });

  it('say why there is nothing to change', async () => {
    const lone = schemaOf('lone', { thing: 'thing_id' });
    const reasons = await Promise.all(
      ['TRm', 'TSp', 'TMe', 'FKR'].map(async (id) => mutate(id, 'SELECT * FROM thing', lone)),
    );
    expect(reasons.map((result) => ('reason' in result ? result.reason : ''))).toEqual([
      'no-unused-table',
      'no-table-with-a-key-and-enough-columns',
      'no-foreign-key',
      'no-foreign-key',
    ]);
    const rowless = new RowReader({ sqliteFile: () => null });
    const [one] = [...EXAMPLES.examples()];
    const database = EXAMPLES.databases.get(one!.dbId)!;
    expect(await mutateOne(columnSplit(rowless, SQLITE), seedCase(one!, database))).toEqual({
      reason: 'no-rows-to-read',
    });
  });
});
