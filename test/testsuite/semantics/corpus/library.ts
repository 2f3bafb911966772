import type { CorpusSchema } from './corpus-schema.js';

const SQL = `
  CREATE TABLE author (author_id INTEGER PRIMARY KEY, name TEXT NOT NULL, nationality TEXT, born INTEGER);
  CREATE TABLE book (book_id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author (author_id),
    genre TEXT, published INTEGER, pages INTEGER);
  CREATE TABLE member (member_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, age INTEGER, since DATE);
  CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES book (book_id),
    member_id INTEGER NOT NULL REFERENCES member (member_id), lent DATE, returned DATE, fine REAL);
  INSERT INTO author VALUES
    (1, 'Marta Solis', 'Spanish', 1948), (2, 'Peter Hahn', 'German', 1955), (3, 'Yuki Mori', 'Japanese', 1962),
    (4, 'Aoife Burke', 'Irish', 1970), (5, 'Samuel Osei', 'Ghanaian', 1981), (6, 'Lena Fors', 'Swedish', 1990);
  INSERT INTO book VALUES
    (1, 'The Salt Road', 1, 'novel', 1985, 412), (2, 'Winter Bees', 1, 'poetry', 1991, 96), (3, 'Iron Rivers', 2, 'history', 1994, 540),
    (4, 'A Quiet Port', 3, 'novel', 1999, 288), (5, 'Lanterns', 3, 'novel', 2004, 310), (6, 'The Glass Coast', 4, 'novel', 2008, 355),
    (7, 'Peat and Stone', 4, 'history', 2011, 470), (8, 'Small Gods of Rain', 5, 'poetry', 2015, 120),
    (9, 'The Long Market', 5, 'novel', 2018, 398), (10, 'Maps of Dust', 2, 'travel', 2001, 260);
  INSERT INTO member VALUES
    (1, 'Alma Reyes', 'Dover', 34, '2015-02-01'), (2, 'Boris Klein', 'Deal', 51, '2016-06-12'), (3, 'Chloe Watt', 'Dover', 27, '2018-09-23'),
    (4, 'Dario Neri', 'Hythe', 45, '2019-01-07'), (5, 'Esther Moll', 'Deal', 62, '2020-03-15'), (6, 'Finn Daly', 'Dover', 19, '2021-10-30'),
    (7, 'Gita Rao', 'Lydd', 38, '2022-05-05'), (8, 'Hans Lund', 'Hythe', 70, '2023-01-19');
  INSERT INTO loan VALUES
    (1, 1, 1, '2023-01-10', '2023-01-24', 0), (2, 4, 1, '2023-02-02', '2023-02-20', 1.5), (3, 3, 2, '2023-02-11', '2023-03-01', 0),
    (4, 6, 3, '2023-03-05', '2023-03-19', 0), (5, 9, 3, '2023-04-01', '2023-04-20', 2), (6, 2, 4, '2023-04-14', '2023-04-28', 0),
    (7, 7, 5, '2023-05-02', '2023-05-21', 1), (8, 5, 1, '2023-05-11', '2023-05-25', 0), (9, 8, 6, '2023-06-01', '2023-06-15', 0),
    (10, 10, 7, '2023-06-09', '2023-07-02', 3), (11, 1, 2, '2023-07-03', NULL, 0), (12, 9, 7, '2023-07-20', NULL, 0);`;

