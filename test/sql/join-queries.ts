/**
 * Queries over the town with NATURAL and USING in chains, outer joins, subqueries and row ids, that SQLite accepts.
 * Ordered where rows could tie.
 */
export const JOIN_QUERIES: readonly string[] = [
  // chains of three
  'SELECT id, person.name, city.name, "first name" FROM person JOIN city USING (id) JOIN "Odd Table" USING (id)',
  'SELECT * FROM person JOIN city USING (id) JOIN "Odd Table" USING (id)',
  'SELECT * FROM person NATURAL JOIN visit NATURAL JOIN "Odd Table"',
  'SELECT city_id, year, country FROM person NATURAL JOIN visit JOIN city ON city.id = city_id ORDER BY 1, 2, 3',
  'SELECT id, count(*) FROM person LEFT JOIN city USING (id) LEFT JOIN "Odd Table" USING (id) GROUP BY id ORDER BY id',
  'SELECT p.id, o."order" FROM person p LEFT JOIN city c USING (id) JOIN "Odd Table" o USING (id) ORDER BY id',
  'SELECT * FROM city NATURAL LEFT JOIN person NATURAL LEFT JOIN visit ORDER BY id',
  'SELECT name, year FROM visit JOIN person USING (city_id) JOIN city USING (id, name)',
  'SELECT v.year, w.year FROM visit v JOIN visit w USING (person_id, city_id) ORDER BY 1, 2',
  'SELECT * FROM visit v JOIN visit w USING (person_id, city_id) ORDER BY v.year, w.year',
  // one table after another with ON between
  'SELECT city_id, a.name FROM person a JOIN visit USING (city_id) JOIN city b ON b.id = a.id ORDER BY a.id, year, cost',
  'SELECT id FROM person a JOIN city b USING (id) CROSS JOIN visit v WHERE v.person_id = id ORDER BY id, v.year, v.cost',
  // outer joins of two
  'SELECT city_id, name, year FROM person LEFT JOIN visit USING (city_id) ORDER BY id, year, cost',
  'SELECT visit.city_id, person.city_id FROM person LEFT JOIN visit USING (city_id) ORDER BY id, year, cost',
  'SELECT city_id, year FROM person RIGHT JOIN visit USING (city_id) ORDER BY year, cost, id',
  'SELECT * FROM person RIGHT JOIN visit USING (city_id) ORDER BY year, cost, id',
  'SELECT person.city_id, visit.city_id FROM person FULL JOIN visit USING (city_id) ORDER BY id, year, cost',
  'SELECT year, age FROM person NATURAL FULL JOIN visit ORDER BY id, year, cost',
  // stars and qualified stars
  'SELECT person.*, visit.* FROM person JOIN visit USING (city_id) ORDER BY id, year, cost',
  'SELECT visit.*, city_id FROM person NATURAL JOIN visit ORDER BY id, year, cost',
  'SELECT count(*) FROM (SELECT * FROM person NATURAL JOIN visit)',
  'SELECT city_id, age FROM (SELECT * FROM person JOIN visit USING (city_id)) ORDER BY age, year, cost',
  // the matched column in every clause
  'SELECT city_id, count(*) FROM person JOIN visit USING (city_id) WHERE city_id > 0 GROUP BY city_id HAVING city_id < 9 ORDER BY city_id DESC',
  'SELECT name FROM person JOIN visit USING (city_id) WHERE city_id IN (SELECT id FROM city WHERE id = city_id) ORDER BY id, year, cost',
  'SELECT name FROM city WHERE EXISTS (SELECT 1 FROM person JOIN visit USING (city_id) WHERE city_id = city.id) ORDER BY name',
  'SELECT max(city_id) OVER (PARTITION BY city_id ORDER BY year, cost, id) FROM person JOIN visit USING (city_id) ORDER BY id, year, cost',
  // derived tables and common tables as sides
  'SELECT id, n FROM person JOIN (SELECT id, name AS n FROM city) USING (id) ORDER BY id',
  'WITH q AS (SELECT id, country FROM city) SELECT id, country FROM person NATURAL JOIN q ORDER BY id',
  'WITH q(id, land) AS (SELECT id, country FROM city) SELECT id, land FROM person JOIN q USING (id) ORDER BY id',
  'SELECT * FROM (SELECT id, age FROM person) JOIN (SELECT id, country FROM city) USING (id) ORDER BY id',
  // in the parentheses that SQLite takes away
  'SELECT id, country, "first name" FROM (person JOIN city USING (id)) JOIN "Odd Table" USING (id) ORDER BY id',
  'SELECT * FROM ((person NATURAL JOIN visit) JOIN city ON city.id = city_id) ORDER BY person.id, year, cost',
  'SELECT name, year FROM (visit JOIN person USING (city_id)), "Odd Table" AS o WHERE o.id = person.id ORDER BY 1, 2, cost',
  'SELECT p.name, c.name FROM ((person p LEFT JOIN city c USING (id))) ORDER BY id',
  // tables that functions give
  "SELECT name, j.value FROM person, json_each('[' || age || ',' || city_id || ']') AS j ORDER BY person.id, j.key",
  'SELECT j.key, atom, fullkey FROM json_tree(json_object(name, age)) AS j, city NATURAL JOIN person ORDER BY person.id, j.id, city.id',
  "SELECT count(*), sum(json_each.value) FROM city JOIN json_each('[1,2]') ON city.id = json_each.value",
  'SELECT * FROM city, json_each(\'{"a": 1}\') ORDER BY city.id',
  // set operations over them
  'SELECT city_id FROM person JOIN visit USING (city_id) UNION SELECT id FROM city ORDER BY city_id',
  'SELECT city_id FROM person EXCEPT SELECT city_id FROM person NATURAL JOIN visit ORDER BY city_id',
  'SELECT id FROM person WHERE id IN (VALUES (1), (3)) ORDER BY id',
  // row ids next to them
  'SELECT person.rowid, visit._rowid_ FROM person JOIN visit USING (city_id) ORDER BY 1, 2',
  'SELECT p.rowid FROM person p NATURAL JOIN visit ORDER BY p.oid, visit.rowid',
];
