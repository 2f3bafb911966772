/**
 * Synonyms for the general vocabulary of databases, which a general dictionary lacks or words differently; written by
 * hand from experience with schemas, no data set consulted.
 *
 * One group per line, base forms, members between bars. A member marked `>` is only proposed, never looked up (it means
 * more than the group elsewhere); one marked `<` is only looked up (an abbreviation). `head:`, `whole:` and `modifier:`
 * before a group say where in a name it holds: a `head` group also holds for a name that is that word alone.
 */

/** Nouns and noun phrases. */
export const NOUN_GROUPS = `
first name | given name | forename | <fname | <firstname
last name | surname | family name | <lname | <lastname
full name | complete name
user name | username | login name
maiden name | name before marriage
date of birth | birth date | birthdate | <dob | <birthday
place of birth | birthplace | birth place
year of birth | birth year
country of birth | birth country
city of birth | birth city
date of death | death date
place of death | death place
year of death | death year
cause of death | death cause | reason for death
gender | sex
nationality | citizenship
hometown | home town | >town of origin | >place of origin
marital status | marriage status
spouse | marriage partner
religion | faith | religious affiliation
ethnicity | ethnic group | ethnic background
native language | mother tongue | first language
whole: age | >years of age | >age in years
whole: height | >tallness
occupation | profession | >line of work
whole: job | occupation | >position held
job title | position title
hobby | pastime | leisure activity
phone number | telephone number | contact number | <phone no
head: phone | telephone | phone number | telephone number
mobile number | mobile phone number | cell phone number | cell number
mobile phone | cell phone | cellphone
fax number | facsimile number | fax
email | email address | electronic mail address | <e-mail
email address | email | electronic mail address
home address | residential address | address of residence
mailing address | postal address | correspondence address
zip code | postal code | postcode | <zipcode | <zip
web site | website | internet site
url | web address
web page | webpage
contact person | point of contact
salary | pay | wage | remuneration
hire date | date of hire | hiring date | date hired
years of service | service years | length of service in years
years of experience | experience in years
working hour | work hour | hour of work
job description | description of job
department head | head of department
number of employees | employee count | staff count | headcount | number of staff
department | >division | <dept
employee | staff member | worker
head office | headquarters | main office
company | firm
chief executive officer | chief executive | <ceo
chairman | chairperson | >chair
shareholder | stockholder
lawyer | attorney
whole: industry | >industrial sector | >line of business
lead actor | leading actor
lead actress | leading actress
last login | latest login | most recent login
available date | date available
lead singer | lead vocalist
teacher | instructor | educator
student | >learner
professor | >faculty member
credit hour | >course credit
grade point average | gpa
tuition fee | tuition | tuition cost
field of study | area of study | subject of study
whole: major | field of study | main subject
enrollment | number enrolled | >number of enrollees
advisor | adviser
student id | >student identifier | >student identification number
whole: price | cost
total price | total cost | overall price
total cost | total price | overall cost
unit price | price per unit | unit cost | cost per unit
selling price | sales price | >price of sale
discount | price reduction
quantity | >amount | <qty
head: amount | >sum | <amt
head: total | total amount | >sum total
invoice | bill
customer | client
supplier | vendor | >provider
manufacturer | maker | >producer
product | >item
head: brand | brand name
quantity in stock | stock quantity | quantity on hand | inventory quantity
stock level | inventory level | level of stock
warehouse | storehouse | >storage facility
shop | store
shipping address | delivery address | address for delivery
shipping date | ship date | shipment date | dispatch date | date shipped
delivery date | date of delivery | date delivered
shipping cost | delivery cost | shipping charge | cost of shipping
shipping method | delivery method | method of shipping
payment method | method of payment | means of payment | payment mode
payment date | date of payment | date paid
due date | date due | >deadline
order date | date of order | date ordered | ordering date
purchase date | date of purchase | date purchased | date bought
sale date | date of sale | date sold
purchase price | price paid | >purchasing price
whole: revenue | >turnover | >gross income
whole: profit | >earnings | >gain
whole: income | >earnings
expense | expenditure
head: fee | charge
loan amount | amount of loan | amount borrowed
interest rate | rate of interest
exchange rate | rate of exchange | currency rate
market value | market worth
account balance | balance of account
whole: currency | >monetary unit
warranty | guarantee
refund | reimbursement
coupon | voucher
donor | contributor
donation | contribution
sponsor | backer
prize money | cash prize | >winnings
start date | starting date | beginning date | date of start | commencement date
end date | ending date | finish date | date of end | >closing date
start time | starting time | beginning time
end time | ending time | finish time | finishing time
start year | starting year | beginning year
end year | ending year | >final year
whole: date | >calendar date
whole: year | >calendar year
whole: month | >calendar month
whole: time | >time of day
whole: duration | >length of time | >time span | >time length
timestamp | time stamp
release date | date of release | date released | >launch date
release year | year of release | year released
publication date | date of publication | publishing date | date published
publication year | year of publication | publishing year | year published
creation date | date of creation | date created
modification date | date of modification | date modified
last update | latest update | most recent update
expiration date | expiry date | date of expiration | date of expiry
founding date | date founded | date of foundation | date established
founding year | year founded | year of foundation | year established | foundation year | <founded year
opening date | date of opening | date opened
opening year | year of opening | year opened
closing date | date of closing | date closed
closing year | year of closing | year closed
opening hour | business hour | hour of operation
construction year | year built | year of construction | year constructed | <built year
completion date | date of completion | date completed
graduation year | year of graduation
registration date | date of registration | date registered
enrollment date | date of enrollment | date enrolled
joining date | date joined | date of joining | <join date
manufacturing date | date of manufacture | production date
admission date | date of admission | date admitted
discharge date | date of discharge | date discharged
departure time | time of departure | >leaving time
departure date | date of departure | >leaving date
issue date | date of issue | date issued
submission date | date of submission | date submitted
approval date | date of approval | date approved
booking date | date of booking | reservation date | date booked
reservation | booking
whole: location | >place | >site
head: country | nation
country of origin | origin country | >home country
whole: region | >area | >geographical region
population | number of inhabitants | number of residents | >inhabitant count
population density | density of population | inhabitants per unit area
elevation | altitude
width | breadth
head: velocity | speed
whole: area | >surface area
gdp | gross domestic product
life expectancy | expected lifespan | >average life expectancy
form of government | government form | type of government | system of government
time zone | timezone
head: floor | >storey
number of floors | floor count | number of storeys | >number of stories
apartment | flat
room type | type of room | kind of room | room category
seating capacity | number of seats | seat count
film | movie | motion picture
movie | film | motion picture
movie title | title of movie | film title | movie name
film title | title of film | movie title | film name
song title | title of song | song name | name of song
book title | title of book | book name | name of book
album title | title of album | album name
singer | vocalist
music genre | musical genre | genre of music | type of music
genre | >style
author | writer
publisher | publishing house | publishing company
page count | number of pages
running time | run time | runtime | >duration
episode title | title of episode | episode name
number of viewers | viewer count | >audience size
whole: rating | >score
reviewer | >critic
picture | photo | photograph
photo | photograph | picture
image | >picture
team | squad
head coach | chief coach | main coach
winner | victor
opponent | rival | adversary
rank | ranking | >standing
match | game
tournament | competition | contest
stadium | arena | >sports stadium
attendance | number of attendees | number of people attending
whole: venue | event location
jersey number | shirt number | number on jersey
host country | hosting country | host nation
host city | hosting city
goals scored | scored goals | number of goals scored
points scored | number of points scored
home team | home side
away team | visiting team | >guest team
airline | air carrier | airline company
airplane | plane | aeroplane
flight destination | destination of flight
destination | >travel destination
source airport | departure airport | origin airport | airport of departure
destination airport | arrival airport | airport of arrival
departure city | city of departure | origin city
whole: origin | place of origin
car | automobile
license plate | license plate number | registration plate | number plate
fuel type | type of fuel | kind of fuel
fuel economy | fuel efficiency | <mpg
engine | motor
train station | railway station | railroad station
passenger | traveler
ship | vessel
ticket price | ticket cost | price of ticket | cost of ticket | admission price | price of admission
doctor | physician
disease | illness
medication | medicine
dosage | dose
treatment | therapy
surgery | surgical procedure
blood type | blood group
side effect | adverse effect
vaccination | immunization
head: description | >details | <desc
whole: description | >explanation
head: type | kind | category
head: category | type
whole: status | >current state | >current status
whole: topic | >subject
whole: mileage | >distance traveled
political stance | political position
cast member | member of cast
emergency contact | >emergency contact person
best time | fastest time
age group | age bracket
field position | playing position
education level | level of education
difficulty level | level of difficulty
pollution level | level of pollution
risk level | level of risk
danger level | level of danger
noise level | level of noise
experience level | level of experience
skill level | level of skill
remark | comment | >note
comment | remark
whole: reason | >rationale
purpose | aim | objective
objective | purpose | aim
result | outcome
measurement unit | unit of measurement | measuring unit
head: percentage | percent | <pct
ratio | proportion
head: average | mean | <avg
head: maximum | >highest value | <max
head: minimum | >lowest value | <min
file name | filename | name of file
file size | size of file
file type | type of file | file format
operating system | os
browser | web browser
identification number | id number
political party | party
whole: party | political party | >party affiliation
number of votes | vote count | votes received
candidate | >contender
number of children | child count | number of kids
owner | proprietor
tenant | renter
guest | >visitor
rent | rental cost | >rental fee
restaurant | eatery
flavor | taste
beverage | drink
cuisine | style of cooking | cooking style
calorie | >calorie content
lifespan | life span | length of life
wind speed | speed of wind | wind velocity
rainfall | amount of rain
shape | form
trip | journey
luggage | baggage
award | >prize
birth name | name at birth
registration number | registration no | >number of registration
serial number | >serial no
house number | >number of house
street name | name of street
reference number | >reference no
grade level | level of grade | >school grade
class size | number of students in class
error message | message of error
maximum capacity | capacity limit | >maximum number of people
minimum age | lowest age | >age limit from below
age limit | limit of age
number of awards | award count | awards received
shoe size | size of shoe
budget year | fiscal year | financial year
net profit | net income | net earnings
gross profit | gross earnings
bank account number | number of bank account
credit limit | limit of credit
insurance company | insurer | insurance provider
leave date | date of leaving | leaving date
`;

