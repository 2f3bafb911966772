import type { CorpusSchema } from './corpus-schema.js';

const SQL = `
  CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, country TEXT, joined DATE, credit REAL);
  CREATE TABLE product (product_id INTEGER PRIMARY KEY, title TEXT NOT NULL, category TEXT, price REAL, stock INTEGER);
  CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (customer_id),
    ordered_on DATE, status TEXT, shipping REAL);
  CREATE TABLE order_item (order_id INTEGER NOT NULL REFERENCES orders (order_id),
    product_id INTEGER NOT NULL REFERENCES product (product_id), quantity INTEGER, discount REAL,
    PRIMARY KEY (order_id, product_id));
  INSERT INTO customer VALUES
    (1, 'Ada Norris', 'Leeds', 'UK', '2019-03-04', 500), (2, 'Ben Okafor', 'Lagos', 'Nigeria', '2019-07-19', 250),
    (3, 'Carla Mendes', 'Porto', 'Portugal', '2020-01-15', 900), (4, 'Dmitri Volkov', 'Riga', 'Latvia', '2020-05-30', 120),
    (5, 'Elif Kaya', 'Izmir', 'Turkey', '2020-11-02', 640), (6, 'Femi Ade', 'Lagos', 'Nigeria', '2021-02-11', 75),
    (7, 'Greta Lind', 'Malmo', 'Sweden', '2021-06-21', 310), (8, 'Hugo Blanc', 'Lyon', 'France', '2021-09-09', 1000),
    (9, 'Ines Roth', 'Bonn', 'Germany', '2022-04-01', 410), (10, 'Jun Sato', 'Osaka', 'Japan', '2022-08-17', 150);
  INSERT INTO product VALUES
    (1, 'Desk Lamp', 'lighting', 35, 40), (2, 'Floor Lamp', 'lighting', 80, 15), (3, 'Oak Desk', 'furniture', 320, 6),
    (4, 'Office Chair', 'furniture', 150, 12), (5, 'Bookshelf', 'furniture', 110, 9), (6, 'Notebook', 'stationery', 4.5, 500),
    (7, 'Fountain Pen', 'stationery', 25, 60), (8, 'Ink Bottle', 'stationery', 9, 120), (9, 'Wall Clock', 'decor', 45, 22),
    (10, 'Rug', 'decor', 95, 0);
  INSERT INTO orders VALUES
    (101, 1, '2023-01-05', 'delivered', 5), (102, 1, '2023-02-14', 'delivered', 8), (103, 2, '2023-02-20', 'cancelled', 12),
    (104, 3, '2023-03-03', 'delivered', 20), (105, 4, '2023-03-28', 'shipped', 7), (106, 5, '2023-04-11', 'delivered', 15),
    (107, 5, '2023-05-06', 'delivered', 9), (108, 6, '2023-05-19', 'cancelled', 6), (109, 7, '2023-06-02', 'shipped', 10),
    (110, 8, '2023-06-25', 'delivered', 25), (111, 3, '2023-07-01', 'delivered', 18), (112, 1, '2023-07-15', 'shipped', 4);
  INSERT INTO order_item VALUES
    (101, 1, 2, 0), (101, 6, 10, 0.1), (102, 7, 1, 0), (103, 2, 1, 0), (104, 3, 1, 0.05), (104, 4, 2, 0), (105, 6, 20, 0.2),
    (106, 5, 1, 0), (106, 1, 1, 0), (107, 8, 3, 0), (108, 9, 1, 0), (109, 7, 2, 0.1), (110, 3, 1, 0), (110, 4, 1, 0),
    (111, 2, 1, 0.15), (112, 6, 5, 0);`;

