-- planetarium: domes, the sky shows they run, the presenters, and single sessions.
-- Naming style: column names with spaces, quoted. Written for perturbql (MIT).

CREATE TABLE Dome (
  "Dome ID"          INTEGER PRIMARY KEY,
  "Dome Name"        TEXT NOT NULL,
  "City"             TEXT,
  "Total Seats"      INTEGER,
  "Opening Date"     DATE,
  "Projector Model"  TEXT
);

CREATE TABLE Sky_Show (
  "Show ID"             INTEGER PRIMARY KEY,
  "Show Title"          TEXT NOT NULL,
  "Release Date"        DATE,
  "Running Time"        INTEGER,
  "Narration Language"  TEXT,
  "Ticket Price"        REAL
);

CREATE TABLE Presenter (
  "Presenter ID"         INTEGER PRIMARY KEY,
  "Presenter Name"       TEXT NOT NULL,
  "Home Country"         TEXT,
  "Hourly Wage"          REAL,
  "Years of Experience"  INTEGER
);

CREATE TABLE Session (
  "Session ID"     INTEGER PRIMARY KEY,
  "Dome ID"        INTEGER,
  "Show ID"        INTEGER,
  "Presenter ID"   INTEGER,
  "Session Date"   DATE,
  "Visitor Count"  INTEGER,
  "Guest Rating"   REAL,
  FOREIGN KEY ("Dome ID") REFERENCES Dome ("Dome ID"),
  FOREIGN KEY ("Show ID") REFERENCES Sky_Show ("Show ID"),
  FOREIGN KEY ("Presenter ID") REFERENCES Presenter ("Presenter ID")
);

INSERT INTO Dome ("Dome ID", "Dome Name", "City", "Total Seats", "Opening Date", "Projector Model") VALUES
  (1, 'Aurora Dome',      'Tromso',     140, '2003-11-15', 'Starmaster 3'),
  (2, 'Meridian Dome',    'Greenwich',  220, '1998-05-02', 'Orbis 40'),
  (3, 'Desert Sky Dome',  'Antofagasta', 95, '2012-09-21', 'Orbis 60'),
  (4, 'Copper Dome',      'Krakow',     180, '2008-03-30', 'Starmaster 5'),
  (5, 'Harbour Dome',     'Hamburg',    250, '2015-06-12', 'Lumen X'),
  (6, 'Polaris Dome',     'Tromso',      60, '2019-12-01', 'Lumen X'),
  (7, 'Comet Dome',       'Granada',    300, '2010-10-10', 'Starmaster 5'),
  (8, 'Zenith Dome',      'Hamburg',    120, '2021-04-24', 'Lumen Z');

INSERT INTO Sky_Show ("Show ID", "Show Title", "Release Date", "Running Time", "Narration Language", "Ticket Price") VALUES
  (1, 'Journey to Saturn',       '2016-02-11', 45, 'English',   11.0),
  (2, 'Cielos del Sur',          '2019-08-20', 38, 'Spanish',    8.5),
  (3, 'Dancing Lights',          '2014-10-05', 30, 'Norwegian', 10.0),
  (4, 'Kinder der Sterne',       '2020-03-17', 35, 'German',     7.0),
  (5, 'Black Holes Explained',   '2021-09-09', 52, 'English',   13.5),
  (6, 'The Copernicus Story',    '2018-02-19', 48, 'Polish',     9.0),
  (7, 'La Luna y Nosotros',      '2022-05-30', 40, 'Spanish',    9.5),
  (8, 'Comets and Courage',      '2011-07-01', 42, 'English',    8.0),
  (9, 'Reise zum Mars',          '2022-11-12', 55, 'German',    12.0);

INSERT INTO Presenter ("Presenter ID", "Presenter Name", "Home Country", "Hourly Wage", "Years of Experience") VALUES
  (1, 'Solveig Nyhagen',     'Norway',  34.0, 12),
  (2, 'Patrick Ellingham',   'England', 29.5,  8),
  (3, 'Catalina Urrejola',   'Chile',   22.0,  5),
  (4, 'Zofia Wierzbica',     'Poland',  24.5, 15),
  (5, 'Jonas Petersdorf',    'Germany', 31.0,  4),
  (6, 'Alvaro Montefrio',    'Spain',   23.5,  9),
  (7, 'Ingrid Halvorsrud',   'Norway',  27.0,  2),
  (8, 'Beatrix Lohmeyer',    'Germany', 30.5,  3),
  (9, 'Desmond Airey',       'England', 21.0,  1);

INSERT INTO Session ("Session ID", "Dome ID", "Show ID", "Presenter ID", "Session Date", "Visitor Count", "Guest Rating") VALUES
  (1,  1, 3, 1, '2023-01-14', 118, 4.8),
  (2,  6, 3, 7, '2023-01-14',  55, 4.6),
  (3,  2, 1, 2, '2023-02-04', 197, 4.3),
  (4,  2, 5, 2, '2023-02-18', 214, 4.7),
  (5,  3, 2, 3, '2023-03-11',  88, 4.9),
  (6,  4, 6, 4, '2023-03-25', 156, 4.4),
  (7,  5, 4, 5, '2023-04-08', 231, 4.1),
  (8,  8, 9, 5, '2023-04-29', 109, 4.6),
  (9,  7, 7, 6, '2023-05-13', 264, 4.5),
  (10, 7, 2, 6, '2023-05-27', 240, 4.2),
  (11, 6, 5, 1, '2023-06-10',  58, 4.9),
  (12, 1, 8, 1, '2023-06-24',  97, 3.9),
  (13, 5, 5, 2, '2023-07-15', 205, 4.4),
  (14, 3, 7, 3, '2023-07-15',  71, 4.7),
  (15, 8, 4, 5, '2023-08-05',  92, 4.0);
