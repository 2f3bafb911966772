import { describe, expect, test } from 'vitest';
import type { OutputSchema } from '../../../src/formats/output-set.js';
import { type FollowedText, RenameFollower } from '../../../src/formats/schema-text/follow-renames.js';
import { goldLinks } from '../../../src/formats/schema-text/gold-links.js';
import type { Column, Database } from '../../../src/schema/schema.js';
import { SQLITE } from '../../../src/sql/dialect.js';
import { applyEdits } from '../../../src/sql/edits.js';

const column = (originalName: string, name: string): Column => ({ originalName, name, type: 'text' });

const SHOP: Database = {
  id: 'shop',
  tables: [
    {
      name: 'orders',
      originalName: 'orders',
      columns: [
        column('Id', 'id'),
        column('date', 'date'),
        column('unit_price', 'unit price'),
        column('BuyerId', 'buyer id'),
        column('QTY', 'quantity'),
        column('A2', 'region'),
      ],
    },
    {
      name: 'buyers',
      originalName: 'buyers',
      columns: [column('Id', 'id'), column('name', 'name'), column('home_town', 'home town'), column('date', 'date')],
    },
  ],
  primaryKeys: [],
  foreignKeys: [{ from: { table: 0, column: 3 }, to: { table: 1, column: 0 } }],
};

/** The schema with every column renamed: `unit_price` becomes `new_unit_price`, "new unit price". */
const RENAMED: OutputSchema = {
  schema: {
    ...SHOP,
    id: 'shop__rpl_1',
    tables: SHOP.tables.map((table, t) => ({
      ...table,
      columns: table.columns.map((one) => {
        const mark = t === 0 ? 'new' : 'late';
        return { ...one, name: `${mark} ${one.name}`, originalName: `${mark}_${one.originalName}` };
      }),
    })),
  },
  origin: 'shop',
  columns: SHOP.tables.map(({ columns }) => columns.map((_, c) => c)),
};
const BOTH =
  "SELECT T2.name, T1.date, T1.QTY FROM orders T1 JOIN buyers T2 ON T1.BuyerId = T2.Id WHERE T2.home_town = 'Ulm'";

function follow(text: string, query = BOTH, question = 'Who bought most?'): FollowedText {
  return new RenameFollower(SHOP, RENAMED, SQLITE).follow(text, { links: goldLinks(query, SHOP, SQLITE), question });
}

