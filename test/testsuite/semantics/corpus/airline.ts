import type { CorpusSchema } from './corpus-schema.js';

const SQL = `
  CREATE TABLE airport (code TEXT NOT NULL PRIMARY KEY, city TEXT NOT NULL, country TEXT, elevation INTEGER);
  CREATE TABLE aircraft (tail TEXT NOT NULL PRIMARY KEY, model TEXT, seats INTEGER, bought INTEGER);
  CREATE TABLE flight (flight_no INTEGER PRIMARY KEY, origin TEXT NOT NULL REFERENCES airport (code),
    destination TEXT NOT NULL REFERENCES airport (code), tail TEXT REFERENCES aircraft (tail), departs DATE, distance INTEGER, price REAL);
  CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, name TEXT NOT NULL, role TEXT, salary INTEGER,
    base TEXT REFERENCES airport (code), manager_id INTEGER REFERENCES employee (employee_id));
  CREATE TABLE crew (flight_no INTEGER NOT NULL REFERENCES flight (flight_no),
    employee_id INTEGER NOT NULL REFERENCES employee (employee_id), PRIMARY KEY (flight_no, employee_id));
  INSERT INTO airport VALUES
    ('OSL', 'Oslo', 'Norway', 208), ('BGO', 'Bergen', 'Norway', 50), ('CPH', 'Copenhagen', 'Denmark', 5), ('HEL', 'Helsinki', 'Finland', 55),
    ('RIX', 'Riga', 'Latvia', 11), ('ARN', 'Stockholm', 'Sweden', 42), ('KEF', 'Reykjavik', 'Iceland', 52), ('TLL', 'Tallinn', 'Estonia', 40);
  INSERT INTO aircraft VALUES
    ('LN-A', 'A320', 180, 2012), ('LN-B', 'A321', 220, 2015), ('LN-C', 'E190', 100, 2010), ('LN-D', 'AT72', 70, 2018),
    ('LN-E', 'B738', 189, 2009);
  INSERT INTO flight VALUES
    (11, 'OSL', 'CPH', 'LN-A', '2024-01-05', 517, 89), (12, 'CPH', 'OSL', 'LN-A', '2024-01-05', 517, 95),
    (13, 'OSL', 'HEL', 'LN-B', '2024-01-08', 766, 120), (14, 'HEL', 'OSL', 'LN-B', '2024-01-09', 766, 118),
    (15, 'BGO', 'OSL', 'LN-D', '2024-01-12', 325, 60), (16, 'OSL', 'BGO', 'LN-D', '2024-01-13', 325, 65),
    (17, 'ARN', 'RIX', 'LN-C', '2024-02-02', 446, 75), (18, 'RIX', 'ARN', 'LN-C', '2024-02-03', 446, 72),
    (19, 'OSL', 'KEF', 'LN-B', '2024-02-10', 1748, 210), (20, 'KEF', 'OSL', 'LN-B', '2024-02-11', 1748, 205),
    (21, 'CPH', 'ARN', 'LN-A', '2024-02-20', 522, 88), (22, 'ARN', 'CPH', 'LN-A', '2024-02-21', 522, 92);
  INSERT INTO employee VALUES
    (1, 'Astrid', 'pilot', 9500, 'OSL', NULL), (2, 'Bjorn', 'pilot', 8800, 'OSL', 1), (3, 'Cille', 'steward', 4200, 'CPH', 1),
    (4, 'David', 'steward', 4100, 'OSL', 1), (5, 'Eeva', 'pilot', 8700, 'HEL', 1), (6, 'Frida', 'steward', 4300, 'BGO', 2),
    (7, 'Gunnar', 'mechanic', 5200, 'OSL', 2), (8, 'Hanna', 'steward', 4000, 'ARN', 5), (9, 'Ivar', 'mechanic', 5100, 'ARN', 5);
  INSERT INTO crew VALUES
    (11, 1), (11, 3), (12, 1), (12, 3), (13, 2), (13, 4), (14, 2), (14, 4), (15, 5), (15, 6), (16, 5), (16, 6), (17, 5), (17, 8),
    (18, 5), (18, 8), (19, 1), (19, 4), (20, 1), (20, 4), (21, 2), (21, 3), (22, 2), (22, 3);`;

