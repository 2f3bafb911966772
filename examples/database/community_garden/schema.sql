-- community_garden: who gardens which plot, what grows there and what was harvested.
-- Naming style: snake_case. Written for perturbql (MIT).

CREATE TABLE gardener (
  gardener_id   INTEGER PRIMARY KEY,
  full_name     TEXT NOT NULL,
  home_country  TEXT,
  birth_year    INTEGER,
  join_date     DATE,
  annual_fee    REAL,
  is_volunteer  BOOLEAN
);

CREATE TABLE plot (
  plot_id         INTEGER PRIMARY KEY,
  plot_name       TEXT NOT NULL,
  gardener_id     INTEGER,
  plot_area       REAL,
  soil_type       TEXT,
  sunlight_hours  REAL,
  monthly_rent    REAL,
  FOREIGN KEY (gardener_id) REFERENCES gardener (gardener_id)
);

CREATE TABLE plant (
  plant_id          INTEGER PRIMARY KEY,
  common_name       TEXT NOT NULL,
  plant_family      TEXT,
  origin_region     TEXT,
  days_to_maturity  INTEGER,
  seed_price        REAL
);

CREATE TABLE harvest (
  harvest_id      INTEGER PRIMARY KEY,
  plot_id         INTEGER,
  plant_id        INTEGER,
  harvest_date    DATE,
  harvest_weight  REAL,
  quality_grade   TEXT,
  FOREIGN KEY (plot_id) REFERENCES plot (plot_id),
  FOREIGN KEY (plant_id) REFERENCES plant (plant_id)
);

INSERT INTO gardener (gardener_id, full_name, home_country, birth_year, join_date, annual_fee, is_volunteer) VALUES
  (1, 'Marta Quintela',   'Portugal', 1961, '2014-03-12', 45.0, 1),
  (2, 'Oskar Lindahl',    'Sweden',   1978, '2016-04-02', 60.0, 0),
  (3, 'Ifeoma Adeyinka',  'Nigeria',  1990, '2019-02-20', 60.0, 1),
  (4, 'Rui Falcato',      'Portugal', 1988, '2020-05-15', 60.0, 0),
  (5, 'Hana Morishige',   'Japan',    1969, '2015-09-01', 45.0, 1),
  (6, 'Tobias Kerrigan',  'Ireland',  1983, '2021-03-28', 60.0, 0),
  (7, 'Lucia Benavente',  'Chile',    1995, '2022-04-11', 30.0, 1),
  (8, 'Elin Strandvik',   'Sweden',   1957, '2013-06-07', 45.0, 0),
  (9, 'Joao Sarmento',    'Portugal', 1974, '2018-10-19', 60.0, 1),
  (10, 'Kenji Uramoto',   'Japan',    1992, '2023-03-05', 30.0, 0);

INSERT INTO plot (plot_id, plot_name, gardener_id, plot_area, soil_type, sunlight_hours, monthly_rent) VALUES
  (1,  'Rosemary Corner', 1, 24.0, 'loam',  7.5, 18.0),
  (2,  'Old Orchard',     1, 40.0, 'clay',  5.0, 25.0),
  (3,  'Birch Side',      2, 18.5, 'sand',  6.0, 14.0),
  (4,  'Sunny Terrace',   3, 30.0, 'loam',  8.5, 24.0),
  (5,  'Well Bed',        4, 15.0, 'clay',  4.5, 11.5),
  (6,  'Moss Garden',     5, 22.0, 'peat',  4.0, 16.0),
  (7,  'Long Row',        5, 36.0, 'loam',  7.0, 27.5),
  (8,  'Gate Plot',       6, 12.0, 'sand',  6.5, 10.0),
  (9,  'Andean Steps',    7, 28.0, 'sand',  8.0, 20.0),
  (10, 'Heron Pond',      8, 20.0, 'peat',  5.5, 15.0),
  (11, 'South Wall',      9, 26.0, 'loam',  9.0, 23.0),
  (12, 'Bee Meadow',      3, 33.0, 'clay',  7.0, 21.0);

INSERT INTO plant (plant_id, common_name, plant_family, origin_region, days_to_maturity, seed_price) VALUES
  (1,  'tomato',      'nightshade', 'South America',    75,  2.8),
  (2,  'potato',      'nightshade', 'South America',   100,  4.5),
  (3,  'carrot',      'carrot',     'Central Asia',     70,  1.9),
  (4,  'parsley',     'carrot',     'Mediterranean',    80,  1.6),
  (5,  'kale',        'cabbage',    'Mediterranean',    60,  2.2),
  (6,  'daikon',      'cabbage',    'East Asia',        55,  2.5),
  (7,  'pumpkin',     'gourd',      'Central America', 110,  3.4),
  (8,  'cucumber',    'gourd',      'South Asia',       58,  2.6),
  (9,  'broad bean',  'legume',     'Mediterranean',    90,  3.1),
  (10, 'lentil',      'legume',     'Middle East',      95,  2.0);

INSERT INTO harvest (harvest_id, plot_id, plant_id, harvest_date, harvest_weight, quality_grade) VALUES
  (1,  1,  1, '2022-08-14', 12.4, 'A'),
  (2,  2,  7, '2022-10-02', 31.5, 'B'),
  (3,  3,  3, '2022-07-21',  8.2, 'B'),
  (4,  4,  1, '2022-08-30', 15.9, 'A'),
  (5,  6,  5, '2022-11-06',  6.3, 'A'),
  (6,  7,  6, '2022-09-18', 14.1, 'A'),
  (7,  9,  2, '2023-08-25', 27.3, 'A'),
  (8,  11, 8, '2023-07-11',  9.8, 'C'),
  (9,  12, 9, '2023-06-19', 10.7, 'B'),
  (10, 5,  5, '2023-10-27',  5.5, 'C'),
  (11, 10, 3, '2023-08-03',  7.9, 'A'),
  (12, 8,  4, '2023-07-29',  1.2, 'B'),
  (13, 7,  7, '2023-10-08', 22.6, 'B'),
  (14, 11, 1, '2023-08-17', 18.0, 'B');
