SELECT count(*) FROM gardener WHERE home_country = 'Portugal'
SELECT seed_price , common_name FROM plant WHERE days_to_maturity < 80 ORDER BY seed_price
SELECT soil_type , avg(monthly_rent) , max(monthly_rent) FROM plot GROUP BY soil_type
SELECT plot.plot_name , plot.plot_area FROM plot JOIN gardener ON plot.gardener_id = gardener.gardener_id WHERE gardener.join_date > '2019-01-01'
SELECT T1.full_name , count(*) FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id GROUP BY T1.gardener_id HAVING count(*) > 1
SELECT T1.common_name FROM plant AS T1 JOIN harvest AS T2 ON T1.plant_id = T2.plant_id WHERE T2.harvest_date LIKE '2023%' GROUP BY T1.common_name ORDER BY sum(T2.harvest_weight) DESC LIMIT 1
SELECT common_name , origin_region FROM plant WHERE plant_id NOT IN (SELECT plant_id FROM harvest)
SELECT home_country FROM gardener WHERE birth_year < 1970 INTERSECT SELECT home_country FROM gardener WHERE birth_year > 1985
SELECT T1.full_name FROM gardener AS T1 JOIN plot AS T2 ON T1.gardener_id = T2.gardener_id

SELECT count(DISTINCT Nationality) FROM Potter
SELECT KilnName , MaxTemperature FROM Kiln WHERE FuelType = 'gas' AND PurchaseYear <= 2015
SELECT FullName , BirthDate FROM Potter ORDER BY MonthlySalary DESC LIMIT 5
SELECT T2.Title , T2.Price FROM Potter AS T1 JOIN Piece AS T2 ON T1.PotterId = T2.PotterId WHERE T1.Nationality = "Japanese" AND T2.ClayType = 'stoneware'
SELECT PaymentMethod , count(*) , avg(AmountPaid) FROM Sale GROUP BY PaymentMethod
SELECT KilnName FROM Kiln WHERE KilnId = (SELECT KilnId FROM Piece GROUP BY KilnId ORDER BY count(*) DESC LIMIT 1)
SELECT Title FROM Piece EXCEPT SELECT T1.Title FROM Piece AS T1 JOIN Sale AS T2 ON T1.PieceId = T2.PieceId
SELECT T1.FullName , sum(T3.AmountPaid) FROM Potter AS T1 JOIN Piece AS T2 ON T1.PotterId = T2.PotterId JOIN Sale AS T3 ON T2.PieceId = T3.PieceId GROUP BY T1.PotterId HAVING sum(T3.AmountPaid) > 200
SELECT Hometown FROM Potter WHERE HireDate < '2012-01-01' UNION SELECT T1.Birthplace FROM Potter AS T1 JOIN Piece AS T2 ON T1.PotterId = T2.PotterId WHERE T2.Height > 50
Which buyers? SELECT BuyerName FROM Sale
SELECT avg("Ticket Price") FROM Sky_Show WHERE "Narration Language" = 'Spanish'
SELECT "Dome Name" , "Projector Model" FROM Dome WHERE "Total Seats" >= 100 AND "Total Seats" <= 200
SELECT * FROM Dome ORDER BY "Opening Date" DESC LIMIT 1
SELECT "Narration Language" , count(*) , max("Running Time") FROM Sky_Show GROUP BY "Narration Language"
SELECT T1."Presenter Name" , T2."Visitor Count" FROM Presenter AS T1 , Session AS T2 WHERE T1."Presenter ID" = T2."Presenter ID" AND T2."Session Date" = '2023-07-15'
SELECT T1."Show Title" FROM Sky_Show AS T1 JOIN Session AS T2 ON T1."Show ID" = T2."Show ID" GROUP BY T1."Show ID" HAVING avg(T2."Guest Rating") >= 4.5
SELECT "Presenter Name" , "Home Country" FROM Presenter WHERE "Presenter ID" NOT IN (SELECT "Presenter ID" FROM Session)
SELECT "Presenter Name" , "Hourly Wage" FROM Presenter WHERE "Years of Experience" < 5 AND "Hourly Wage" > (SELECT avg("Hourly Wage") FROM Presenter)
SELECT T1."Presenter Name" FROM Presenter AS T1 JOIN Session AS T2 ON T1."Presenter ID" = T2."Presenter ID"
SELECT T1."City" FROM Dome AS T1 JOIN Session AS T2 ON T1."Dome ID" = T2."Dome ID" JOIN Sky_Show AS T3 ON T2."Show ID" = T3."Show ID" WHERE T3."Release Date" > '2018-12-31' GROUP BY T1."City" ORDER BY sum(T2."Visitor Count") DESC LIMIT 1
