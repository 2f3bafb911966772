import { beforeAll, describe, expect, it } from 'vitest';
import { BaselineParser } from '../../../src/victims/baseline/baseline-parser.js';
import { resolveColumns } from '../../../src/sql/resolver.js';
import { BIKE_CELLS, BIKE_EXAMPLES, BIKES, loadGardenExamples, renamed, withColumn } from './baseline-fixture.js';

const garden = loadGardenExamples();
const bikes = new BaselineParser();
const everything = new BaselineParser();
beforeAll(() => {
  bikes.fit(BIKE_EXAMPLES);
  everything.fit([...garden, ...BIKE_EXAMPLES]);
});
const ask = (question: string, database = BIKES) => bikes.parse(question, database, BIKE_CELLS);

describe('BaselineParser', () => {
  it('answers what it has been shown', () => {
    for (const { question, query, database, samples } of BIKE_EXAMPLES)
      expect(bikes.parse(question, database, samples)).toBe(query);
  });

  it('fills sketches with other columns, tables and values', () => {
    expect(ask('How many bikes are there?')).toBe('SELECT count(*) FROM bike');
    expect(ask('What is the average weight of the bikes?')).toBe('SELECT avg(weight) FROM bike');
    expect(ask('Show the brands of bikes with a weight over 9.')).toBe('SELECT brand FROM bike WHERE weight > 9');
  });

  it('no longer finds a column under a synonym', () => {
    const question = 'What is the average weight of the bikes?';
    const priced = withColumn(BIKES, 1, { name: 'price', originalName: 'price', type: 'number' });
    expect(ask(question, priced)).toBe('SELECT avg(weight) FROM bike');
    expect(ask(question, renamed(priced, 1, { weight: 'mass' }))).not.toContain('mass');
  });

  it('is misled by an added column', () => {
    const added = withColumn(BIKES, 0, { name: 'age', originalName: 'age_of_parent', type: 'number' });
    expect(ask('What is the average age of the riders?', added)).toBe('SELECT avg(age_of_parent) FROM rider');
  });

  it('gives queries that resolve against the schema', () => {
    for (const { question, database, samples, id } of garden) {
      const sql = everything.parse(question, database, samples, [id]);
      expect(sql === null || resolveColumns(sql, database)).toBeTruthy();
    }
  });

  it('does not use the example that is left out', () => {
    const parser = new BaselineParser();
    const secret = {
      ...BIKE_EXAMPLES[0]!,
      id: 'secret',
      question: 'Grand total of riders, please',
      query: 'SELECT sum(age), min(age), max(age) FROM rider',
    };
    parser.fit([...BIKE_EXAMPLES, secret]);
    expect(parser.parse(secret.question, BIKES, BIKE_CELLS)).toBe(secret.query);
    expect(parser.parse(secret.question, BIKES, BIKE_CELLS, ['secret'])).not.toContain('sum');
  });

  it('uses none of several examples that are left out', () => {
    const parser = new BaselineParser();
    const [question, query] = ['Grand total of riders, please', 'SELECT sum(age), min(age), max(age) FROM rider'];
    const secrets = ['first', 'second'].map((id) => ({ ...BIKE_EXAMPLES[0]!, id, question, query }));
    parser.fit([...BIKE_EXAMPLES, ...secrets]);
    expect(parser.parse(question, BIKES, BIKE_CELLS, ['first'])).toBe(query);
    expect(parser.parse(question, BIKES, BIKE_CELLS, ['first', 'second'])).not.toContain('sum');
  });

  it('answers alike in two runs, whatever was asked before', () => {
    const again = new BaselineParser();
    again.fit([...garden, ...BIKE_EXAMPLES]);
    const answers = (parser: BaselineParser) => (index: number) => {
      const { question, database, samples, id } = garden[index]!;
      return parser.parse(question, database, samples, [id]);
    };
    const order = [...garden.keys()];
    expect(order.map(answers(again))).toEqual(order.toReversed().map(answers(everything)).toReversed());
  });

  it.each([
    ['no tables', { ...BIKES, tables: [], primaryKeys: [], foreignKeys: [] }],
    [
      'a table without columns',
      { ...BIKES, tables: [{ name: 't', originalName: 't', columns: [] }], primaryKeys: [], foreignKeys: [] },
    ],
    [
      'one column',
      {
        ...BIKES,
        tables: [{ ...BIKES.tables[0]!, columns: BIKES.tables[0]!.columns.slice(0, 1) }],
        primaryKeys: [],
        foreignKeys: [],
      },
    ],
    ['tables without keys', { ...BIKES, primaryKeys: [], foreignKeys: [] }],
  ])('answers or says null for a schema with %s', (_, database) => {
    for (const { question } of [...garden, ...BIKE_EXAMPLES]) {
      const sql = everything.parse(question, database, []);
      expect(sql === null || resolveColumns(sql, database)).toBeTruthy();
    }
  });

  it.each(['', '???', '"', '日本語の質問', '%'.repeat(50), 'name '.repeat(400)])(
    'takes the question %j',
    (question) => {
      expect(() => everything.parse(question, BIKES, BIKE_CELLS)).not.toThrow();
    },
  );

  it('has no answer before it has examples', () => {
    expect(new BaselineParser().parse('How many riders?', BIKES, BIKE_CELLS)).toBeNull();
    const parser = new BaselineParser();
    parser.fit([{ ...BIKE_EXAMPLES[0]!, query: 'not SQL' }]);
    expect(parser.size).toBe(0);
    expect(parser.parse('How many riders?', BIKES, BIKE_CELLS)).toBeNull();
  });
});