/** Words whose other meanings crowd a general dictionary: in a column name they stay as they are. */
export const PLAIN_NOUNS = `
name | number | code | day | week | hour | minute | value | level | unit | rate | order | item | list | line | point | note | title | index | key |
label | group | record | field | table | row | column | set | section | part | version | state | city | county | province | district | territory |
address | street | road | room | building | house | school | college | university | campus | semester | term | grade | degree | credit | subject |
lesson | manager | supervisor | director | player | coach | captain | goal | score | round | season | lap | race | medal | record | position | role |
party | election | vote | mayor | governor | president | bank | account | balance | transaction | loan | deposit | policy | claim | interest | tax |
share | stock | budget | asset | branch | member | user | person | man | woman | child | parent | father | mother | family | patient | nurse | case |
hospital | condition | test | service | event | festival | concert | conference | show | program | channel | station | stop | route | platform |
driver | crew | flight | trip | ticket | seat | class | model | make | engine | weight | length | depth | size | color | material | distance | capacity |
temperature | animal | pet | breed | species | plant | crop | dish | meal | recipe | ingredient | wine | menu | song | album | artist | band | track |
actor | character | book | page | chapter | edition | copy | library | magazine | paper | article | journal | topic | theme | document | file |
format | language | password | session | message | post | host | network | system | device | computer | project | task | job | contract | agency |
agent | founder | partner | investor | series | episode | cast | plot | set | store | market | sector | industry | business | organization |
institution | association | league | club | division | conference | draft | pick | yard | run | hit | home | base | life | world | area | region |
mountain | river | lake | island | bridge | park | museum | capital | stage | mission | rocket | ship | weapon | battle | war | army | frequency |
speed | power | energy | memory | storage | processor | screen | camera | tower | floor | wall | door | window | apartment | tour | guide | hotel |
thousand | million | billion | water | food | course | education | training | painting | exhibition | farmer | soil | insurance | finish | origin | variety | visitor | fee | cover | damage | injury | content | duration | style | venue | height | rating | status | reason | price | cost | drug | cell | gene | protein | sample | experiment | trial | study | research | grant | fund | fee | cause | crime | victim | court |
judge | law | act | bill | issue | question | answer | response | survey | feedback | review | entry | location | time | date | month | year | age
`;

