import type { CorpusSchema } from './corpus-schema.js';

const SQL = `
  CREATE TABLE department (dept_id INTEGER PRIMARY KEY, name TEXT NOT NULL, floor INTEGER, budget REAL);
  CREATE TABLE doctor (doctor_id INTEGER PRIMARY KEY, name TEXT NOT NULL, dept_id INTEGER NOT NULL REFERENCES department (dept_id),
    salary INTEGER, hired DATE);
  CREATE TABLE patient (patient_id INTEGER PRIMARY KEY, name TEXT NOT NULL, gender TEXT, birth_date DATE, city TEXT, weight REAL);
  CREATE TABLE visit (visit_id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patient (patient_id),
    doctor_id INTEGER NOT NULL REFERENCES doctor (doctor_id), day DATE, fee REAL, diagnosis TEXT);
  CREATE TABLE prescription (visit_id INTEGER NOT NULL REFERENCES visit (visit_id), drug TEXT NOT NULL, days INTEGER,
    PRIMARY KEY (visit_id, drug));
  INSERT INTO department VALUES
    (1, 'Cardiology', 2, 900000), (2, 'Neurology', 3, 750000), (3, 'Pediatrics', 1, 600000), (4, 'Oncology', 4, 1200000),
    (5, 'Radiology', 1, 500000);
  INSERT INTO doctor VALUES
    (1, 'Dr. Abbott', 1, 120000, '2010-04-01'), (2, 'Dr. Brandt', 1, 135000, '2008-09-15'), (3, 'Dr. Castro', 2, 128000, '2012-01-10'),
    (4, 'Dr. Dietz', 3, 98000, '2015-06-20'), (5, 'Dr. Evans', 3, 102000, '2016-11-05'), (6, 'Dr. Farouk', 4, 150000, '2005-03-12'),
    (7, 'Dr. Gupta', 2, 110000, '2018-02-28');
  INSERT INTO patient VALUES
    (1, 'Nora Hill', 'F', '1985-03-12', 'Austin', 61), (2, 'Omar Diaz', 'M', '1972-11-30', 'Dallas', 84),
    (3, 'Paula West', 'F', '2012-06-05', 'Austin', 32), (4, 'Quinn Ross', 'M', '1960-01-22', 'Waco', 90),
    (5, 'Rita Sole', 'F', '2015-09-17', 'Dallas', 24), (6, 'Seth Young', 'M', '1990-12-01', 'Austin', 77),
    (7, 'Tara Unger', 'F', '1978-07-08', 'Waco', 66), (8, 'Umar Vance', 'M', '1955-04-14', 'Plano', 81);
  INSERT INTO visit VALUES
    (1, 1, 1, '2022-01-10', 150, 'hypertension'), (2, 2, 2, '2022-01-18', 200, 'arrhythmia'), (3, 3, 4, '2022-02-02', 80, 'flu'),
    (4, 4, 6, '2022-02-15', 300, 'tumor'), (5, 5, 5, '2022-03-01', 85, 'flu'), (6, 1, 3, '2022-03-20', 180, 'migraine'),
    (7, 6, 7, '2022-04-04', 160, 'migraine'), (8, 7, 3, '2022-04-19', 175, 'epilepsy'), (9, 2, 1, '2022-05-07', 140, 'hypertension'),
    (10, 8, 6, '2022-05-25', 320, 'tumor'), (11, 4, 2, '2022-06-11', 210, 'arrhythmia'), (12, 3, 5, '2022-06-30', 90, 'asthma');
  INSERT INTO prescription VALUES
    (1, 'lisinopril', 30), (2, 'amiodarone', 60), (2, 'aspirin', 90), (3, 'paracetamol', 5), (4, 'cisplatin', 21), (5, 'paracetamol', 4),
    (6, 'sumatriptan', 10), (7, 'sumatriptan', 8), (8, 'valproate', 45), (9, 'lisinopril', 28), (11, 'aspirin', 80),
    (12, 'salbutamol', 14);`;

