import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSpider, NEEDS_SPIDER, readGold } from '../sql/spider-files.js';
import { cleanSql } from '../../src/chat/clean-answer.js';

const SQL = 'SELECT name FROM singer WHERE age > 20';
const found = (raw: string) => cleanSql(raw).sql;
const steps = (raw: string) => cleanSql(raw).steps;

describe('what is around SQL', () => {
  it('leaves plain SQL as it is', () => {
    expect(cleanSql(SQL)).toEqual({ sql: SQL, steps: [], rest: [] });
    expect(cleanSql(`\n  ${SQL}\n`)).toEqual({ sql: SQL, steps: [], rest: [] });
  });

  it.each([
    ['a fence', `\`\`\`sql\n${SQL}\n\`\`\``, ['code-fence']],
    ['a fence on one line', `\`\`\`sql ${SQL} \`\`\``, ['code-fence']],
    ['a fence without language', `\`\`\`\n${SQL};\n\`\`\``, ['code-fence', 'semicolon']],
    ['a fence that is not closed', `\`\`\`sqlite\n${SQL}`, ['code-fence']],
    ['only the closing fence', `${SQL}\n\`\`\``, ['code-fence']],
    [
      'fence and prose',
      `Sure, select it so:\n\`\`\`sql\n${SQL}\n\`\`\`\nThis lists them.`,
      ['code-fence', 'prose-before', 'prose-after'],
    ],
    [
      'a fence of other code first',
      `\`\`\`text\nplan\n\`\`\`\n\`\`\`sql\n${SQL}\n\`\`\``,
      ['code-fence', 'prose-before'],
    ],
    ['thinking', `<think>\nSELECT 1; or \`\`\`sql\nSELECT 2\n\`\`\`\n</think>\n\n${SQL}`, ['thinking']],
    ['thinking without its beginning', `I could SELECT 1;</think>${SQL}`, ['thinking']],
    ['thinking twice', `<think>a</think><think>b</think>${SQL}`, ['thinking']],
    ['special tokens', `<|im_start|>${SQL}<|im_end|>\nuser: thanks`, ['special-tokens']],
    [
      'channels',
      `<|channel|>analysis<|message|>SELECT 1<|end|><|start|>assistant<|channel|>final<|message|>${SQL}<|return|>`,
      ['special-tokens'],
    ],
    ['JSON', JSON.stringify({ sql: SQL }), ['json']],
    ['JSON with other fields', JSON.stringify({ reasoning: 'SELECT 1', Query: `${SQL};` }), ['json', 'semicolon']],
    ['a JSON string', JSON.stringify(SQL), ['json']],
    ['a JSON list', JSON.stringify([{ sql: SQL }]), ['json']],
    ['JSON in a fence', `\`\`\`json\n{"sql": "${SQL}"}\n\`\`\``, ['json', 'code-fence']],
    ['a fence in JSON', JSON.stringify({ answer: `\`\`\`sql\n${SQL}\n\`\`\`` }), ['json', 'code-fence']],
    ['JSON in prose', `Here it is: {"why": "so", "sql": "${SQL}"} Bye.`, ['json']],
    ['a label', `SQL: ${SQL}`, ['label']],
    ['a bold label', `**SQL Query:**\n${SQL};`, ['label', 'semicolon']],
    ['a label that lost its fence', `sql\n${SQL}`, ['label']],
    ['prose before', `Here is the query you asked for:\n\n${SQL}`, ['prose-before']],
    ['prose on the line', `You can use SELECTed rows: ${SQL}`, ['prose-before']],
    ['prose after a blank line', `${SQL}\n\nIt's the list of Tom's friends; SELECT is used.`, ['prose-after']],
    ['prose after', `${SQL}\nThis query doesn't sort.`, ['prose-after']],
    ['prose after a semicolon', `${SQL}; That's it.`, ['prose-after', 'semicolon']],
    ['inline code', `The answer is \`${SQL}\`, I think.`, ['inline-code', 'prose-before']],
    ['a comment', `${SQL} -- all of them`, ['trailing-comment']],
    ['a comment behind the semicolon', `${SQL}; /* all; of them */`, ['semicolon']],
    ['several semicolons', `${SQL};;\n;`, ['semicolon']],
    [
      'a byte order mark, NUL and zero width',
      `\uFEFF${SQL.replace('name', '\u200Bna\0me')}\u200D`,
      ['invisible-characters'],
    ],
  ])('finds SQL in %s', (_, raw, expected) => {
    expect(found(raw)).toBe(SQL);
    expect(steps(raw)).toEqual(expected);
  });

  it('replaces spaces that SQL does not know', () => {
    expect(found('SELECT\u00A01')).toBe('SELECT 1');
  });

  it('keeps joiners where scripts need them', () => {
    const persian = "SELECT 'می\u200Cخواهم'";
    expect(cleanSql(persian)).toEqual({ sql: persian, steps: [], rest: [] });
  });
});