export const SHOP: CorpusSchema = {
  id: 'shop',
  impossible: [
    'counts cities that are known',
    'leaves unknown countries out',
    'no discount for no order',
    'only with a discount that is known',
    'counts costs that are known',
    'of those with a status',
    'an average that skips the unknown',
  ],
  sql: SQL,
  golds: [
    {
      gold: 'SELECT name FROM customer WHERE credit > 600',
      wrong: {
        '>= for >': 'SELECT name FROM customer WHERE credit >= 600',
        'another limit': 'SELECT name FROM customer WHERE credit > 500',
        'the cities of those who are there now': "SELECT name FROM customer WHERE city IN ('Porto', 'Izmir', 'Lyon')",
        'the first three': 'SELECT name FROM customer ORDER BY credit DESC LIMIT 3',
        'DISTINCT that nobody asked for': 'SELECT DISTINCT name FROM customer WHERE credit > 600',
      },
      same: [
        'SELECT name FROM customer WHERE 600 < credit',
        'SELECT c.name FROM customer AS c WHERE NOT (c.credit <= 600)',
      ],
    },
    {
      gold: 'SELECT country, count(*) FROM customer GROUP BY country',
      wrong: {
        'counts cities that are known': 'SELECT country, count(city) FROM customer GROUP BY country',
        'counts names': 'SELECT country, count(DISTINCT name) FROM customer GROUP BY country',
        'groups by city': 'SELECT country, count(*) FROM customer GROUP BY city',
        'groups by one column more': 'SELECT country, count(*) FROM customer GROUP BY country, city',
        'leaves unknown countries out':
          'SELECT country, count(*) FROM customer WHERE country IS NOT NULL GROUP BY country',
      },
      same: [
        'SELECT country, count(1) FROM customer GROUP BY country',
        'SELECT c.country, count(c.name) FROM customer AS c GROUP BY 1',
      ],
    },
    {
      gold: 'SELECT name FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM orders)',
      wrong: {
        'EXCEPT of names':
          'SELECT name FROM customer EXCEPT SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id',
        'new customers': "SELECT name FROM customer WHERE joined > '2022-01-01'",
        'ids after the last that ordered':
          'SELECT name FROM customer WHERE customer_id > (SELECT max(customer_id) FROM orders)',
        'an order must have an item':
          'SELECT name FROM customer WHERE customer_id NOT IN (SELECT o.customer_id FROM orders AS o JOIN order_item AS i ON o.order_id = i.order_id)',
        'orders of one year':
          "SELECT name FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE ordered_on >= '2023-01-01')",
      },
      same: [
        'SELECT c.name FROM customer AS c LEFT JOIN orders AS o ON c.customer_id = o.customer_id WHERE o.order_id IS NULL',
        'SELECT name FROM customer AS c WHERE NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.customer_id)',
      ],
    },
    {
      gold: 'SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.customer_id ORDER BY count(*) DESC LIMIT 1',
      wrong: {
        'who ordered last':
          'SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.customer_id ORDER BY max(o.ordered_on) DESC LIMIT 1',
        'who joined first': 'SELECT name FROM customer ORDER BY joined LIMIT 1',
        'counts items':
          'SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id GROUP BY c.customer_id ORDER BY count(*) DESC LIMIT 1',
        'counts kinds of status':
          'SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.customer_id ORDER BY count(DISTINCT o.status) DESC LIMIT 1',
        'all from three orders on':
          'SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.customer_id HAVING count(*) >= 3',
        'groups by name':
          'SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.name ORDER BY count(*) DESC LIMIT 1',
      },
      same: [
        'SELECT c.name FROM orders AS o JOIN customer AS c ON o.customer_id = c.customer_id GROUP BY o.customer_id ORDER BY count(o.order_id) DESC LIMIT 1',
        'SELECT name FROM (SELECT c.name AS name, count(*) AS n FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id GROUP BY c.customer_id) ORDER BY n DESC LIMIT 1',
      ],
    },
    {
      gold: 'SELECT title FROM product WHERE product_id NOT IN (SELECT product_id FROM order_item)',
      wrong: {
        'out of stock': 'SELECT title FROM product WHERE stock = 0',
        'titles for ids':
          'SELECT title FROM product WHERE title NOT IN (SELECT p.title FROM product AS p JOIN order_item AS i ON p.product_id = i.product_id)',
        'no discount for no order':
          'SELECT p.title FROM product AS p LEFT JOIN order_item AS i ON p.product_id = i.product_id WHERE i.discount IS NULL',
        'the least in stock': 'SELECT title FROM product ORDER BY stock LIMIT 1',
      },
      same: [
        'SELECT p.title FROM product AS p LEFT JOIN order_item AS i ON p.product_id = i.product_id WHERE i.product_id IS NULL',
        'WITH sold AS (SELECT product_id FROM order_item) SELECT title FROM product WHERE product_id NOT IN (SELECT product_id FROM sold)',
      ],
    },
    {
      gold: 'SELECT p.category, sum(i.quantity) FROM product AS p JOIN order_item AS i ON p.product_id = i.product_id GROUP BY p.category',
      wrong: {
        'LEFT JOIN':
          'SELECT p.category, sum(i.quantity) FROM product AS p LEFT JOIN order_item AS i ON p.product_id = i.product_id GROUP BY p.category',
        'only with a discount that is known':
          'SELECT p.category, sum(i.quantity) FROM product AS p JOIN order_item AS i ON p.product_id = i.product_id WHERE i.discount >= 0 GROUP BY p.category',
        'only what was sold more than once':
          'SELECT p.category, sum(i.quantity) FROM product AS p JOIN order_item AS i ON p.product_id = i.product_id GROUP BY p.category HAVING count(*) >= 1 AND sum(i.quantity) > 0',
      },
      same: [
        'SELECT p.category, sum(i.quantity) FROM order_item AS i, product AS p WHERE i.product_id = p.product_id GROUP BY p.category',
        'SELECT category, sum(quantity) FROM (SELECT p.category, i.quantity FROM order_item AS i JOIN product AS p USING (product_id)) AS sold GROUP BY category',
      ],
    },
    {
      gold: "SELECT title FROM product WHERE title LIKE '%lamp%'",
      wrong: {
        'at the end only': "SELECT title FROM product WHERE title LIKE '%lamp'",
        'the category': "SELECT title FROM product WHERE category = 'lighting'",
        'the titles there are': "SELECT title FROM product WHERE title IN ('Desk Lamp', 'Floor Lamp')",
        'letter case counts': "SELECT title FROM product WHERE title GLOB '*Lamp*'",
        'a shorter word': "SELECT title FROM product WHERE title LIKE '%amp%'",
      },
      same: [
        "SELECT title FROM product WHERE lower(title) LIKE '%lamp%'",
        "SELECT p.title FROM product p WHERE (p.title LIKE '%LAMP%')",
      ],
    },
    {
      gold: "SELECT count(*) FROM orders WHERE ordered_on BETWEEN '2023-03-01' AND '2023-05-31'",
      wrong: {
        'neither end': "SELECT count(*) FROM orders WHERE ordered_on > '2023-03-01' AND ordered_on < '2023-05-31'",
        'months of any year': "SELECT count(*) FROM orders WHERE strftime('%m', ordered_on) IN ('03', '04', '05')",
        'counts costs that are known':
          "SELECT count(shipping) FROM orders WHERE ordered_on BETWEEN '2023-03-01' AND '2023-05-31'",
        'counts days':
          "SELECT count(DISTINCT ordered_on) FROM orders WHERE ordered_on BETWEEN '2023-03-01' AND '2023-05-31'",
        'one day more': "SELECT count(*) FROM orders WHERE ordered_on BETWEEN '2023-03-01' AND '2023-06-01'",
      },
      same: [
        "SELECT count(*) FROM orders WHERE ordered_on >= '2023-03-01' AND ordered_on <= '2023-05-31'",
        "SELECT count(1) FROM orders WHERE NOT (ordered_on < '2023-03-01' OR '2023-05-31' < ordered_on)",
      ],
    },
    {
      gold: "SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id WHERE p.title = 'Notebook' INTERSECT SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id WHERE p.title = 'Desk Lamp'",
      wrong: {
        'both in one order':
          "SELECT DISTINCT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id JOIN order_item AS j ON j.order_id = o.order_id JOIN product AS q ON q.product_id = j.product_id WHERE p.title = 'Notebook' AND q.title = 'Desk Lamp'",
        'two purchases of either':
          "SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id WHERE p.title IN ('Notebook', 'Desk Lamp') GROUP BY c.customer_id HAVING count(*) >= 2",
        'the customer instead of the name':
          "SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id WHERE p.title IN ('Notebook', 'Desk Lamp') GROUP BY c.customer_id HAVING count(DISTINCT p.title) = 2",
      },
      same: [
        "SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id WHERE p.title = 'Desk Lamp' INTERSECT SELECT c.name FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id WHERE p.title = 'Notebook'",
        "WITH bought AS (SELECT c.name, p.title FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id JOIN order_item AS i ON i.order_id = o.order_id JOIN product AS p ON p.product_id = i.product_id) SELECT DISTINCT name FROM bought WHERE title = 'Notebook' AND name IN (SELECT name FROM bought WHERE title = 'Desk Lamp')",
      ],
    },
    {
      gold: 'SELECT title, price FROM product WHERE price > (SELECT avg(price) FROM product)',
      wrong: {
        'the average as it is now': 'SELECT title, price FROM product WHERE price > 87.35',
        'the average of what is in stock':
          'SELECT title, price FROM product WHERE price > (SELECT avg(price) FROM product WHERE stock > 0)',
        'each price once': 'SELECT title, price FROM product WHERE price > (SELECT avg(DISTINCT price) FROM product)',
      },
      same: [
        'SELECT title, price FROM product WHERE (SELECT avg(price) FROM product) < price',
        'WITH mean AS (SELECT avg(price) AS price FROM product) SELECT p.title, p.price FROM product AS p, mean WHERE p.price > mean.price',
      ],
    },
    {
      gold: "SELECT CAST(sum(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) AS REAL) * 100 / count(*) FROM orders",
      wrong: {
        'of those with a status':
          "SELECT CAST(sum(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) AS REAL) * 100 / count(status) FROM orders",
        'all other statuses':
          "SELECT CAST(sum(CASE WHEN status IN ('delivered', 'shipped') THEN 0 ELSE 1 END) AS REAL) * 100 / count(*) FROM orders",
        'an average that skips the unknown':
          "SELECT avg(CASE WHEN status = 'cancelled' THEN 100.0 WHEN status IS NOT NULL THEN 0.0 END) FROM orders",
        'two are cancelled': 'SELECT CAST(2 AS REAL) * 100 / count(*) FROM orders',
      },
      same: [
        "SELECT 100.0 * (SELECT count(*) FROM orders WHERE status = 'cancelled') / count(*) FROM orders",
        "SELECT CAST(count(CASE WHEN status = 'cancelled' THEN order_id END) AS REAL) * 100 / count(order_id) FROM orders",
      ],
    },
    {
      gold: "SELECT DISTINCT c.country FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id WHERE o.status = 'cancelled'",
      wrong: {
        'those that cost more to ship':
          "SELECT c.country FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id WHERE o.status = 'cancelled' AND o.shipping > 10",
        'the country that stands twice': 'SELECT country FROM customer GROUP BY country HAVING count(*) = 2',
        'not delivered or shipped':
          "SELECT DISTINCT c.country FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id WHERE o.status NOT IN ('delivered', 'shipped')",
        'the first one':
          "SELECT c.country FROM customer AS c JOIN orders AS o ON c.customer_id = o.customer_id WHERE o.status = 'cancelled' LIMIT 1",
      },
      same: [
        "SELECT DISTINCT country FROM customer WHERE customer_id IN (SELECT customer_id FROM orders WHERE status = 'cancelled')",
        "SELECT c.country FROM orders AS o JOIN customer AS c ON 'cancelled' = o.status AND c.customer_id = o.customer_id GROUP BY c.country",
      ],
    },
  ],
};
