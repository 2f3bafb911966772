SELECT count(*) FROM gardener WHERE home_country = 'Portugal'	community_garden
SELECT common_name , seed_price FROM plant WHERE days_to_maturity < 80 ORDER BY seed_price ASC	community_garden
SELECT soil_type , avg(monthly_rent) , max(monthly_rent) FROM plot GROUP BY soil_type	community_garden
SELECT T2.plot_name , T2.plot_area FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id WHERE T1.join_date > '2019-01-01'	community_garden
SELECT T1.full_name , count(*) FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id GROUP BY T1.gardener_id HAVING count(*) >= 2	community_garden
SELECT T1.plant_family FROM plant AS T1 JOIN harvest AS T2 ON T1.plant_id = T2.plant_id WHERE T2.harvest_date LIKE '2023%' GROUP BY T1.plant_family ORDER BY sum(T2.harvest_weight) DESC LIMIT 1	community_garden
SELECT common_name , origin_region FROM plant WHERE plant_id NOT IN (SELECT plant_id FROM harvest)	community_garden
SELECT home_country FROM gardener WHERE birth_year < 1970 INTERSECT SELECT home_country FROM gardener WHERE birth_year > 1985	community_garden
SELECT T1.full_name , T2.plot_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id JOIN harvest AS T3 ON T2.plot_id = T3.plot_id WHERE T3.quality_grade = "A" ORDER BY T3.harvest_weight DESC LIMIT 1	community_garden
SELECT avg(annual_fee) FROM gardener WHERE is_volunteer = 1 AND gardener_id IN (SELECT gardener_id FROM plot WHERE sunlight_hours > (SELECT avg(sunlight_hours) FROM plot))	community_garden
SELECT count(DISTINCT Nationality) FROM Potter	pottery_studio
SELECT KilnName , MaxTemperature FROM Kiln WHERE FuelType = 'gas' AND PurchaseYear < 2015	pottery_studio
SELECT FullName , BirthDate FROM Potter ORDER BY MonthlySalary DESC LIMIT 3	pottery_studio
SELECT T2.Title , T2.Price FROM Potter AS T1 JOIN Piece AS T2 ON T1.PotterId = T2.PotterId WHERE T1.Nationality = "Japanese" AND T2.ClayType = 'stoneware'	pottery_studio
SELECT PaymentMethod , count(*) , avg(AmountPaid) FROM Sale GROUP BY PaymentMethod	pottery_studio
SELECT T1.KilnName FROM Kiln AS T1 JOIN Piece AS T2 ON T1.KilnId = T2.KilnId GROUP BY T1.KilnId ORDER BY count(*) DESC LIMIT 1	pottery_studio
SELECT Title FROM Piece EXCEPT SELECT T1.Title FROM Piece AS T1 JOIN Sale AS T2 ON T1.PieceId = T2.PieceId	pottery_studio
SELECT T1.FullName , sum(T3.AmountPaid) FROM Potter AS T1 JOIN Piece AS T2 ON T1.PotterId = T2.PotterId JOIN Sale AS T3 ON T2.PieceId = T3.PieceId GROUP BY T1.PotterId HAVING sum(T3.AmountPaid) > 200	pottery_studio
SELECT Hometown FROM Potter WHERE HireDate < '2012-01-01' UNION SELECT T1.Hometown FROM Potter AS T1 JOIN Piece AS T2 ON T1.PotterId = T2.PotterId WHERE T2.Height > 50	pottery_studio
SELECT T1.BuyerName , T1.SaleDate FROM Sale AS T1 JOIN Piece AS T2 ON T1.PieceId = T2.PieceId WHERE T2.KilnId IN (SELECT KilnId FROM Kiln WHERE Capacity > (SELECT avg(Capacity) FROM Kiln))	pottery_studio
SELECT avg("Ticket Price") FROM Sky_Show WHERE "Narration Language" = 'Spanish'	planetarium
SELECT "Dome Name" , "Projector Model" FROM Dome WHERE "Total Seats" BETWEEN 100 AND 200	planetarium
SELECT * FROM Dome ORDER BY "Opening Date" DESC LIMIT 1	planetarium
SELECT "Narration Language" , count(*) , max("Running Time") FROM Sky_Show GROUP BY "Narration Language"	planetarium
SELECT T1."Presenter Name" , T2."Visitor Count" FROM Presenter AS T1 JOIN Session AS T2 ON T1."Presenter ID" = T2."Presenter ID" WHERE T2."Session Date" = '2023-07-15'	planetarium
SELECT T1."Show Title" FROM Sky_Show AS T1 JOIN Session AS T2 ON T1."Show ID" = T2."Show ID" GROUP BY T1."Show ID" HAVING avg(T2."Guest Rating") > 4.5	planetarium
SELECT "Presenter Name" , "Home Country" FROM Presenter WHERE "Presenter ID" NOT IN (SELECT "Presenter ID" FROM Session)	planetarium
SELECT "Presenter Name" , "Hourly Wage" FROM Presenter WHERE "Years of Experience" < 5 AND "Hourly Wage" > (SELECT avg("Hourly Wage") FROM Presenter)	planetarium
SELECT T1."Presenter Name" FROM Presenter AS T1 JOIN Session AS T2 ON T1."Presenter ID" = T2."Presenter ID" JOIN Dome AS T3 ON T2."Dome ID" = T3."Dome ID" WHERE T3."Dome Name" = 'Aurora Dome' INTERSECT SELECT T1."Presenter Name" FROM Presenter AS T1 JOIN Session AS T2 ON T1."Presenter ID" = T2."Presenter ID" JOIN Dome AS T3 ON T2."Dome ID" = T3."Dome ID" WHERE T3."Dome Name" = 'Polaris Dome'	planetarium
SELECT T1."City" FROM Dome AS T1 JOIN Session AS T2 ON T1."Dome ID" = T2."Dome ID" JOIN Sky_Show AS T3 ON T2."Show ID" = T3."Show ID" WHERE T3."Release Date" > '2018-12-31' GROUP BY T1."City" ORDER BY sum(T2."Visitor Count") DESC LIMIT 1	planetarium
