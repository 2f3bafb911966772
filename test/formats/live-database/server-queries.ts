import { MYSQL_QUERIES, POSTGRESQL_QUERIES } from '../../sql/dialect-queries.js';
import type { ServerFormat } from './live-servers.js';

/** What a change of the schema is likely to catch, in both dialects. */
const BOTH: readonly string[] = [
  'SELECT * FROM person',
  'SELECT p.*, c.* FROM person p JOIN city c ON p.city_id = c.id',
  'SELECT count(*), count(age), sum(DISTINCT age) FROM person',
  'SELECT age n, count(*) k FROM person GROUP BY age ORDER BY k DESC, n',
  'SELECT name AS value FROM person WHERE age > (SELECT avg(age) FROM person) ORDER BY value',
  'SELECT boss AS age, age AS boss FROM person ORDER BY age, boss, name',
  'SELECT city_id AS id, max(age) FROM person GROUP BY city_id ORDER BY id',
  "SELECT person.name, city.name FROM person, city WHERE person.city_id = city.id AND country = 'Italy' ORDER BY 1",
  'SELECT name FROM person p WHERE age = (SELECT max(age) FROM person WHERE city_id = p.city_id) ORDER BY name',
  'SELECT name FROM person WHERE id IN (SELECT person_id FROM visit WHERE cost > age - 30)',
  'SELECT name FROM city WHERE NOT EXISTS (SELECT 1 FROM visit WHERE city_id = city.id AND year > population - 4000)',
  'SELECT q.name, q.n FROM (SELECT p.name, count(*) AS n FROM person p JOIN visit v ON v.person_id = p.id GROUP BY p.name) q ORDER BY n DESC, q.name',
  'SELECT q.* FROM (SELECT * FROM person) q JOIN (SELECT id FROM city) r ON q.city_id = r.id',
  'WITH q AS (SELECT * FROM visit), r AS (SELECT city_id, sum(cost) AS total FROM q GROUP BY city_id) SELECT country, total FROM r JOIN city ON id = city_id ORDER BY total DESC',
  'WITH q(a, b) AS (SELECT age, name FROM person) SELECT b FROM q WHERE a > 25 ORDER BY b',
  'WITH RECURSIVE t AS (SELECT id, boss, 0 AS depth FROM person WHERE boss IS NULL UNION ALL SELECT p.id, p.boss, t.depth + 1 FROM person p JOIN t ON p.boss = t.id) SELECT id, depth FROM t ORDER BY id',
  'SELECT name FROM person UNION SELECT name FROM city ORDER BY name',
  'SELECT name, age FROM person UNION ALL SELECT country, population FROM city ORDER BY age DESC, name LIMIT 4',
  'SELECT a.name, b.name FROM person a LEFT JOIN person b ON a.boss = b.id ORDER BY a.id',
  'SELECT year, city_id, cost FROM visit JOIN city ON city.id = visit.city_id WHERE population BETWEEN 300 AND 3000 ORDER BY year, cost',
  'SELECT p.name, v.year FROM person p JOIN visit v USING (city_id) WHERE city_id = 1 ORDER BY 1, 2, cost',
  'SELECT city_id, count(*) FROM person JOIN visit USING (city_id) GROUP BY city_id ORDER BY city_id',
  'SELECT name, id FROM city NATURAL JOIN (SELECT id, age FROM person) p ORDER BY id',
  "SELECT CASE age WHEN 30 THEN name WHEN 25 THEN 'age' ELSE NULL END AS name FROM person ORDER BY person.name",
  "SELECT DISTINCT country FROM city WHERE name LIKE '%o%' ORDER BY country DESC",
  'SELECT name, rank() OVER (ORDER BY age DESC) AS r, lag(name) OVER (PARTITION BY city_id ORDER BY id) FROM person ORDER BY id',
  'SELECT (SELECT name FROM city WHERE id = city_id), (SELECT count(*) FROM visit WHERE person_id = person.id) AS n FROM person ORDER BY n, id',
  'SELECT id, name FROM person WHERE (id, city_id) IN (SELECT person_id, city_id FROM visit) ORDER BY id',
  'SELECT country, count(*) AS count FROM city GROUP BY country HAVING count(*) > 1 OR min(population) < 10 ORDER BY count, country',
  'SELECT upper(name) AS name FROM person ORDER BY name',
  'SELECT abs(age - 30) AS age FROM person WHERE age > 1 GROUP BY age ORDER BY 1',
  'SELECT x.id FROM person x, visit y WHERE x.id = y.person_id AND y.cost = (SELECT min(cost) FROM visit z WHERE z.person_id = x.id) ORDER BY x.id',
];