export const LIBRARY: CorpusSchema = {
  id: 'library',
  impossible: ['books without genre', 'years that are known', 'divides by all', 'two members'],
  sql: SQL,
  golds: [
    {
      gold: "SELECT title FROM book WHERE genre = 'novel' AND published > 2000",
      wrong: {
        '>= for >': "SELECT title FROM book WHERE genre = 'novel' AND published >= 2000",
        'not poetry, of some length':
          "SELECT title FROM book WHERE genre <> 'poetry' AND published > 2001 AND pages BETWEEN 300 AND 400",
        'the newest three': "SELECT title FROM book WHERE genre = 'novel' ORDER BY published DESC LIMIT 3",
        'after a certain novel':
          "SELECT title FROM book WHERE genre = 'novel' AND published > (SELECT published FROM book WHERE title = 'A Quiet Port')",
        'a pattern': "SELECT title FROM book WHERE genre LIKE 'n%' AND published > 2000",
      },
      same: [
        "SELECT title FROM book WHERE published > 2000 AND 'novel' = genre",
        "SELECT b.title FROM (SELECT * FROM book WHERE genre = 'novel') AS b WHERE b.published > 2000",
      ],
    },
    {
      gold: 'SELECT name FROM author WHERE author_id NOT IN (SELECT author_id FROM book)',
      wrong: {
        'the youngest': 'SELECT name FROM author ORDER BY born DESC LIMIT 1',
        'the young': 'SELECT name FROM author WHERE born > 1985',
        'by nationality':
          'SELECT name FROM author WHERE nationality NOT IN (SELECT a.nationality FROM author AS a JOIN book AS b ON a.author_id = b.author_id)',
        'some genres':
          "SELECT name FROM author WHERE author_id NOT IN (SELECT author_id FROM book WHERE genre IN ('novel', 'history', 'poetry'))",
        'books without genre':
          'SELECT a.name FROM author AS a LEFT JOIN book AS b ON a.author_id = b.author_id WHERE b.genre IS NULL',
      },
      same: [
        'SELECT a.name FROM author AS a WHERE NOT EXISTS (SELECT * FROM book AS b WHERE a.author_id = b.author_id)',
        'SELECT name FROM author WHERE author_id IN (SELECT author_id FROM author EXCEPT SELECT author_id FROM book)',
      ],
    },
    {
      gold: 'SELECT a.name, count(*) FROM author AS a JOIN book AS b ON a.author_id = b.author_id GROUP BY a.author_id',
      wrong: {
        'groups by name':
          'SELECT a.name, count(*) FROM author AS a JOIN book AS b ON a.author_id = b.author_id GROUP BY a.name',
        'counts titles':
          'SELECT a.name, count(DISTINCT b.title) FROM author AS a JOIN book AS b ON a.author_id = b.author_id GROUP BY a.author_id',
        'two each': 'SELECT a.name, 2 FROM author AS a WHERE a.author_id IN (SELECT author_id FROM book)',
        'more than one':
          'SELECT a.name, count(*) FROM author AS a JOIN book AS b ON a.author_id = b.author_id GROUP BY a.author_id HAVING count(*) > 1',
        'years that are known':
          'SELECT a.name, count(b.published) FROM author AS a JOIN book AS b ON a.author_id = b.author_id GROUP BY a.author_id',
      },
      same: [
        'SELECT a.name, count(b.book_id) FROM book AS b JOIN author AS a ON b.author_id = a.author_id GROUP BY b.author_id',
        'SELECT a.name, n.books FROM author AS a JOIN (SELECT author_id, count(*) AS books FROM book GROUP BY author_id) AS n ON n.author_id = a.author_id',
      ],
    },
    {
      gold: "SELECT avg(age) FROM member WHERE town = 'Dover'",
      wrong: {
        'divides by all': "SELECT sum(age) * 1.0 / count(*) FROM member WHERE town = 'Dover'",
        'each age once': "SELECT avg(DISTINCT age) FROM member WHERE town = 'Dover'",
        'younger people of most towns': "SELECT avg(age) FROM member WHERE age < 35 AND town <> 'Deal'",
        adults: "SELECT avg(age) FROM member WHERE town = 'Dover' AND age >= 18",
      },
      same: [
        "SELECT sum(age) * 1.0 / count(age) FROM member WHERE town = 'Dover'",
        "SELECT avg(m.age) FROM member AS m WHERE 'Dover' = m.town AND m.age IS NOT NULL",
      ],
    },
    {
      gold: 'SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id WHERE l.returned IS NULL',
      wrong: {
        'recent loans':
          "SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id WHERE l.lent >= '2023-07-01'",
        'lent after all returns':
          'SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id WHERE l.lent > (SELECT max(returned) FROM loan)',
        'each member once':
          'SELECT name FROM member WHERE member_id IN (SELECT member_id FROM loan WHERE returned IS NULL)',
        'no fine either':
          'SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id WHERE l.returned IS NULL AND l.fine = 0',
        'returned the day it was lent':
          'SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id WHERE coalesce(l.returned, l.lent) = l.lent',
      },
      same: [
        'SELECT m.name FROM loan AS l JOIN member AS m ON m.member_id = l.member_id AND l.returned IS NULL',
        'SELECT m.name FROM member AS m, loan AS l WHERE NOT (l.returned IS NOT NULL) AND l.member_id = m.member_id',
      ],
    },
    {
      gold: 'SELECT title FROM book WHERE pages = (SELECT max(pages) FROM book)',
      wrong: {
        'one of them': 'SELECT title FROM book ORDER BY pages DESC LIMIT 1',
        'more than 500': 'SELECT title FROM book WHERE pages > 500',
        'of histories': "SELECT title FROM book WHERE pages = (SELECT max(pages) FROM book WHERE genre = 'history')",
        'far above the average': 'SELECT title FROM book WHERE pages > (SELECT avg(pages) * 1.6 FROM book)',
        'the longest of its genre among the long':
          'SELECT b.title FROM book AS b WHERE b.pages = (SELECT max(c.pages) FROM book AS c WHERE c.genre = b.genre) AND b.pages > 412',
      },
      same: [
        'SELECT title FROM book WHERE pages IN (SELECT max(pages) FROM book)',
        'SELECT b.title FROM book AS b WHERE b.pages IS NOT NULL AND NOT EXISTS (SELECT 1 FROM book AS c WHERE c.pages > b.pages)',
      ],
    },
    {
      gold: "SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'novel' EXCEPT SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'history'",
      wrong: {
        'the age instead of the history':
          "SELECT DISTINCT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'novel' AND m.age < 40",
        'histories without a fine':
          "SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'novel' EXCEPT SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'history' AND l.fine = 0",
        'long books for histories':
          "SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'novel' EXCEPT SELECT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.pages > 450",
        'people for names':
          "SELECT DISTINCT m.name FROM member AS m JOIN loan AS l ON m.member_id = l.member_id JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'novel' AND m.member_id NOT IN (SELECT l.member_id FROM loan AS l JOIN book AS b ON l.book_id = b.book_id WHERE b.genre = 'history')",
      },
      same: [
        "WITH lent AS (SELECT m.name, b.genre FROM book AS b JOIN loan AS l ON l.book_id = b.book_id JOIN member AS m ON m.member_id = l.member_id) SELECT DISTINCT name FROM lent WHERE genre = 'novel' AND name NOT IN (SELECT name FROM lent WHERE genre = 'history')",
      ],
    },
    {
      gold: 'SELECT town FROM member GROUP BY town HAVING count(*) > 1',
      wrong: {
        'different ages': 'SELECT town FROM member GROUP BY town HAVING max(age) > min(age)',
        'two members of different names':
          'SELECT DISTINCT a.town FROM member AS a JOIN member AS b ON a.town = b.town AND a.name <> b.name',
        'two members':
          'SELECT DISTINCT a.town FROM member AS a JOIN member AS b ON a.town = b.town WHERE a.member_id < b.member_id',
        'ages that add up': 'SELECT town FROM member GROUP BY town HAVING sum(age) > 50',
        'all but one': "SELECT DISTINCT town FROM member WHERE town <> 'Lydd'",
      },
      same: [
        'SELECT town FROM member GROUP BY town HAVING count(*) >= 2',
        'SELECT t.town FROM (SELECT town, count(member_id) AS n FROM member GROUP BY town) AS t WHERE NOT t.n <= 1',
      ],
    },
    {
      gold: 'SELECT loan_id FROM loan WHERE julianday(returned) - julianday(lent) > 18',
      wrong: {
        'with a fine': 'SELECT loan_id FROM loan WHERE julianday(returned) - julianday(lent) > 18 AND fine > 0',
        'not yet returned on a certain day':
          "SELECT loan_id FROM loan WHERE julianday(coalesce(returned, '2023-07-10')) - julianday(lent) > 18",
        'no longer than a month':
          'SELECT loan_id FROM loan WHERE julianday(returned) - julianday(lent) BETWEEN 19 AND 31',
        'the latest of those with a fine': 'SELECT loan_id FROM loan WHERE fine > 0 ORDER BY lent DESC LIMIT 3',
      },
      same: [
        'WITH spans AS (SELECT loan_id, julianday(returned) - julianday(lent) AS days FROM loan) SELECT loan_id FROM spans WHERE days > 18',
        'SELECT l.loan_id FROM loan AS l WHERE 18 < julianday(l.returned) - julianday(l.lent)',
      ],
    },
    {
      gold: "SELECT title, pages FROM book WHERE genre = 'history' ORDER BY pages DESC",
      wrong: {
        'by title': "SELECT title, pages FROM book WHERE genre = 'history' ORDER BY title",
        'by year': "SELECT title, pages FROM book WHERE genre = 'history' ORDER BY published",
        'in no order': "SELECT title, pages FROM book WHERE genre = 'history'",
        'long books': 'SELECT title, pages FROM book WHERE pages > 450 ORDER BY pages DESC',
      },
      same: [
        "SELECT b.title, b.pages FROM book AS b WHERE 'history' = b.genre ORDER BY b.pages DESC",
        "SELECT title, pages FROM (SELECT * FROM book WHERE genre = 'history') AS h ORDER BY 2 DESC",
      ],
    },
    {
      gold: 'SELECT b.genre, count(*) FROM book AS b JOIN loan AS l ON b.book_id = l.book_id GROUP BY b.genre ORDER BY count(*) DESC LIMIT 1',
      wrong: {
        'the genre there is':
          "SELECT b.genre, count(*) FROM book AS b JOIN loan AS l ON b.book_id = l.book_id WHERE b.genre = 'novel'",
        'most pages':
          'SELECT b.genre, count(*) FROM book AS b JOIN loan AS l ON b.book_id = l.book_id GROUP BY b.genre ORDER BY sum(b.pages) DESC LIMIT 1',
        'most titles':
          'SELECT b.genre, count(*) FROM book AS b JOIN loan AS l ON b.book_id = l.book_id GROUP BY b.genre ORDER BY count(DISTINCT b.book_id) DESC LIMIT 1',
      },
      same: [
        'SELECT b.genre, count(l.loan_id) AS n FROM loan AS l JOIN book AS b ON l.book_id = b.book_id GROUP BY b.genre ORDER BY n DESC LIMIT 1',
      ],
    },
  ],
};