/** Adjectives and nouns before the head. */
export const MODIFIER_GROUPS = `
average | mean | <avg
maximum | highest | maximal | <max
minimum | lowest | minimal | <min
total | overall
current | present
previous | prior | preceding
next | following
initial | starting
main | principal | primary
annual | yearly
yearly | annual
estimated | approximate
additional | extra
worldwide | global
required | needed | necessary
expected | anticipated
favorite | preferred
distinct | unique
latest | most recent
entire | whole
domestic | >national
correct | right
incorrect | wrong
large | big
small | little
fast | quick
monetary | financial
vacant | unoccupied
automatic | automated
yearlong | year-long
residential | housing
nearby | neighboring
nearest | closest
closest | nearest
`;

/** Modifiers that stay as they are. */
export const PLAIN_MODIFIERS = `
first | last | second | third | middle | final | official | public | private | common | scientific | full | half | short | long | high | low | top |
new | old | open | closed | free | net | gross | real | actual | local | foreign | international | national | regional | general | special |
standard | regular | normal | active | available | valid | medical | legal | social | digital | physical | natural | human | male | female |
single | double | multiple | daily | weekly | monthly | quarterly | hourly | primary | secondary | head | chief | senior | junior | good | bad |
best | worst | postal | personal | permanent | temporary | unique | overall | other | same | major | minor | white | black | red | green | blue |
original | alternative | default | related | fair | home | away | key | live | round | square | fixed | native | right | left | light | dark | hard | soft
`;

/** Participles after or before a noun, as they stand. */
export const PARTICIPLE_GROUPS = `
founded | established
built | constructed
purchased | bought
hired | employed | >recruited
completed | finished
shipped | dispatched
assigned | allocated
awarded | granted
enrolled | registered
located | situated
produced | manufactured
modified | changed | altered
launched | >introduced
needed | required
created | >generated
received | >obtained
removed | deleted
canceled | called off
reserved | booked
shown | displayed
owned | >possessed
`;

/** Participles that stay as they are. */
export const PLAIN_PARTICIPLES = `
born | died | opened | closed | paid | sold | won | lost | played | scored | written | directed | elected | joined | left | updated | ordered |
delivered | approved | used | issued | held | made | taken | given | married | retired | starring | running | working | living | ranking | rating |
building | meeting | training | opening | closing | shipping | parking | banking | engineering | marketing | manufacturing | drawn | tied | served |
released | recorded | invoiced | cited | admitted | treated | tested | spoken | published | printed | graduated | certified | insured | covered | secured
`;