const POSTGRESQL_ONLY: readonly string[] = [
  'SELECT t.* FROM (SELECT person.*, country FROM person JOIN city ON city.id = city_id) t ORDER BY t.id',
  'SELECT name AS "Age", age AS "Name" FROM person ORDER BY "Age"',
  'SELECT sum(v.cost) FILTER (WHERE v.year > 2001), p.name FROM person p JOIN visit v ON v.person_id = p.id GROUP BY p.name ORDER BY name',
];

const MYSQL_ONLY: readonly string[] = [
  'SELECT name, age FROM person HAVING age > 25 ORDER BY name',
  'SELECT name AS n, age AS m FROM person HAVING m > 26 AND n <> "Cid" ORDER BY n',
  'SELECT age + 1 AS m FROM person HAVING m > 26 ORDER BY m',
  'SELECT name AS n, -age AS r FROM person HAVING abs(r) > 26 AND n <> "Cid" ORDER BY r, n',
  'SELECT name AS n, age FROM person HAVING age > 25 ORDER BY n',
  'SELECT city_id AS k, min(id) AS n FROM person GROUP BY city_id HAVING max(age) > 26 ORDER BY n',
  'SELECT id AS r, -id AS n, rank() OVER (ORDER BY age DESC) AS rank FROM person ORDER BY id',
  'SELECT -id AS r, rank() OVER w AS k, sum(cost) OVER (PARTITION BY city_id ORDER BY (year), -age) AS total FROM person JOIN visit USING (city_id) WINDOW w AS (PARTITION BY boss ORDER BY year, age) ORDER BY id, cost, year, person_id',
  'SELECT city_id AS k, min(id) AS age FROM person GROUP BY city_id HAVING max(age) > 26 ORDER BY k',
  'SELECT city_id, sum(age) AS age FROM person GROUP BY city_id HAVING sum(age) > 26 AND age > 1 ORDER BY city_id',
  'SELECT p.name, count(*) AS n FROM person p JOIN city c ON p.city_id = c.id GROUP BY name HAVING name > "A" ORDER BY name',
  'SELECT count(*) FROM person p JOIN city c ON p.city_id = c.id GROUP BY c.name HAVING name > "A" ORDER BY count(*)',
  'SELECT max(age) AS top, city_id FROM person GROUP BY city_id HAVING top > 25 ORDER BY top',
  'SELECT age AS years FROM person GROUP BY years ORDER BY years',
  'SELECT `p`.`name` AS `the name` FROM `person` `p` ORDER BY `the name` DESC LIMIT 1, 2',
  'SELECT * FROM person p RIGHT JOIN city c ON p.city_id = c.id ORDER BY c.id, p.id',
  'SELECT city_id, p.name FROM person p LEFT JOIN visit v USING (city_id) WHERE v.city_id IS NULL ORDER BY p.name',
  'SELECT Name, P.Age FROM person P WHERE P.AGE IN (25, 30) ORDER BY P.ID',
  'SELECT count(*) FROM person GROUP BY city_id ORDER BY count(*), city_id',
];

// Of MySQL 8, which MariaDB does not read: column lists of derived tables, LATERAL, VALUES ROW, arrows into JSON. A full-text index
// makes each change of its table slow.
const LEFT_OUT = /AS q\(n\)|LATERAL|VALUES ROW|->|MATCH/;

/** Queries over the town that the servers of the tests accept, by format. */
export const SERVER_QUERIES: Readonly<Record<ServerFormat, readonly string[]>> = {
  postgresql: [...POSTGRESQL_QUERIES, ...BOTH, ...POSTGRESQL_ONLY],
  mysql: [...MYSQL_QUERIES.filter((sql) => !LEFT_OUT.test(sql)), ...BOTH, ...MYSQL_ONLY],
};
