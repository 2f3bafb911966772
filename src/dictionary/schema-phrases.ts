/**
 * Further names that mean the same in a schema, in the form in which they stand: whole column names and fixed phrases
 * whose words can't be replaced one by one. Written by hand; which names lacked a synonym was read off the schemas of
 * Spider's training databases. Groups are written as in `schema-synonyms.ts`, but are not inflected.
 */

export const PHRASE_GROUPS = `
whole: position | >position held
whole: score | >points scored | >score achieved
whole: points | score | number of points | points earned | total points
whole: grade | mark | >grade received
whole: capacity | >maximum occupancy | >maximum capacity
whole: length | >total length
whole: password | >pass code | >login password
whole: room | >room name | >room number
room number | <room no | number of room
whole: building | >building name | name of building
whole: district | >district name | name of district
whole: county | >county name | name of county
whole: latitude | >degrees of latitude | >geographic latitude
whole: longitude | >degrees of longitude | >geographic longitude
latitude and longitude | geographic coordinates
whole: votes | number of votes | votes received | vote count | >ballots received
votes received | number of votes
whole: balance | >remaining balance | >current balance | account balance
whole: budget | >allocated budget | >funds available | >available funds
whole: color | colour | >shade
whole: colors | colours
whole: credits | credit hours | number of credits | >credits earned
whole: role | function | >role played
whole: season | >season of year | >sports season | >season name
whole: wins | victories | number of wins | games won | matches won
whole: losses | defeats | number of losses | games lost | matches lost
whole: ties | draws | number of draws | games tied
whole: tie | draw
whole: gold | gold medals | number of gold medals | gold medal count
whole: silver | silver medals | number of silver medals | silver medal count
whole: bronze | bronze medals | number of bronze medals | bronze medal count
gold medals | number of gold medals | gold medal count | golds won
silver medals | number of silver medals | silver medal count | silvers won
bronze medals | number of bronze medals | bronze medal count | bronzes won
whole: medals | number of medals | medal count | medals won
whole: total | overall total | sum | total amount | grand total
whole: active | >is active | >currently active
whole: available | >is available | >availability
whole: hours | number of hours | hour count | >hours worked
hours worked | working hours | number of hours worked | work hours
hours per week | weekly hours | number of hours per week | hours each week
whole: notes | remarks | comments | >annotations
whole: remarks | notes | comments
whole: comments | remarks | notes
whole: details | information | particulars
other details | further details | additional details | other information | more details | additional information
whole: theme | subject | topic | >central theme
whole: languages | >spoken languages | >languages spoken
language | tongue | >spoken language
whole: keyword | search term | key word | >index term
whole: label | record label | >tag
record label | music label | record company | record publisher
whole: park | >ball park | >park name
whole: capital | capital city | >seat of government
capital city | capital | >seat of government
whole: college | university | >college attended | college name
college | university
university | college
whole: continent | >continent name | >land mass
whole: event | >event name | name of event
whole: events | >happenings
whole: song | track | song title | tune
whole: songs | tracks | tunes | number of songs
whole: day | >day of month | >weekday
day of week | weekday | day of the week | >name of day
time of day | time | >daytime
whole: start | beginning | start time | >starting point
whole: end | ending | end time | finish
start hour | starting hour | beginning hour | hour of start
end hour | ending hour | closing hour | hour of end
start minute | starting minute | minute of start
end minute | ending minute | minute of end
date from | start date | from date | valid from | beginning date | date of start
date to | end date | to date | valid until | ending date | date of end
from date | start date | date from | beginning date
to date | end date | date to | ending date
<start from | starting from | start date | begins from
date valid from | valid from date | validity start date | start of validity
date valid to | valid to date | validity end date | end of validity | valid until
active from date | active since | activation date | active starting date
active to date | active until | deactivation date | active ending date
effective date | date effective | date in force | effective from
open date | opening date | date opened | date of opening
open year | opening year | year opened | year of opening
<openning year | opening year | year opened
opened | opening date | date opened
close date | closing date | date closed
join date | date joined | joining date | date of joining
join year | year joined | joining year | year of joining
<joined year | year joined | joining year | year of joining
move in date | date moved in | moving in date
move in year | year moved in | moving in year
<register year | registration year | year registered | year of registration
create date | creation date | date created | date of creation
create time | creation time | time created
sent date | date sent | sending date | date of sending
status date | date of status | >status as of date
first elected | year first elected | first election year | >first year elected
in office | currently in office | holding office | >term of office
took office | assumed office | entered office | start of term
left office | end of term | departed office | stepped down
term start | start of term | beginning of term
term end | end of term
year of work | years worked | years of service | >working years
years working | years worked | years of work | number of years worked
year working | years worked | number of years worked | >working year
years of work | years worked | working years
working year starts | start year of work | year work started
<birth day | day of birth
<birth month | month of birth
birth year | year of birth
<death day | day of death
<death month | month of death
death year | year of death
arrival | arrival time | time of arrival
arrival time | time of arrival | arriving time
arrival date | date of arrival | >arriving date
check in | check in date | arrival date | date of arrival
check out | check out date | departure date | date of departure
<checkin | check in
<checkout | check out
whole: adults | number of adults | adult count | adult guests
whole: kids | children | number of kids | number of children
whole: children | kids | number of children
whole: beds | number of beds | bed count
bed type | type of bed | kind of bed
max occupancy | maximum occupancy | maximum number of guests | >guest limit
base price | starting price | basic price | base rate | base cost
whole: rate | charge | price rate
whole: decor | decoration | interior design | decor style
whole: seats | number of seats | seat count | >seats available
whole: seating | number of seats | seating capacity
whole: stay | >length of stay
whole: precipitation | rainfall | amount of precipitation | precipitation amount
high temperature | highest temperature | maximum temperature | >daily high
low temperature | lowest temperature | minimum temperature | >daily low
max temperature | maximum temperature | highest temperature
min temperature | minimum temperature | lowest temperature
mean temperature | average temperature
mean humidity | average humidity
mean visibility | average visibility
cloud cover | cloudiness | cloud coverage
wind direction | direction of wind
jan | january
feb | february
mar | march
apr | april
jun | june
jul | july
aug | august
sep | september
oct | october
nov | november
dec | december
whole: density | population density
city area | area of city | >urban area
land area | area of land
crime rate | rate of crime | >criminality rate
support rate | rate of support | approval rate | supporter share
consider rate | rate of consideration | share considering
oppose rate | opposition rate | rate of opposition | share opposed
unsure rate | undecided rate | share unsure | rate of undecided voters
poll source | source of poll | polling source
birth rate | rate of birth
death rate | mortality rate | rate of death
unemployment rate | rate of unemployment | jobless rate
growth rate | rate of growth
market share | share of market
rating in percent | percentage rating | rating percentage
share in percent | percentage share | share percentage
audience share | share of audience | viewer share
followers | number of followers | follower count
likes | number of likes | like count
whole: sales | sales figures | number of sales | units sold | sales volume
whole: profits | earnings | profit
whole: assets | total assets | >holdings
<sales billion | sales in billions | billions in sales
<profits billion | profit in billions | earnings in billions
<assets billion | assets in billions
<market value billion | market value in billions | market capitalization in billions
net worth | total wealth
amount due | amount owed | due amount | outstanding amount
amount paid | paid amount | sum paid
amount payment | payment amount | amount paid
amount of payment | payment amount | sum paid
money requested | amount requested | requested amount | funding requested
market rate | market price | going rate
price range | range of prices | >price class
price in dollars | dollar price | price in usd | cost in dollars
<price in dollar | price in dollars | dollar price | cost in dollars
price in euros | euro price | price in eur | cost in euros
price in pounds | price in gbp | cost in pounds
product price | price of product | item price | cost of product
replacement cost | cost of replacement | replacement price
rental rate | rate of rental | rental price | rental fee
rental duration | duration of rental | rental period | length of rental
monthly rental | monthly rent | rent per month
typical buying price | usual buying price | usual purchase price | typical purchase price
typical selling price | usual selling price | usual sale price | typical sale price
low estimate | lowest estimate | minimum estimate | low end estimate
high estimate | highest estimate | maximum estimate | high end estimate
credit score | credit rating
card number | number of card | <card no
card type | type of card | kind of card
account type | type of account | kind of account
account name | name of account
account details | account information | details of account
transaction type | type of transaction | kind of transaction
transaction date | date of transaction
transaction amount | amount of transaction | >sum transacted
share count | number of shares | shares held
loan type | type of loan | kind of loan
branch name | name of branch
credit card number | number of credit card
<no of customers | number of customers | customer count
<no of loans | number of loans | loan count
shipping agent | shipping company | carrier
street address | address line | >street and house number
address line | street address
address road | street address | street | road of address
full address | complete address | whole address
<city town | city or town | town or city
state province county | state or province or county | state or province
<county state province | county or state or province | state or province
<state county | state or county
location name | name of location | >place name
location code | code of location | >place code
company name | name of company | firm name | name of firm
common name | popular name | everyday name
official name | formal name
official language | formal language | state language
middle name | second given name | middle initial
personal name | given name | first name
<name first | >first name | >given name
<name last | >last name | >surname
<name given | >given name
<nick name | nickname
short name | abbreviated name | abbreviation
student name | name of student | pupil name
<fname | first name
<lname | last name
<bname | branch name
<dname | department name
<cname | course name
head name | name of head
whole: head | >head of department | >person in charge
mascot | >team mascot | >school mascot
street markets | street market
contact number | phone number | contact phone number | telephone number
staff name | name of staff member | employee name
staff id | employee id | staff member id
other staff details | other employee details | additional staff details
reports to | supervisor | direct superior | reporting to
manager name | name of manager | supervisor name
supervised by | supervisor | overseen by
directed by | director
written by | writer
organized by | organizer | host organization
hosted by | host
produced by | producer
managed by | manager
owned by | owner
designed by | designer
published by | publisher
music by | composer
narrated by | narrator
followed by | successor
preceded by | predecessor
<title aka | alternative title | also known as
original air date | first air date | original broadcast date | date first aired
air date | broadcast date | date aired | airing date
production code | code of production
number in season | episode number in season | number within season
number in series | episode number in series | number within series
us viewers | viewers in us | american viewers
viewers in millions | millions of viewers
weeks on top | weeks at number one | number of weeks on top | weeks at top
special features | bonus features | extras
budget in billions | billions of budget | >budget amount in billions
<gross in dollar | gross in dollars | gross earnings in dollars
<number employees | number of employees | employee count
<num employees | number of employees | employee count
ranking | rank | standing
<num in stock | number in stock | quantity in stock
<number cities | number of cities | city count
<number deaths | number of deaths | death count | fatalities | deaths
<number city affected | number of affected cities | number of cities affected
number of deaths | death count | fatalities | death toll
whole: deaths | fatalities | number of deaths | death toll
whole: killed | number killed | number of people killed | fatalities
whole: injured | number injured | number of people injured | injuries
whole: injury | >injury suffered | wound | >type of injury
dates active | active dates | period of activity | days active
<damage millions usd | damage in millions of dollars | damage in million usd
max speed | maximum speed | top speed
top speed | maximum speed | highest speed
speed knots | speed in knots
<length meters | length in meters | meters long
<length feet | length in feet | feet long
<height feet | height in feet
<height meters | height in meters
<area km | area in km
<distance km | distance in km
whole: tonnage | weight in tons | ship tonnage
whole: distance | >distance traveled | >total distance
whole: prominence | topographic prominence
whole: traverse | >crosses | >flows through
whole: train number | <train no
whole: origin | starting place | >origin city
whole: services | >services offered
local authority | local government | municipal authority
total passengers | number of passengers | passenger count | total number of passengers
annual entry exit | yearly entries and exits | annual entries and exits
annual interchanges | yearly interchanges
vehicle flight number | flight number of vehicle | >flight no
flight number | <flight no | >number of flight
call sign | callsign | radio call sign
source airport | airport of departure
aircraft | airplane | >aircraft name
aircraft movements | number of aircraft movements | flight movements
total cargo | cargo total | >freight total
fuel propulsion | type of propulsion | propulsion fuel
<power train | powertrain | drive train
fleet series | series of fleet | >fleet number
join status | status of joining
order year | year of order | year ordered
first year | initial year
last year | final year
final year | last year
<year join | year joined | joining year
from year | starting year | start year | since year
until year | end year | final year
hosts | host cities | >hosting cities
farm id | farm identifier
working horses | horses at work | draft horses
total horses | number of horses | horse count | total number of horses
whole: pigs | number of pigs | swine | pig count
whole: cows | number of cows | cattle | cow count
whole: bulls | number of bulls | bull count
sheep and goats | goats and sheep | number of sheep and goats
total cattle | number of cattle | cattle total
hectares | area in hectares
whole: character | role | role played | character name
whole: founder | founded by | established by | >person who founded it
whole: founded | founding year | year founded | year established | founding date
whole: built | year built | construction year | year of construction
whole: headquarter | headquarters | head office
headquarters | head office | main office | main headquarters
whole: studio | film studio | production studio
whole: affiliation | >organization affiliated with | membership
whole: enrollment | number of students | student enrollment | number enrolled
whole: undergraduate | undergraduate students | number of undergraduates
whole: graduate | graduate students | number of graduates
grade point | grade points
course credit | credits for course | credit hours of course
course description | description of course | class description
course title | title of course | class title
hours per day | daily hours
tuition | tuition fee | tuition cost
home games | games at home | number of home games
games played | matches played | number of games played | number of games
games won | matches won | number of games won | wins
player position | position of player | playing position
player name | name of player
draft pick number | draft selection number | draft pick
draft class | class of draft
years played | seasons played | playing years
whole: apps | appearances | number of appearances
whole: appearances | number of appearances | games appeared in
whole: goals | goals scored | number of goals
whole: goal | goals | goals scored
yes card | >yellow card
training hours | hours of training | practice hours
best finish | best result | highest finish
best ask | best asking price
days held | number of days held | days as champion
whole: reign | >title reign
whole: round | >stage of competition
whole: laps | number of laps | laps completed | lap count
fastest lap time | quickest lap time | best lap time
fastest lap | quickest lap | best lap
fastest lap speed | quickest lap speed | top lap speed
whole: grid | grid position | starting position
winning driver | victorious driver | driver who won
winning team | victorious team | team that won
winning pilot | victorious pilot | pilot who won
winning aircraft | victorious aircraft | aircraft that won
pole position | first grid position
track length | length of track
crossing | >crossing ability
interceptions | number of interceptions
tackles | number of tackles
overall rating | total rating | general rating
preferred foot | favored foot | dominant foot
attacking work rate | offensive work rate
defensive work rate | work rate in defense
vault points | points on vault | vault score
rings points | points on rings | rings score
floor exercise points | floor exercise score | points on floor exercise
horizontal bar points | horizontal bar score | points on horizontal bar
parallel bars points | parallel bars score | points on parallel bars
pommel horse points | pommel horse score | points on pommel horse
total points | overall points | points total | total score
<clean jerk | clean and jerk
whole: snatch | >snatch weight
market details | details of market | market information
trade name | brand name | commercial name
fda approved | approved by fda | fda approval
brand name | trade name | name of brand
allergy type | type of allergy | kind of allergy
whole: allergy | >allergic to | >allergic reaction
whole: appointment | >scheduled visit
whole: patient | >person treated
whole: nurse | nursing staff member
assisting nurse | assistant nurse | helping nurse | nurse assisting
<date undergoes | date of procedure | procedure date
primary affiliation | main affiliation
whole: <prescription | >prescribed drug
on call start | start of on call duty
on call end | end of on call duty
operating system | os | system software
connection | >network connection | link
software platform | platform of software | software environment
package version | version of package
hardware model name | name of hardware model | device model name
whole: device | >gadget | >piece of equipment
whole: slots | number of slots | slot count
whole: pixels | number of pixels | pixel count
whole: colours | colors | number of colors
ram mib | ram in mib | memory in mib
rom mib | rom in mib
memory in g | memory in gb | gigabytes of memory
screen mode | display mode
chip model | model of chip
launch year | year of launch | year launched
compatible since year | year of compatibility | compatible since | year compatible since
product id | item id | product identifier
product name | name of product | item name
product type | type of product | kind of product
product description | description of product | item description
product details | product information | details of product
product category | category of product
product color | color of product | item color
pages per minute color | color pages per minute | color pages each minute
max page size | maximum page size | largest page size
dimensions | measurements | >size
interface | >connection interface | user interface
value points | points of value | point value
machine series | series of machine
quality rank | rank of quality | quality ranking
whole: repair | >fix
fault description | description of fault | description of defect
fault status | status of fault | status of defect
part name | name of part | component name
chargeable amount | amount chargeable | billable amount
skill description | description of skill
skill code | code of skill
visit date | date of visit | date visited
visit details | details of visit | visit information
contact staff | contact person | staff contact
claim id | claim identifier
claim amount | amount of claim | amount claimed | claimed amount
amount claimed | claim amount | claimed amount
amount settled | settlement amount | settled amount
<amount claim | claim amount | amount claimed
settlement amount | amount settled | amount of settlement
settlement date | date of settlement | date settled
policy type | type of policy | kind of policy
policy number | number of policy | <policy no
customer name | name of customer | client name | name of client
customer phone | phone of customer | customer phone number | client phone
customer address | address of customer | client address
customer details | customer information | details of customer | client details
customer number | number of customer | client number
<customer email address | customer email | email of customer | client email
email address | email | electronic mail address
order details | details of order | order information
order quantity | quantity ordered | amount ordered | ordered quantity
order status | status of order | state of order
order item status | status of order item
date order placed | order date | date of order | date ordered
date became customer | customer since | date of becoming customer
date of notes | note date | date notes written
date of transcript | transcript date
transcript date | date of transcript
date of attendance | attendance date | date attended
date of enrolment | enrollment date | date enrolled
date of registration | registration date | date registered
date of completion | completion date | date completed
date of latest logon | last login date | date of last login | latest login date
date of loan | loan date | date loaned
date payment made | payment date | date of payment | date paid
date claim made | claim date | date of claim
date claim settled | settlement date | date of settlement
date of claim | claim date | date claimed
date of settlement | settlement date | date settled
date test taken | test date | date of test
date first registered | first registration date | date of first registration
date left staff | leaving date | date of leaving | date left
date joined staff | joining date | date of joining staff | hire date
date left university | university leaving date | date of leaving university
date first rental | date of first rental | first rental date
date formed | formation date | date of formation | founding date
date moved in | move in date | moving in date
date moved out | move out date | moving out date
date problem reported | problem report date | report date of problem
date problem closed | problem closing date | closing date of problem
date complaint raised | complaint date | date of complaint
date complaint closed | complaint closing date | date complaint resolved
date requested | request date | date of request
date stored | storage date | date of storage
date incident start | incident start date | start date of incident
date incident end | incident end date | end date of incident
<date contact from | contact start date | contact from date
<date contact to | contact end date | contact to date
date account opened | account opening date | date of account opening
date assigned from | assignment start date | assigned from date
date assigned to | assignment end date | assigned to date
date supplied from | supply start date | supplied from date
date supplied to | supply end date | supplied to date
date address from | address start date | address valid from
date address to | address end date | address valid until
date of first contact | first contact date
next visit date | date of next visit
document name | name of document | document title
document description | description of document
document structure | structure of document
document type | type of document | kind of document
document date | date of document
draft details | details of draft | draft information
access count | number of accesses | times accessed
<access counts | number of accesses | access count
footnote | note at bottom
paragraph text | text of paragraph | paragraph content
template type | type of template | kind of template
version number | number of version | <version no
copy number | number of copy
receipt number | number of receipt | <receipt no
receipt date | date of receipt | date received
shipment tracking number | shipment tracking code | tracking number of shipment
invoice number | number of invoice | <invoice no | bill number
invoice date | date of invoice | billing date | bill date
invoice status | status of invoice | bill status
payment amount | amount of payment | amount paid
payment type | type of payment | kind of payment
other hotel details | additional hotel details | further hotel details
star rating | number of stars | stars
tourist attraction | sight | attraction for tourists
tourist details | visitor details | details of tourist
how to get there | directions | way to get there
opening hours | hours of opening | business hours
level of membership | membership level | membership tier
membership level | level of membership | membership tier
membership card | card of membership | member card
membership credit | credit of membership | member credit
<num of ticket | number of tickets | ticket count
<num of visitors | number of visitors | visitor count
total spent | total spending | amount spent | total amount spent
whole: spent | amount spent | money spent
<num of staff | number of staff | staff count | number of employees
<num of stock | number in stock | stock quantity
whole: <is open | open | currently open
show times per day | number of shows per day | daily show times
show name | name of show | show title
stage position | position on stage
whole: instrument | musical instrument | instrument played
whole: bandmate | band member | member of band
whole: competition type | type of competition | kind of competition
festival name | name of festival
music festival | festival of music
whole: result | outcome | final result
whole: volume | >volume number
issue date | date of issue | date issued | publication date
whole: issues | number of issues | issue count
<sales in billion | sales in billions | billions of sales
sent to | recipient | addressee
whole: flag | national flag | >flag state | country of registration
disposition of ship | fate of ship | fate of vessel
lost in battle | lost in combat | losses in battle
ship type | type of ship | vessel type
caused by ship id | id of causing ship
whole: location | place | >where located
whole: status | state | >current status
whole: title | >title of work | >heading
whole: nominee | nominated person | person nominated | candidate nominated
whole: category | class | >kind
award name | name of award | name of prize
music title | title of music
whole: artist | performer | >name of artist | artist name
whole: sponsor name | name of sponsor
whole: year awarded | award year | year of award
whole: age | years of age | age in years
whole: citizenship | nationality
whole: gender | sex
whole: <is male | male | of male sex
marriage id | marriage identifier
year of marriage | wedding year | year married
whole: church | >church name
whole: relationship | relation | >kind of relationship
dependent name | name of dependent
whole: qualification | qualifications held | credential
whole: assessment | >evaluation
whole: participants | number of participants | attendees
participant details | details of participant | participant information
participant type | type of participant | kind of participant
event details | details of event | event information
service name | name of service
service type | type of service | kind of service
service details | details of service | service information
organization name | name of organization | organisation name
organization details | organization information | details of organization
organisation type | type of organisation | organization type
grant amount | amount of grant | sum granted
grant start date | start date of grant
grant end date | end date of grant
research staff | researchers | scientific staff
project details | project information | details of project
task details | task information | details of task
outcome description | description of outcome | result description
whole: affirmative | >affirmative side | >in favor
whole: negative | >negative side | >against
whole: venue | place of event | event venue | location of event | >meeting place
<num of audience | number of audience members | audience size | audience count
whole: debate | discussion
whole: decision | ruling | >verdict
whole: language | >language spoken | >tongue
whole: directors | >filmmakers
wine name | name of wine
whole: appellation | >wine appellation
whole: winery | wine producer | wine maker | vineyard
whole: grape | grape variety | type of grape | variety of grape
whole: cases | number of cases | case count
drink type | type of drink | beverage type
whole: wheels | number of wheels | wheel arrangement
whole: builder | constructor | built by | manufacturer
whole: opening | opening date | date of opening
whole: park | park name | >amusement park
whole: incident type | type of incident
whole: incident summary | summary of incident
whole: recommendations | suggestions | advice given
whole: detention summary | summary of detention
whole: monthly rent | rent per month
whole: line one | first line
building name | name of building
building manager | manager of building
building address | address of building
building description | description of building
apartment number | number of apartment | flat number | <apartment no
apartment type | type of apartment | flat type
facility code | code of facility
booking status | status of booking | reservation status
booking start date | start date of booking | reservation start date
booking end date | end date of booking | reservation end date
whole: price | cost | >sale price
whole: color name | name of color
whole: amenity name | name of amenity | facility name
whole: sex type | type of sex
whole: party name | name of party
whole: president | >head of state | presiding officer
governor | head of state government
lieutenant governor | deputy governor | vice governor
attorney general | chief legal officer
election cycle | cycle of election | voting cycle
president vote | vote for president
vice president vote | vote for vice president
secretary vote | vote for secretary
treasurer vote | vote for treasurer
seats | number of seats
vote percent | percentage of votes | share of votes | vote share
vote percentage | percentage of votes | share of votes | vote share
whole: ballots | number of ballots | ballots cast
whole: inducted | >elected to hall of fame | admitted
whole: state | >us state | >state name | >name of state
whole: city | >town | >city name | >name of city
whole: country | nation | >country name
whole: street | road | >street name
whole: address | >postal address | >full address | >place of residence
whole: owner | >owner name | proprietor
whole: height | >how tall | >tallness | >stature
whole: depth | >how deep
`;