describe('SQL that looks like something else', () => {
  it.each([
    ['a comment before', `-- names\n/* of; singers */ ${SQL}`],
    ['semicolons in quotes and comments', `SELECT ';', "a;b" /* ; */ FROM t -- ;\nWHERE x = 'it''s; so'`],
    ['blank lines and capitalized columns', 'SELECT\n\nName as n,\n\n  Age\nFrom singer\n\nWhere The = 1'],
    ['a common table expression', 'WITH a (x, y) AS (\n  SELECT 1, 2\n)\n\nSELECT * FROM a'],
    ['parentheses', '(SELECT 1) UNION (SELECT 2)'],
    ['a tag in a string', "SELECT id FROM page WHERE body = '<think>'"],
    ['an object in a string', `SELECT id FROM log WHERE body = '{"sql": "SELECT 1"}'`],
    ['backticks', 'SELECT `a b` FROM `t`'],
    ['VALUES', 'VALUES (1), (2)'],
    ['an open quote', "SELECT name FROM t WHERE x = 'O'Brien'"],
    ['lower case', 'select name from singer'],
    ['a write', 'DROP TABLE singer'],
  ])('keeps %s', (_, sql) => {
    expect(cleanSql(sql)).toEqual({ sql, steps: [], rest: [] });
  });

  it('ends SQL with an open quote where a paragraph does', () => {
    expect(found("SELECT name FROM t WHERE x = 'O'Brien';\nThat isn't hard.")).toBe(
      "SELECT name FROM t WHERE x = 'O'Brien'",
    );
  });
});

describe('several statements', () => {
  it('keeps the first and records the others', () => {
    const { sql, steps: named, rest } = cleanSql("SELECT 1; DROP TABLE t; SELECT ';' -- x\n;");
    expect([sql, named, rest]).toEqual([
      'SELECT 1',
      ['further-statements', 'semicolon'],
      ['DROP TABLE t', "SELECT ';'"],
    ]);
  });

  it('ends a query where the next one begins without a semicolon', () => {
    const { sql, rest } = cleanSql('SELECT a FROM t\n\n-- How many?\nSELECT count(*)\nFROM t');
    expect([sql, rest]).toEqual(['SELECT a FROM t', ['SELECT count(*)\nFROM t']]);
  });

  it.each([
    'SELECT a FROM t\nUNION ALL\nSELECT b FROM u',
    'SELECT a FROM t EXCEPT\n\nSELECT b FROM u',
    'SELECT a FROM t WHERE b IN (\nSELECT c FROM u\n)',
    'WITH a AS (SELECT 1)\nSELECT * FROM a',
    'CREATE TABLE a AS\nSELECT 1',
  ])('keeps a query together that has several parts: %j', (sql) => {
    expect(cleanSql(sql)).toEqual({ sql, steps: [], rest: [] });
  });

  it('records the SQL of further fences', () => {
    expect(cleanSql('```sql\nSELECT 1\n```\nor\n```sql\nSELECT 2\n```').rest).toEqual(['SELECT 2']);
  });
});

