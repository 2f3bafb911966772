import type { ScratchDatabase, ServerFormat } from './live-servers.js';

/** The town of the SQL room's tests, with types, as statements of either server. */
export function townScript(format: ServerFormat): readonly string[] {
  const quoted = (name: string): string => (format === 'mysql' ? `\`${name}\`` : `"${name}"`);
  return [
    // Of InnoDB, each column added and dropped leaves something behind, until a row is too long.
    ...(format === 'mysql' ? ['SET default_storage_engine = MEMORY'] : []),
    'CREATE TABLE person (id int, name varchar(20), age int, city_id int, boss int)',
    'CREATE TABLE city (id int, name varchar(20), country varchar(20), population int)',
    'CREATE TABLE visit (person_id int, city_id int, year int, cost numeric(8, 2))',
    `CREATE TABLE ${quoted('Odd Table')} (${quoted('first name')} varchar(20), ${quoted('order')} int, id int)`,
    "INSERT INTO person VALUES (1,'Ann',30,1,NULL),(2,'Bob',25,2,1),(3,'Cid',41,1,1),(4,'Dan',NULL,3,2),(5,'Eve',30,NULL,2)",
    "INSERT INTO city VALUES (1,'Rome','Italy',2800),(2,'Oslo','Norway',700),(3,'Bari','Italy',320),(4,'Ann','Chad',5)",
    'INSERT INTO visit VALUES (1,1,2001,10.5),(1,2,2002,20),(2,1,2001,5),(3,3,2003,NULL),(3,1,2003,7),(9,9,1999,1)',
    `INSERT INTO ${quoted('Odd Table')} VALUES ('Ann',1,1),('Zoe',2,2),('Bob',3,9)`,
    // What hints of the queries name, and one time for all that ask for it.
    ...(format === 'mysql'
      ? [
          'ALTER TABLE person ADD PRIMARY KEY (id), ADD INDEX a (age), ADD INDEX b (age, id)',
          'SET timestamp = 1000000000',
        ]
      : []),
  ];
}

/** What a query returns; rows as a bag unless it says their order. A server's refusal is an outcome, too. */
export async function outcomeOf(scratch: ScratchDatabase, sql: string): Promise<string> {
  try {
    const rows = (await scratch.rows(sql)).map((row) => JSON.stringify(row));
    return (/ORDER BY/i.test(sql) ? rows : [...rows].sort()).join('\n');
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}
