import type { CorpusSchema } from './corpus-schema.js';

const SQL = `
  CREATE TABLE team (team_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT, founded INTEGER, stadium TEXT, capacity INTEGER);
  CREATE TABLE player (player_id INTEGER PRIMARY KEY, name TEXT NOT NULL, team_id INTEGER NOT NULL REFERENCES team (team_id),
    position TEXT, height REAL, birth_year INTEGER, captain_id INTEGER REFERENCES player (player_id));
  CREATE TABLE game (game_id INTEGER PRIMARY KEY, home_id INTEGER NOT NULL REFERENCES team (team_id),
    away_id INTEGER NOT NULL REFERENCES team (team_id), home_goals INTEGER, away_goals INTEGER, played DATE, crowd INTEGER);
  CREATE TABLE goal (game_id INTEGER NOT NULL REFERENCES game (game_id), minute INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES player (player_id), PRIMARY KEY (game_id, minute));
  INSERT INTO team VALUES
    (1, 'Falcons', 'Ulm', 1950, 'North Arena', 12000), (2, 'Otters', 'Kiel', 1962, 'Harbor Park', 9000),
    (3, 'Rams', 'Graz', 1948, 'Castle Field', 15000), (4, 'Storks', 'Linz', 1971, 'Mill Ground', 7000),
    (5, 'Wolves', 'Bern', 1939, 'Bear Dome', 20000);
  INSERT INTO player VALUES
    (1, 'Adler', 1, 'keeper', 1.92, 1990, NULL), (2, 'Baum', 1, 'defender', 1.85, 1994, 1), (3, 'Cerny', 1, 'striker', 1.78, 1997, 1),
    (4, 'Dahl', 2, 'keeper', 1.9, 1988, NULL), (5, 'Ebner', 2, 'midfielder', 1.75, 1999, 4), (6, 'Fuchs', 2, 'striker', 1.83, 1995, 4),
    (7, 'Gross', 3, 'defender', 1.88, 1991, NULL), (8, 'Huber', 3, 'striker', 1.8, 1996, 7), (9, 'Imhof', 4, 'midfielder', 1.72, 2000, NULL),
    (10, 'Jansen', 4, 'striker', 1.86, 1993, 9), (11, 'Kern', 5, 'keeper', 1.95, 1987, NULL), (12, 'Lang', 5, 'striker', 1.81, 1998, 11);
  INSERT INTO game VALUES
    (1, 1, 2, 2, 1, '2023-08-05', 9500), (2, 3, 4, 3, 0, '2023-08-06', 11000), (3, 5, 1, 2, 2, '2023-08-12', 18000),
    (4, 2, 3, 0, 1, '2023-08-19', 7200), (5, 4, 5, 1, 3, '2023-08-26', 6100), (6, 1, 3, 1, 0, '2023-09-02', 10400),
    (7, 5, 2, 4, 1, '2023-09-09', 17500), (8, 4, 1, 0, 1, '2023-09-16', 5800), (9, 2, 4, 2, 0, '2023-09-23', 6900),
    (10, 3, 5, 1, 2, '2023-09-30', 14200);
  INSERT INTO goal VALUES
    (1, 12, 3), (1, 55, 2), (1, 70, 6), (2, 8, 8), (2, 30, 8), (2, 77, 7), (3, 21, 12), (3, 40, 3), (3, 63, 12), (3, 88, 3), (4, 45, 8),
    (5, 10, 12), (5, 33, 10), (5, 51, 12), (5, 80, 12), (6, 66, 3), (7, 5, 12), (7, 27, 12), (7, 49, 6), (7, 60, 12), (7, 85, 12),
    (8, 74, 3), (9, 19, 6), (9, 58, 5), (10, 14, 8), (10, 36, 12), (10, 90, 12);`;