describe('no SQL', () => {
  it.each([
    '',
    ' \n',
    "I'm sorry, I can't help with that.",
    '<think>SELECT 1',
    '```\n```',
    '{}',
    '\0',
    'With the tables given, update nothing.',
  ])('says so of %j', (raw) => {
    expect(found(raw)).toBeNull();
  });

  it('keeps what is marked as SQL though it is none', () => {
    expect(found('```sql\nSELCT 1\n```')).toBe('SELCT 1');
    expect(found('SQL: SELCT 1')).toBe('SELCT 1');
    expect(found('SELCT 1')).toBeNull();
  });
});

describe.skipIf(!hasSpider)(`Spider’s gold SQL${NEEDS_SPIDER}`, () => {
  it('stays as it is', () => {
    const gold = ['dev_gold.sql', 'train_gold.sql'].flatMap(readGold).map(({ sql }) => sql);
    const expected = (sql: string): string =>
      sql
        .replaceAll('\u200B', '')
        .trim()
        .replace(/[\s;]+$/, '');
    expect(gold.filter((sql) => found(sql) !== expected(sql))).toEqual([]);
  });
});

describe('any text', () => {
  const word = fc.constantFrom(
    'SELECT ',
    'select',
    ' FROM t',
    '`',
    '```',
    "'",
    '"',
    ';',
    '--',
    '/*',
    '*/',
    '\n',
    '<think>',
    '</think>',
    '{"sql": "',
    '}',
    '(',
    ')',
    'WITH a AS (',
    'The ',
    'SQL:',
    '\\',
    '\0',
    ' ',
    '<|x|>',
  );
  const anything = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
  );

  it('never throws, and gives parts of the text', () => {
    fc.assert(
      fc.property(anything, (raw) => {
        const { sql } = cleanSql(raw);
        expect(sql === null || (sql.trim() === sql && sql !== '')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds a query in any of its wrappings', () => {
    const queries = fc.constantFrom(
      SQL,
      "SELECT count(*) FROM t WHERE a = 'x;y' AND b IN (SELECT c FROM u)",
      'WITH a AS (SELECT 1) SELECT * FROM a',
    );
    const wrappings = fc.array(
      fc.constantFrom<(text: string) => string>(
        (text) => `<think>Maybe SELECT 2?</think>\n${text}`,
        (text) => `${text}\n\n`,
        (text) => `\uFEFF${text}`,
        (text) => `<|im_start|>${text}`,
      ),
      { maxLength: 4 },
    );
    const core = fc.constantFrom<(text: string) => string>(
      (sql) => sql,
      (sql) => `${sql};`,
      (sql) => `\`\`\`sql\n${sql};\n\`\`\``,
      (sql) => JSON.stringify({ sql }),
      (sql) => `SQL: ${sql}`,
      (sql) => `The query is:\n\n${sql}\n\nThis returns what's wanted.`,
    );
    fc.assert(
      fc.property(queries, core, wrappings, (sql, wrap, more) => {
        const raw = more.reduce((text, next) => next(text), wrap(sql));
        expect(found(raw)).toBe(sql);
      }),
    );
  });

  it('survives lists in lists', () => {
    const deep = `${'['.repeat(500_000)}"SELECT 1"${']'.repeat(500_000)}`;
    expect(found(deep)).not.toBeUndefined();
  });

  // Quadratic work would run into the timeout of the test.
  it.each([
    "'",
    '"',
    '`',
    '```',
    '/*',
    '--',
    ';',
    '(',
    '\n',
    ' ',
    'with ',
    'WITH a AS (',
    'select ',
    'SELECT ',
    '<think>',
    '</think>',
    '<|a|>',
    '{"sql":',
    ',"sql": "',
    '\\"',
    '*',
    'SQL',
    '\u200C',
    'The \n\n',
    'a ',
    'update x set ',
    '```sql\nSELECT 1\n',
  ])(
    'is fast with 1 MB of %j',
    (piece) => {
      const flood = piece.repeat(Math.ceil(1_000_000 / piece.length));
      for (const raw of [
        flood,
        `SELECT ${flood}`,
        `SELECT '${flood}`,
        `{"sql": "${flood}`,
        `SQL${flood}`,
        `<think>${flood}`,
      ]) {
        cleanSql(raw);
      }
    },
    20_000,
  );
});