export const AIRLINE: CorpusSchema = {
  id: 'airline',
  impossible: [
    'no price for no flight',
    'only with an aircraft',
    'salaries that are known',
    'prices that are known',
    'bases that are known',
  ],
  sql: SQL,
  golds: [
    {
      gold: "SELECT f.flight_no FROM flight AS f JOIN airport AS o ON f.origin = o.code JOIN airport AS d ON f.destination = d.code WHERE o.country = 'Norway' AND d.country <> 'Norway'",
      wrong: {
        'from one airport':
          "SELECT f.flight_no FROM flight AS f JOIN airport AS d ON f.destination = d.code WHERE f.origin = 'OSL' AND d.country <> 'Norway'",
        far: "SELECT f.flight_no FROM flight AS f JOIN airport AS o ON f.origin = o.code WHERE o.country = 'Norway' AND f.distance > 400",
        dear: "SELECT f.flight_no FROM flight AS f JOIN airport AS o ON f.origin = o.code WHERE o.country = 'Norway' AND f.price > 80",
        'to a country that is known now':
          "SELECT f.flight_no FROM flight AS f JOIN airport AS o ON f.origin = o.code JOIN airport AS d ON f.destination = d.code WHERE o.country = 'Norway' AND d.country IN ('Denmark', 'Finland', 'Iceland')",
        'a low airport of another city':
          "SELECT f.flight_no FROM flight AS f JOIN airport AS o ON f.origin = o.code JOIN airport AS d ON f.destination = d.code WHERE o.country = 'Norway' AND d.elevation < 100 AND d.city <> 'Bergen'",
      },
      same: [
        "SELECT f.flight_no FROM airport AS d JOIN flight AS f ON f.destination = d.code JOIN airport AS o ON o.code = f.origin WHERE d.country != 'Norway' AND o.country = 'Norway'",
        "SELECT flight_no FROM flight WHERE origin IN (SELECT code FROM airport WHERE country = 'Norway') AND destination IN (SELECT code FROM airport WHERE NOT (country = 'Norway'))",
      ],
    },
    {
      gold: 'SELECT city FROM airport WHERE code NOT IN (SELECT origin FROM flight)',
      wrong: {
        'where none arrives': 'SELECT city FROM airport WHERE code NOT IN (SELECT destination FROM flight)',
        'neither from nor to':
          'SELECT city FROM airport WHERE code NOT IN (SELECT origin FROM flight UNION SELECT destination FROM flight)',
        'EXCEPT of cities':
          'SELECT city FROM airport EXCEPT SELECT a.city FROM airport AS a JOIN flight AS f ON a.code = f.origin',
        'the last code': 'SELECT city FROM airport WHERE code = (SELECT max(code) FROM airport)',
        'no price for no flight':
          'SELECT a.city FROM airport AS a LEFT JOIN flight AS f ON a.code = f.origin WHERE f.price IS NULL',
      },
      same: [
        'SELECT a.city FROM airport AS a LEFT JOIN flight AS f ON a.code = f.origin WHERE f.flight_no IS NULL',
        'SELECT city FROM airport WHERE NOT (code IN (SELECT DISTINCT origin FROM flight))',
      ],
    },
    {
      gold: 'SELECT origin, max(price) FROM flight GROUP BY origin',
      wrong: {
        'flights with the highest price':
          'SELECT f.origin, f.price FROM flight AS f WHERE f.price = (SELECT max(g.price) FROM flight AS g WHERE g.origin = f.origin)',
        'by city':
          'SELECT f.origin, max(f.price) FROM flight AS f JOIN airport AS a ON f.origin = a.code GROUP BY a.city',
        'dear enough': 'SELECT origin, max(price) FROM flight GROUP BY origin HAVING max(price) >= 60',
        'only with an aircraft':
          'SELECT f.origin, max(f.price) FROM flight AS f JOIN aircraft AS a ON f.tail = a.tail GROUP BY f.origin',
      },
      same: [
        'SELECT f.origin, max(f.price) FROM airport AS a JOIN flight AS f ON f.origin = a.code GROUP BY a.code',
        'SELECT DISTINCT f.origin, (SELECT max(g.price) FROM flight AS g WHERE g.origin = f.origin) FROM flight AS f',
      ],
    },
    {
      gold: "SELECT DISTINCT e.name FROM employee AS e JOIN crew AS c ON e.employee_id = c.employee_id JOIN flight AS f ON c.flight_no = f.flight_no JOIN aircraft AS a ON f.tail = a.tail WHERE e.role = 'pilot' AND a.model = 'A320'",
      wrong: {
        'the base': "SELECT name FROM employee WHERE role = 'pilot' AND base = 'OSL'",
        'a kind of aircraft':
          "SELECT DISTINCT e.name FROM employee AS e JOIN crew AS c ON e.employee_id = c.employee_id JOIN flight AS f ON c.flight_no = f.flight_no JOIN aircraft AS a ON f.tail = a.tail WHERE e.role = 'pilot' AND a.model LIKE 'A32%'",
        'the well paid':
          "SELECT DISTINCT e.name FROM employee AS e JOIN crew AS c ON e.employee_id = c.employee_id JOIN flight AS f ON c.flight_no = f.flight_no JOIN aircraft AS a ON f.tail = a.tail WHERE e.salary > 5000 AND a.model = 'A320'",
        'one aircraft':
          "SELECT DISTINCT e.name FROM employee AS e JOIN crew AS c ON e.employee_id = c.employee_id JOIN flight AS f ON c.flight_no = f.flight_no WHERE e.role = 'pilot' AND f.tail = 'LN-A'",
        'people for names':
          "SELECT name FROM employee WHERE role = 'pilot' AND employee_id IN (SELECT c.employee_id FROM crew AS c JOIN flight AS f ON c.flight_no = f.flight_no JOIN aircraft AS a ON f.tail = a.tail WHERE a.model = 'A320')",
      },
      same: [
        "SELECT DISTINCT name FROM employee WHERE 'pilot' = role AND employee_id IN (SELECT c.employee_id FROM crew AS c JOIN flight AS f ON c.flight_no = f.flight_no JOIN aircraft AS a ON f.tail = a.tail WHERE a.model = 'A320')",
      ],
    },
    {
      gold: 'SELECT name FROM employee WHERE salary > (SELECT avg(salary) FROM employee)',
      wrong: {
        pilots: "SELECT name FROM employee WHERE role = 'pilot'",
        'the average as it is now': 'SELECT name FROM employee WHERE salary > 5988.9',
        'who manage others': 'SELECT name FROM employee WHERE employee_id IN (SELECT manager_id FROM employee)',
        'the average of some':
          "SELECT name FROM employee WHERE salary > (SELECT avg(salary) FROM employee WHERE role <> 'mechanic')",
        'more than all others but pilots':
          "SELECT name FROM employee WHERE salary > (SELECT max(salary) FROM employee WHERE role <> 'pilot')",
      },
      same: [
        'SELECT e.name FROM employee AS e, (SELECT avg(salary) AS mean FROM employee) AS m WHERE e.salary > m.mean',
        'SELECT name FROM employee WHERE NOT (salary <= (SELECT avg(salary) FROM employee))',
      ],
    },
    {
      gold: 'SELECT a.flight_no, b.flight_no FROM flight AS a JOIN flight AS b ON a.origin = b.destination AND a.destination = b.origin WHERE a.flight_no < b.flight_no',
      wrong: {
        'the same distance':
          'SELECT a.flight_no, b.flight_no FROM flight AS a JOIN flight AS b ON a.distance = b.distance WHERE a.flight_no < b.flight_no',
        'the next number':
          'SELECT a.flight_no, b.flight_no FROM flight AS a JOIN flight AS b ON a.origin = b.destination AND b.flight_no = a.flight_no + 1',
        'with the same aircraft':
          'SELECT a.flight_no, b.flight_no FROM flight AS a JOIN flight AS b ON a.origin = b.destination AND a.destination = b.origin AND a.tail = b.tail WHERE a.flight_no < b.flight_no',
        'back to where it is':
          'SELECT a.flight_no, b.flight_no FROM flight AS a JOIN flight AS b ON a.origin = b.destination AND a.destination = b.origin WHERE a.flight_no <= b.flight_no',
      },
      same: [
        'SELECT a.flight_no, b.flight_no FROM flight AS a JOIN (SELECT * FROM flight) AS b ON b.destination = a.origin WHERE a.destination = b.origin AND NOT a.flight_no >= b.flight_no',
        'SELECT a.flight_no, b.flight_no FROM flight AS b, flight AS a WHERE b.origin = a.destination AND b.destination = a.origin AND b.flight_no > a.flight_no',
      ],
    },
    {
      gold: "SELECT count(DISTINCT tail) FROM flight WHERE departs LIKE '2024-02%'",
      wrong: {
        'counts distances': "SELECT count(DISTINCT distance) FROM flight WHERE departs LIKE '2024-02%'",
        'any February': "SELECT count(DISTINCT tail) FROM flight WHERE departs LIKE '%-02-%'",
        'from then on': "SELECT count(DISTINCT tail) FROM flight WHERE departs >= '2024-02-01'",
        'counts models':
          "SELECT count(DISTINCT a.model) FROM flight AS f JOIN aircraft AS a ON f.tail = a.tail WHERE f.departs LIKE '2024-02%'",
      },
      same: [
        "SELECT count(*) FROM (SELECT DISTINCT tail FROM flight WHERE departs LIKE '2024-02%' AND tail IS NOT NULL)",
        "SELECT count(DISTINCT f.tail) FROM flight AS f JOIN aircraft AS a ON f.tail = a.tail WHERE f.departs LIKE '2024-02%'",
      ],
    },
    {
      gold: 'SELECT flight_no FROM flight ORDER BY price DESC LIMIT 3',
      wrong: {
        'from a price on': 'SELECT flight_no FROM flight WHERE price >= 120 ORDER BY price DESC',
        'of one aircraft': "SELECT flight_no FROM flight WHERE tail = 'LN-B' ORDER BY price DESC LIMIT 3",
        'the longest': 'SELECT flight_no FROM flight ORDER BY distance DESC, price DESC LIMIT 3',
      },
      same: ['SELECT f.flight_no FROM flight AS f ORDER BY f.price DESC LIMIT 3 OFFSET 0'],
    },
    {
      gold: 'SELECT role, avg(salary) FROM employee GROUP BY role HAVING count(*) > 2',
      wrong: {
        'an average in whole numbers':
          'SELECT role, sum(salary) / count(*) FROM employee GROUP BY role HAVING count(*) > 2',
        'no mechanics': "SELECT role, avg(salary) FROM employee WHERE role <> 'mechanic' GROUP BY role",
        'salaries that add up': 'SELECT role, avg(salary) FROM employee GROUP BY role HAVING sum(salary) > 15000',
        'salaries that are known': 'SELECT role, avg(salary) FROM employee GROUP BY role HAVING count(salary) > 2',
      },
      same: [
        'SELECT role, avg(salary) FROM employee GROUP BY role HAVING count(*) >= 3',
        'WITH roles AS (SELECT role, avg(salary) AS mean, count(*) AS n FROM employee GROUP BY role) SELECT role, mean FROM roles WHERE 2 < n',
      ],
    },
    {
      gold: 'SELECT count(*) FROM flight WHERE tail IN (SELECT tail FROM aircraft WHERE seats >= 180)',
      wrong: {
        far: 'SELECT count(*) FROM flight WHERE distance > 500',
        'a maker': "SELECT count(*) FROM flight AS f JOIN aircraft AS a ON f.tail = a.tail WHERE a.model LIKE 'A3%'",
        'newer ones':
          'SELECT count(*) FROM flight WHERE tail IN (SELECT tail FROM aircraft WHERE bought >= 2012 AND seats > 70)',
        'prices that are known':
          'SELECT count(price) FROM flight WHERE tail IN (SELECT tail FROM aircraft WHERE seats >= 180)',
      },
      same: [
        'SELECT count(*) FROM flight AS f JOIN aircraft AS a ON f.tail = a.tail WHERE 180 <= a.seats',
        'SELECT count(*) FROM flight AS f WHERE EXISTS (SELECT 1 FROM aircraft AS a WHERE a.tail = f.tail AND NOT a.seats < 180)',
      ],
    },
    {
      gold: 'SELECT m.name, count(*) FROM employee AS e JOIN employee AS m ON e.manager_id = m.employee_id GROUP BY m.employee_id',
      wrong: {
        'groups by name':
          'SELECT m.name, count(*) FROM employee AS e JOIN employee AS m ON e.manager_id = m.employee_id GROUP BY m.name',
        'counts names':
          'SELECT m.name, count(DISTINCT e.name) FROM employee AS e JOIN employee AS m ON e.manager_id = m.employee_id GROUP BY m.employee_id',
        'managers who are pilots':
          "SELECT m.name, count(*) FROM employee AS e JOIN employee AS m ON e.manager_id = m.employee_id WHERE m.role = 'pilot' GROUP BY m.employee_id",
        'bases that are known':
          'SELECT m.name, count(e.base) FROM employee AS e JOIN employee AS m ON e.manager_id = m.employee_id GROUP BY m.employee_id',
      },
      same: [
        'SELECT m.name, count(*) FROM employee AS m JOIN employee AS e ON m.employee_id = e.manager_id GROUP BY e.manager_id',
        'SELECT m.name, n.reports FROM (SELECT manager_id, count(*) AS reports FROM employee GROUP BY manager_id) AS n JOIN employee AS m ON n.manager_id = m.employee_id',
      ],
    },
  ],
};