export const CLINIC: CorpusSchema = {
  id: 'clinic',
  impossible: ['divides by all visits', 'of those whose gender is known'],
  sql: SQL,
  golds: [
    {
      gold: 'SELECT d.name FROM department AS d JOIN doctor AS x ON d.dept_id = x.dept_id GROUP BY d.dept_id HAVING count(*) >= 2',
      wrong: {
        'groups by name':
          'SELECT d.name FROM department AS d JOIN doctor AS x ON d.dept_id = x.dept_id GROUP BY d.name HAVING count(*) >= 2',
        'exactly two':
          'SELECT d.name FROM department AS d JOIN doctor AS x ON d.dept_id = x.dept_id GROUP BY d.dept_id HAVING count(*) = 2',
        'different salaries':
          'SELECT d.name FROM department AS d JOIN doctor AS x ON d.dept_id = x.dept_id GROUP BY d.dept_id HAVING count(DISTINCT x.salary) >= 2',
        'salaries that add up':
          'SELECT d.name FROM department AS d JOIN doctor AS x ON d.dept_id = x.dept_id GROUP BY d.dept_id HAVING sum(x.salary) >= 200000',
        'lower floors': 'SELECT name FROM department WHERE floor <= 3 AND dept_id IN (SELECT dept_id FROM doctor)',
      },
      same: [
        'SELECT d.name FROM department AS d JOIN doctor AS x ON d.dept_id = x.dept_id GROUP BY x.dept_id HAVING count(*) > 1',
        'SELECT name FROM department AS d WHERE (SELECT count(*) FROM doctor AS x WHERE x.dept_id = d.dept_id) >= 2',
        'SELECT name FROM department WHERE dept_id IN (SELECT a.dept_id FROM doctor AS a JOIN doctor AS b ON a.dept_id = b.dept_id WHERE a.doctor_id <> b.doctor_id)',
      ],
    },
    {
      gold: "SELECT count(DISTINCT patient_id) FROM visit WHERE diagnosis = 'hypertension' OR diagnosis = 'arrhythmia'",
      wrong: {
        'the department of it':
          'SELECT count(DISTINCT v.patient_id) FROM visit AS v JOIN doctor AS x ON v.doctor_id = x.doctor_id WHERE x.dept_id = 1',
        'names for patients':
          "SELECT count(DISTINCT p.name) FROM visit AS v JOIN patient AS p ON v.patient_id = p.patient_id WHERE v.diagnosis = 'hypertension' OR v.diagnosis = 'arrhythmia'",
        'words that begin or end so':
          "SELECT count(DISTINCT patient_id) FROM visit WHERE diagnosis LIKE 'hyper%' OR diagnosis LIKE '%rhythmia'",
        'one visit less': "SELECT count(*) - 1 FROM visit WHERE diagnosis IN ('hypertension', 'arrhythmia')",
      },
      same: [
        "SELECT count(DISTINCT patient_id) FROM visit WHERE diagnosis IN ('arrhythmia', 'hypertension')",
        "SELECT count(*) FROM (SELECT patient_id FROM visit WHERE diagnosis = 'hypertension' UNION SELECT patient_id FROM visit WHERE diagnosis = 'arrhythmia')",
      ],
    },
    {
      gold: "SELECT name FROM patient WHERE gender = 'M' AND (city = 'Waco' OR city = 'Plano')",
      wrong: {
        'no parentheses': "SELECT name FROM patient WHERE gender = 'M' AND city = 'Waco' OR city = 'Plano'",
        'not the other cities': "SELECT name FROM patient WHERE gender = 'M' AND city NOT IN ('Austin', 'Dallas')",
        'not the other gender': "SELECT name FROM patient WHERE gender <> 'F' AND city IN ('Waco', 'Plano')",
        'the old': "SELECT name FROM patient WHERE birth_date < '1965-01-01'",
        'the heavy of another city': "SELECT name FROM patient WHERE gender = 'M' AND weight > 80 AND city <> 'Dallas'",
      },
      same: [
        "SELECT name FROM patient WHERE city IN ('Plano', 'Waco') AND gender = 'M'",
        "SELECT name FROM patient WHERE (gender = 'M' AND city = 'Waco') OR (gender = 'M' AND city = 'Plano')",
      ],
    },
    {
      gold: 'SELECT x.name, avg(v.fee) FROM doctor AS x JOIN visit AS v ON x.doctor_id = v.doctor_id GROUP BY x.doctor_id HAVING avg(v.fee) > 150',
      wrong: {
        'the least fee':
          'SELECT x.name, avg(v.fee) FROM doctor AS x JOIN visit AS v ON x.doctor_id = v.doctor_id GROUP BY x.doctor_id HAVING min(v.fee) > 150',
        'the highest fee':
          'SELECT x.name, avg(v.fee) FROM doctor AS x JOIN visit AS v ON x.doctor_id = v.doctor_id GROUP BY x.doctor_id HAVING max(v.fee) > 150',
        'WHERE for HAVING':
          'SELECT x.name, avg(v.fee) FROM doctor AS x JOIN visit AS v ON x.doctor_id = v.doctor_id WHERE v.fee > 150 GROUP BY x.doctor_id',
        'divides by all visits':
          'SELECT x.name, sum(v.fee) / count(*) FROM doctor AS x JOIN visit AS v ON x.doctor_id = v.doctor_id GROUP BY x.doctor_id HAVING avg(v.fee) > 150',
        'groups by name':
          'SELECT x.name, avg(v.fee) FROM doctor AS x JOIN visit AS v ON x.doctor_id = v.doctor_id GROUP BY x.name HAVING avg(v.fee) > 150',
      },
      same: [
        'SELECT x.name, avg(v.fee) FROM visit AS v JOIN doctor AS x ON v.doctor_id = x.doctor_id GROUP BY v.doctor_id HAVING 150 < avg(v.fee)',
        'SELECT x.name, m.fee FROM doctor AS x JOIN (SELECT doctor_id, avg(fee) AS fee FROM visit GROUP BY doctor_id) AS m ON m.doctor_id = x.doctor_id WHERE m.fee > 150',
      ],
    },
    {
      gold: "SELECT name FROM patient WHERE birth_date > '2010-01-01'",
      wrong: {
        'years after': "SELECT name FROM patient WHERE strftime('%Y', birth_date) > '2010'",
        'the light': 'SELECT name FROM patient WHERE weight < 50',
        'patients of pediatrics':
          'SELECT name FROM patient WHERE patient_id IN (SELECT v.patient_id FROM visit AS v JOIN doctor AS x ON v.doctor_id = x.doctor_id WHERE x.dept_id = 3)',
        'those with flu':
          "SELECT p.name FROM patient AS p JOIN visit AS v ON p.patient_id = v.patient_id WHERE v.diagnosis = 'flu'",
      },
      same: [
        "SELECT p.name FROM patient AS p WHERE '2010-01-01' < p.birth_date",
        "WITH young AS (SELECT * FROM patient WHERE birth_date > '2010-01-01') SELECT name FROM young",
      ],
    },
    {
      gold: 'SELECT name FROM department ORDER BY budget DESC LIMIT 1',
      wrong: {
        'the highest floor': 'SELECT name FROM department ORDER BY floor DESC LIMIT 1',
        'more than a million': 'SELECT name FROM department WHERE budget > 1000000',
        'of the best paid doctor':
          'SELECT name FROM department WHERE dept_id = (SELECT dept_id FROM doctor ORDER BY salary DESC LIMIT 1)',
        'only those with doctors':
          'SELECT d.name FROM department AS d JOIN doctor AS x ON d.dept_id = x.dept_id ORDER BY d.budget DESC LIMIT 1',
      },
      same: ['SELECT d.name FROM department AS d ORDER BY d.budget DESC LIMIT 1 OFFSET 0'],
    },
    {
      gold: 'SELECT p.name FROM patient AS p WHERE NOT EXISTS (SELECT 1 FROM visit AS v JOIN prescription AS r ON v.visit_id = r.visit_id WHERE v.patient_id = p.patient_id)',
      wrong: {
        'a visit without one':
          'SELECT name FROM patient WHERE patient_id IN (SELECT patient_id FROM visit WHERE visit_id NOT IN (SELECT visit_id FROM prescription))',
        'visits without one':
          'SELECT p.name FROM patient AS p JOIN visit AS v ON p.patient_id = v.patient_id LEFT JOIN prescription AS r ON v.visit_id = r.visit_id WHERE r.drug IS NULL',
        'the oldest': 'SELECT name FROM patient WHERE birth_date = (SELECT min(birth_date) FROM patient)',
        'of some days':
          'SELECT p.name FROM patient AS p WHERE NOT EXISTS (SELECT 1 FROM visit AS v JOIN prescription AS r ON v.visit_id = r.visit_id WHERE v.patient_id = p.patient_id AND r.days > 3)',
      },
      same: [
        'SELECT name FROM patient WHERE patient_id NOT IN (SELECT v.patient_id FROM prescription AS r JOIN visit AS v ON v.visit_id = r.visit_id)',
        'SELECT p.name FROM patient AS p WHERE (SELECT count(*) FROM visit AS v, prescription AS r WHERE v.visit_id = r.visit_id AND p.patient_id = v.patient_id) = 0',
      ],
    },
    {
      gold: 'SELECT drug, sum(days) FROM prescription GROUP BY drug ORDER BY sum(days) DESC',
      wrong: {
        'each number of days once':
          'SELECT drug, sum(DISTINCT days) FROM prescription GROUP BY drug ORDER BY sum(days) DESC',
        'the first ten': 'SELECT drug, sum(days) FROM prescription GROUP BY drug ORDER BY sum(days) DESC LIMIT 10',
        'by how they begin':
          'SELECT drug, sum(days) FROM prescription GROUP BY substr(drug, 1, 2) ORDER BY sum(days) DESC',
        'paid visits':
          'SELECT r.drug, sum(r.days) FROM prescription AS r JOIN visit AS v ON r.visit_id = v.visit_id WHERE v.fee > 0 GROUP BY r.drug ORDER BY sum(r.days) DESC',
      },
      same: [
        'SELECT drug, sum(days) AS total FROM prescription GROUP BY drug ORDER BY total DESC',
        'SELECT r.drug, sum(r.days) FROM visit AS v JOIN prescription AS r ON r.visit_id = v.visit_id GROUP BY 1 ORDER BY 2 DESC',
      ],
    },
    {
      gold: "SELECT CAST(count(CASE WHEN gender = 'F' THEN patient_id END) AS REAL) / count(*) FROM patient",
      wrong: {
        'the other gender':
          "SELECT CAST(count(CASE WHEN gender = 'M' THEN patient_id END) AS REAL) / count(*) FROM patient",
        'a half': 'SELECT 0.5',
        'the light': 'SELECT CAST(count(CASE WHEN weight < 70 THEN patient_id END) AS REAL) / count(*) FROM patient',
        'of those whose gender is known':
          "SELECT CAST(count(CASE WHEN gender = 'F' THEN patient_id END) AS REAL) / count(gender) FROM patient",
      },
      same: [
        "SELECT CAST((SELECT count(*) FROM patient WHERE gender = 'F') AS REAL) / count(*) FROM patient",
        "SELECT sum(CASE WHEN gender = 'F' THEN 1.0 ELSE 0.0 END) / count(patient_id) FROM patient",
      ],
    },
    {
      gold: "SELECT name FROM patient WHERE patient_id IN (SELECT v.patient_id FROM visit AS v JOIN doctor AS x ON v.doctor_id = x.doctor_id JOIN department AS d ON x.dept_id = d.dept_id WHERE d.name = 'Cardiology') AND patient_id IN (SELECT v.patient_id FROM visit AS v JOIN doctor AS x ON v.doctor_id = x.doctor_id JOIN department AS d ON x.dept_id = d.dept_id WHERE d.name = 'Oncology')",
      wrong: {
        'the heaviest': 'SELECT name FROM patient WHERE weight = (SELECT max(weight) FROM patient)',
        'two floors':
          "SELECT p.name FROM patient AS p JOIN visit AS v ON p.patient_id = v.patient_id JOIN doctor AS x ON v.doctor_id = x.doctor_id JOIN department AS d ON x.dept_id = d.dept_id WHERE d.name IN ('Cardiology', 'Oncology') GROUP BY p.patient_id HAVING count(DISTINCT d.floor) = 2",
        'names that are in both':
          "SELECT p.name FROM patient AS p JOIN visit AS v ON p.patient_id = v.patient_id JOIN doctor AS x ON v.doctor_id = x.doctor_id JOIN department AS d ON x.dept_id = d.dept_id WHERE d.name = 'Cardiology' INTERSECT SELECT p.name FROM patient AS p JOIN visit AS v ON p.patient_id = v.patient_id JOIN doctor AS x ON v.doctor_id = x.doctor_id JOIN department AS d ON x.dept_id = d.dept_id WHERE d.name = 'Oncology'",
      },
      same: [
        "SELECT p.name FROM patient AS p JOIN visit AS v ON p.patient_id = v.patient_id JOIN doctor AS x ON v.doctor_id = x.doctor_id JOIN department AS d ON x.dept_id = d.dept_id WHERE d.name IN ('Cardiology', 'Oncology') GROUP BY p.patient_id HAVING count(DISTINCT d.name) = 2",
      ],
    },
  ],
};
