-- pottery_studio: potters of a shared studio, its kilns, the pieces made and sold.
-- Naming style: CamelCase. Written for perturbql (MIT).

CREATE TABLE Potter (
  PotterId       INTEGER PRIMARY KEY,
  FullName       TEXT NOT NULL,
  BirthDate      DATE,
  Nationality    TEXT,
  Hometown       TEXT,
  HireDate       DATE,
  MonthlySalary  REAL
);

CREATE TABLE Kiln (
  KilnId          INTEGER PRIMARY KEY,
  KilnName        TEXT NOT NULL,
  FuelType        TEXT,
  Capacity        INTEGER,
  MaxTemperature  INTEGER,
  PurchaseYear    INTEGER
);

CREATE TABLE Piece (
  PieceId   INTEGER PRIMARY KEY,
  Title     TEXT NOT NULL,
  PotterId  INTEGER,
  KilnId    INTEGER,
  ClayType  TEXT,
  Height    REAL,
  Price     REAL,
  FOREIGN KEY (PotterId) REFERENCES Potter (PotterId),
  FOREIGN KEY (KilnId) REFERENCES Kiln (KilnId)
);

CREATE TABLE Sale (
  SaleId         INTEGER PRIMARY KEY,
  PieceId        INTEGER,
  BuyerName      TEXT,
  SaleDate       DATE,
  PaymentMethod  TEXT,
  AmountPaid     REAL,
  FOREIGN KEY (PieceId) REFERENCES Piece (PieceId)
);

INSERT INTO Potter (PotterId, FullName, BirthDate, Nationality, Hometown, HireDate, MonthlySalary) VALUES
  (1, 'Sachiko Amano',     '1972-05-09', 'Japanese', 'Mashiko',      '2008-04-01', 3150.0),
  (2, 'Bram Oosterveld',   '1985-11-23', 'Dutch',    'Gouda',        '2013-09-15', 2800.0),
  (3, 'Noor van Keulen',   '1991-02-17', 'Dutch',    'Delft',        '2018-01-08', 2450.0),
  (4, 'Amadou Cissoko',    '1979-08-30', 'Malian',   'Kalabougou',   '2011-06-20', 2900.0),
  (5, 'Greta Haselbach',   '1966-12-04', 'German',   'Meissen',      '2005-03-14', 3400.0),
  (6, 'Pedro Tlapanco',    '1988-07-12', 'Mexican',  'Puebla',       '2016-10-03', 2600.0),
  (7, 'Rikuto Hayasaka',   '1994-03-26', 'Japanese', 'Shigaraki',    '2020-02-10', 2300.0),
  (8, 'Maeve Donnellan',   '1983-10-01', 'Irish',    'Kilkenny',     '2014-05-27', 2700.0);

INSERT INTO Kiln (KilnId, KilnName, FuelType, Capacity, MaxTemperature, PurchaseYear) VALUES
  (1, 'Big Bertram',   'gas',      60, 1320, 2006),
  (2, 'Anagama',       'wood',     90, 1350, 2009),
  (3, 'Little Spark',  'electric', 18, 1230, 2015),
  (4, 'Bluebell',      'electric', 30, 1280, 2018),
  (5, 'Salamander',    'gas',      45, 1300, 2012),
  (6, 'Raku Barrel',   'gas',       8, 1050, 2019),
  (7, 'Hillside',      'wood',     75, 1310, 2011),
  (8, 'Test Cube',     'electric',  4, 1260, 2021);

INSERT INTO Piece (PieceId, Title, PotterId, KilnId, ClayType, Height, Price) VALUES
  (1,  'Moon Jar',          1, 2, 'porcelain',   42.0, 480.0),
  (2,  'Tea Bowl No. 7',    1, 2, 'stoneware',    8.5, 120.0),
  (3,  'Canal Tile',        3, 4, 'earthenware', 15.0,  65.0),
  (4,  'Tulip Vase',        2, 1, 'porcelain',   55.0, 390.0),
  (5,  'River Pot',         4, 7, 'earthenware', 48.0, 260.0),
  (6,  'Swan Tureen',       5, 4, 'porcelain',   28.0, 520.0),
  (7,  'Talavera Platter',  6, 5, 'earthenware',  6.0, 150.0),
  (8,  'Fire Flask',        7, 2, 'stoneware',   21.0, 110.0),
  (9,  'Sake Pair',         7, 6, 'stoneware',   12.0,  75.0),
  (10, 'Heather Jug',       8, 1, 'stoneware',   24.5,  95.0),
  (11, 'Bread Crock',       8, 5, 'stoneware',   32.0, 130.0),
  (12, 'Winter Plate',      5, 3, 'porcelain',    4.0, 180.0),
  (13, 'Courtyard Planter', 6, 7, 'earthenware', 38.0, 140.0);

INSERT INTO Sale (SaleId, PieceId, BuyerName, SaleDate, PaymentMethod, AmountPaid) VALUES
  (1,  2,  'Fiona Ashgrove',    '2022-03-05', 'card',     120.0),
  (2,  4,  'Hotel Zonneveld',   '2022-04-18', 'transfer', 370.0),
  (3,  8,  'Leon Varga',        '2022-06-11', 'cash',     100.0),
  (4,  6,  'Adele Rousselin',   '2022-09-23', 'card',     520.0),
  (5,  10, 'Colm Farraher',     '2022-12-02', 'cash',      90.0),
  (6,  5,  'Museum Shop Lahn',  '2023-01-20', 'transfer', 240.0),
  (7,  7,  'Ximena Robledo',    '2023-03-14', 'card',     150.0),
  (8,  11, 'Fiona Ashgrove',    '2023-05-06', 'card',     125.0),
  (9,  1,  'Museum Shop Lahn',  '2023-07-30', 'transfer', 450.0),
  (10, 3,  'Leon Varga',        '2023-10-09', 'cash',      60.0);