export const LEAGUE: CorpusSchema = {
  id: 'league',
  impossible: ['from below'],
  sql: SQL,
  golds: [
    {
      gold: "SELECT p.name, count(*) FROM player AS p JOIN goal AS g ON p.player_id = g.player_id WHERE p.position = 'striker' GROUP BY p.player_id",
      wrong: {
        'groups by name':
          "SELECT p.name, count(*) FROM player AS p JOIN goal AS g ON p.player_id = g.player_id WHERE p.position = 'striker' GROUP BY p.name",
        'LEFT JOIN':
          "SELECT p.name, count(*) FROM player AS p LEFT JOIN goal AS g ON p.player_id = g.player_id WHERE p.position = 'striker' GROUP BY p.player_id",
        'in 90 minutes':
          "SELECT p.name, count(*) FROM player AS p JOIN goal AS g ON p.player_id = g.player_id WHERE p.position = 'striker' AND g.minute <= 90 GROUP BY p.player_id",
        'no other position':
          "SELECT p.name, count(*) FROM player AS p JOIN goal AS g ON p.player_id = g.player_id WHERE p.position NOT IN ('keeper', 'defender', 'midfielder') GROUP BY p.player_id",
      },
      same: [
        "SELECT p.name, count(g.minute) FROM goal AS g JOIN player AS p ON g.player_id = p.player_id AND p.position = 'striker' GROUP BY g.player_id",
        "SELECT p.name, count(g.minute) FROM player AS p LEFT JOIN goal AS g ON p.player_id = g.player_id WHERE p.position = 'striker' GROUP BY p.player_id HAVING count(g.minute) > 0",
      ],
    },
    {
      gold: 'SELECT DISTINCT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id WHERE g.home_goals > g.away_goals',
      wrong: {
        'more than one goal':
          'SELECT DISTINCT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id WHERE g.home_goals > 1',
        'draws too':
          'SELECT DISTINCT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id WHERE g.home_goals >= g.away_goals',
        'some goals, few against':
          'SELECT DISTINCT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id WHERE g.home_goals > 0 AND g.away_goals < 2',
        'large crowds':
          'SELECT DISTINCT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id WHERE g.crowd > 6500',
        'large stadiums': 'SELECT name FROM team WHERE capacity > 7000',
      },
      same: [
        'SELECT name FROM team WHERE team_id IN (SELECT home_id FROM game WHERE home_goals > away_goals)',
        'SELECT t.name FROM team AS t WHERE EXISTS (SELECT 1 FROM game AS g WHERE g.away_goals < g.home_goals AND g.home_id = t.team_id)',
      ],
    },
    {
      gold: 'SELECT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id GROUP BY t.team_id ORDER BY sum(g.home_goals) DESC LIMIT 1',
      wrong: {
        'the average':
          'SELECT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id GROUP BY t.team_id ORDER BY avg(g.home_goals) DESC LIMIT 1',
        'away goals of away games':
          'SELECT t.name FROM team AS t JOIN game AS g ON t.team_id = g.away_id GROUP BY t.team_id ORDER BY sum(g.away_goals) DESC LIMIT 1',
        'the game with most goals':
          'SELECT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id ORDER BY g.home_goals DESC LIMIT 1',
        'the largest stadium': 'SELECT name FROM team ORDER BY capacity DESC LIMIT 1',
        'the crowd':
          'SELECT t.name FROM team AS t JOIN game AS g ON t.team_id = g.home_id GROUP BY t.team_id ORDER BY sum(g.crowd) DESC LIMIT 1',
      },
      same: [
        'SELECT t.name FROM game AS g JOIN team AS t ON g.home_id = t.team_id GROUP BY t.name ORDER BY sum(g.home_goals) DESC LIMIT 1',
      ],
    },
    {
      gold: 'SELECT a.name FROM player AS a JOIN player AS b ON a.captain_id = b.player_id WHERE a.height > b.height',
      wrong: {
        'older than the captain':
          'SELECT a.name FROM player AS a JOIN player AS b ON a.captain_id = b.player_id WHERE a.birth_year < b.birth_year',
        'not smaller':
          'SELECT a.name FROM player AS a JOIN player AS b ON a.captain_id = b.player_id WHERE a.height >= b.height',
        'one of the team without captain':
          'SELECT a.name FROM player AS a JOIN player AS b ON a.team_id = b.team_id WHERE b.captain_id IS NULL AND a.height > b.height',
        'tall strikers': "SELECT name FROM player WHERE position = 'striker' AND height > 1.85",
      },
      same: [
        'SELECT a.name FROM player AS b JOIN player AS a ON b.player_id = a.captain_id AND b.height < a.height',
        'SELECT name FROM player AS a WHERE height > (SELECT b.height FROM player AS b WHERE b.player_id = a.captain_id)',
      ],
    },
    {
      gold: 'SELECT count(*) FROM game WHERE crowd BETWEEN 7000 AND 12000',
      wrong: {
        'the limits left out': 'SELECT count(*) FROM game WHERE crowd > 7000 AND crowd < 12000',
        'another upper limit': 'SELECT count(*) FROM game WHERE crowd BETWEEN 7000 AND 12500',
        'few goals': 'SELECT count(*) FROM game WHERE crowd > 7000 AND home_goals <= 3 AND away_goals <= 1',
        'counts crowds': 'SELECT count(DISTINCT crowd) FROM game WHERE crowd >= 7000 AND crowd <= 12000',
      },
      same: [
        'SELECT count(*) FROM game WHERE 12000 >= crowd AND crowd >= 7000',
        'SELECT count(crowd) FROM game WHERE NOT (crowd NOT BETWEEN 7000 AND 12000)',
      ],
    },
    {
      gold: 'SELECT city FROM team WHERE founded < 1950 UNION SELECT city FROM team WHERE capacity > 14000',
      wrong: {
        INTERSECT: 'SELECT city FROM team WHERE founded < 1950 INTERSECT SELECT city FROM team WHERE capacity > 14000',
        'only one of them': 'SELECT DISTINCT city FROM team WHERE capacity > 14000',
        'cities twice': 'SELECT city FROM team WHERE founded < 1950 OR capacity > 14000',
        AND: 'SELECT DISTINCT city FROM team WHERE founded < 1950 AND capacity > 14000',
      },
      same: [
        'SELECT city FROM team WHERE capacity > 14000 UNION SELECT city FROM team WHERE founded < 1950',
        'SELECT DISTINCT city FROM team WHERE founded < 1950 OR capacity > 14000',
      ],
    },
    {
      gold: 'SELECT name FROM player WHERE player_id NOT IN (SELECT player_id FROM goal)',
      wrong: {
        'captains but for defenders': "SELECT name FROM player WHERE captain_id IS NULL AND position <> 'defender'",
        'EXCEPT of names':
          'SELECT name FROM player EXCEPT SELECT p.name FROM player AS p JOIN goal AS g ON p.player_id = g.player_id',
        'after a while':
          'SELECT name FROM player WHERE player_id NOT IN (SELECT player_id FROM goal WHERE minute > 20)',
        'keepers and one more': "SELECT name FROM player WHERE position = 'keeper' OR name = 'Imhof'",
      },
      same: [
        'SELECT p.name FROM player AS p LEFT JOIN goal AS g ON p.player_id = g.player_id WHERE g.minute IS NULL',
        'SELECT p.name FROM player AS p WHERE NOT EXISTS (SELECT g.minute FROM goal AS g WHERE g.player_id = p.player_id)',
      ],
    },
    {
      gold: 'SELECT t.stadium, avg(g.crowd) FROM team AS t JOIN game AS g ON t.team_id = g.home_id GROUP BY t.team_id HAVING avg(g.crowd) > 9000',
      wrong: {
        'every crowd':
          'SELECT t.stadium, avg(g.crowd) FROM team AS t JOIN game AS g ON t.team_id = g.home_id GROUP BY t.team_id HAVING min(g.crowd) > 9000',
        'WHERE for HAVING':
          'SELECT t.stadium, avg(g.crowd) FROM team AS t JOIN game AS g ON t.team_id = g.home_id WHERE g.crowd > 9000 GROUP BY t.team_id',
        'groups by stadium':
          'SELECT t.stadium, avg(g.crowd) FROM team AS t JOIN game AS g ON t.team_id = g.home_id GROUP BY t.stadium HAVING avg(g.crowd) > 9000',
        'large stadiums':
          'SELECT t.stadium, avg(g.crowd) FROM team AS t JOIN game AS g ON t.team_id = g.home_id WHERE t.capacity > 10000 GROUP BY t.team_id',
      },
      same: [
        'SELECT t.stadium, avg(g.crowd) FROM team AS t JOIN game AS g ON t.team_id = g.home_id GROUP BY t.team_id, t.stadium HAVING avg(g.crowd) > 9000',
        'SELECT stadium, crowd FROM (SELECT t.stadium AS stadium, avg(g.crowd) AS crowd FROM game AS g JOIN team AS t ON g.home_id = t.team_id GROUP BY t.name) WHERE crowd > 9000',
      ],
    },
    {
      gold: "SELECT strftime('%m', played), count(*) FROM game GROUP BY strftime('%m', played) ORDER BY strftime('%m', played)",
      wrong: {
        'counts crowds':
          "SELECT strftime('%m', played), count(DISTINCT crowd) FROM game GROUP BY strftime('%m', played) ORDER BY strftime('%m', played)",
        'by the smallest crowd':
          "SELECT strftime('%m', played), count(*) FROM game GROUP BY strftime('%m', played) ORDER BY min(crowd) DESC",
        'one year only':
          "SELECT strftime('%m', played), count(*) FROM game WHERE strftime('%Y', played) = '2023' GROUP BY strftime('%m', played) ORDER BY strftime('%m', played)",
        'by the number of games':
          "SELECT strftime('%m', played), count(*) FROM game GROUP BY strftime('%m', played) ORDER BY count(*)",
      },
      same: ["SELECT strftime('%m', played) AS month, count(1) FROM game GROUP BY month ORDER BY month ASC"],
    },
    {
      gold: "SELECT name, CASE WHEN height >= 1.9 THEN 'tall' WHEN height >= 1.8 THEN 'medium' ELSE 'short' END FROM player",
      wrong: {
        'from below':
          "SELECT name, CASE WHEN height < 1.8 THEN 'short' WHEN height < 1.9 THEN 'medium' ELSE 'tall' END FROM player",
        'keepers are tall':
          "SELECT name, CASE WHEN position = 'keeper' THEN 'tall' WHEN height >= 1.8 THEN 'medium' ELSE 'short' END FROM player",
        'a gap':
          "SELECT name, CASE WHEN height >= 1.9 THEN 'tall' WHEN height BETWEEN 1.8 AND 1.89 THEN 'medium' ELSE 'short' END FROM player",
      },
      same: [
        "SELECT p.name, CASE WHEN p.height >= 1.9 THEN 'tall' WHEN p.height >= 1.8 THEN 'medium' ELSE 'short' END FROM player AS p",
        "SELECT name, CASE WHEN 1.9 <= height THEN 'tall' WHEN height >= 1.8 AND height < 1.9 THEN 'medium' ELSE 'short' END FROM player",
      ],
    },
    {
      gold: 'SELECT position, max(height) FROM player GROUP BY position HAVING count(*) > 1',
      wrong: {
        'no HAVING': 'SELECT position, max(height) FROM player GROUP BY position',
        'of several teams':
          'SELECT position, max(height) FROM player GROUP BY position HAVING count(DISTINCT team_id) > 1',
        'of different height':
          'SELECT position, max(height) FROM player GROUP BY position HAVING max(height) > min(height)',
      },
      same: [
        'SELECT position, max(height) FROM player GROUP BY position HAVING 1 < count(*)',
        'SELECT p.position, max(p.height) FROM player AS p GROUP BY p.position HAVING NOT count(p.player_id) <= 1',
      ],
    },
  ],
};