describe('RenameFollower', () => {
  test.each([
    ['home_town refers to town', 'city refers to town'],
    ['orders of the date number in date', 'orders of the date number in date'],
    ['date = 1', '`date number` = 1'],
    ['a number of date = 1', 'a number of date = 1'],
  ])('says no word of a new name twice: %s', (text, followed) => {
    const names: Record<string, string> = { date: 'date number', home_town: 'city' };
    const tables = SHOP.tables.map((table) => ({
      ...table,
      columns: table.columns.map((one) => {
        const name = names[one.originalName] ?? one.name;
        return { ...one, name, originalName: name === one.name ? one.originalName : name };
      }),
    }));
    const renamed = { ...RENAMED, schema: { ...SHOP, tables } };
    const { text: after, unsure } = new RenameFollower(SHOP, renamed, SQLITE).follow(text, {
      links: goldLinks('SELECT T1.date, T2.home_town FROM orders T1 JOIN buyers T2', SHOP, SQLITE),
    });
    expect(after).toBe(followed);
    expect(unsure.length > 0).toBe(text === followed);
  });

  test.each([
    ['an identifier', 'the price is in unit_price', 'the price is in new_unit_price'],
    ['backquotes', 'see `unit_price`', 'see `new_unit_price`'],
    ['a comparison', "from Ulm refers to home_town = 'Ulm'", "from Ulm refers to late_home_town = 'Ulm'"],
    ['another case', 'MAX(Unit_Price) where UNIT_PRICE > 3', 'MAX(new_unit_price) where new_unit_price > 3'],
    ['a table', 'orders.date, T2.date and shop_buyers.date', 'orders.new_date, T2.late_date and shop_buyers.late_date'],
    ['a formula', 'DIVIDE(SUM(QTY), COUNT(DISTINCT name))', 'DIVIDE(SUM(new_QTY), COUNT(DISTINCT late_name))'],
    ['arithmetic', 'worth = unit_price * QTY', 'worth = new_unit_price * new_QTY'],
    ['a list', 'who refers to name, home_town', 'who refers to late_name, late_home_town'],
    ['a null check', 'unsold means date is not null', 'unsold means new_date is not null'],
    ['a value in words', "'Ulm' is the home town", "'Ulm' is the late home town"],
    ['a value of the gold', 'Ulm is a name of home town', 'Ulm is a name of late home town'],
    ['a table in words', 'Ann is the name of buyer', 'Ann is the late name of buyer'],
    ['a misspelled name', "from Ulm refers to home_twon = 'Ulm'", "from Ulm refers to late_home_town = 'Ulm'"],
  ])('follows in %s', (_, text, expected) => {
    expect(follow(text).text).toBe(expected);
  });

  test.each([
    ['words of the question', 'the highest date refers to MAX(QTY)', 'the highest date refers to MAX(new_QTY)'],
    ['literals', "home_town = 'name'", "late_home_town = 'name'"],
    ['functions', 'date(QTY) > 3', 'date(new_QTY) > 3'],
    ['what an identifier means', 'A2 refers to region', 'new_A2 refers to region'],
    ['prose', 'a buyer has a name and a home town by that date', 'a buyer has a name and a home town by that date'],
    ['a phrase in front of a formula', 'average quantity = AVG(QTY)', 'average quantity = AVG(new_QTY)'],
  ])('leaves %s', (_, text, expected) => {
    expect(follow(text).text).toBe(expected);
  });

  test('takes of two columns of one name the one that the gold compares with the value', () => {
    const query = "SELECT T1.date FROM orders T1 JOIN buyers T2 ON T1.BuyerId = T2.Id WHERE T2.date = '2020'";
    expect(follow("since 2020 refers to date = '2020'", query).text).toBe("since 2020 refers to late_date = '2020'");
    expect(follow('MAX(date)', 'SELECT T1.date, MAX(T2.date) FROM orders T1, buyers T2').text).toBe('MAX(late_date)');
  });

  test('leaves and marks a name that several columns share', () => {
    const followed = follow('lowest: MIN(date)', 'SELECT T1.date, T2.date FROM orders T1, buyers T2');
    expect(followed).toMatchObject({ edits: [], text: 'lowest: MIN(date)' });
    expect(followed.unsure).toEqual([{ start: 12, end: 16, text: 'date' }]);
  });

  test('marks an identifier that is a word of the question', () => {
    const followed = follow('QTY over 3 refers to QTY > 3', BOTH, 'Which orders have a QTY over 3?');
    expect(followed.text).toBe('QTY over 3 refers to new_QTY > 3');
    expect(followed.unsure).toEqual([{ start: 0, end: 3, text: 'QTY' }]);
  });

  test('is undone by its edits', () => {
    const text = "unit_price * QTY where home_town = 'Ulm'; `date`";
    const { text: after, edits } = follow(text);
    let moved = 0;
    const back = edits.map(({ start, end, before, after: now }) => {
      const from = start + moved;
      moved += now.length - (end - start);
      return { start: from, end: from + now.length, before: now, after: before };
    });
    expect(edits.length).toBeGreaterThan(3);
    expect(applyEdits(after, back)).toBe(text);
  });

  test('without a query changes only what can be nothing else', () => {
    const follower = new RenameFollower(SHOP, RENAMED, SQLITE);
    expect(follower.follow('unit_price by date; a name refers to name', { table: 0 }).text).toBe(
      'new_unit_price by date; a name refers to name',
    );
  });
});
