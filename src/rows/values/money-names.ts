import { headPhrase } from './name-head.js';

/** Words for sums that people pay or get, of the size that prices, fees and wages have. */
const SUM =
  '(?:price|cost|fee|fare|charge|surcharge|payment|balance|amount|expense|tax|rent|discount|deposit|refund|bonus|salary|wage|pay|income|allowance|shipping|postage|tip|toll|due|fine|commission|compensation|stipend|tuition|royalty|reimbursement)(?:e?s)?';

const MONEY = new RegExp(
  `(?<!\\bnumber of )\\b${SUM}$|\\b${SUM} (?:increase|decrease|reduction|raise|estimate|paid|owed|due|value|saved|(?:last|this|next) (?:year|month|week))$`,
  'u',
);

/** Names that may be sums: they are where they stand next to one. */
const MAYBE_MONEY = /\b(?:value|worth|increase|raise|estimate)$/u;

/** Checks whether a column's natural name is that of a sum of money: "deposit", "overtime pay", "rent increase". */
export function isMoneyName(name: string): boolean {
  return MONEY.test(headPhrase(name)) && !/\b(?:date|amount of)\b/u.test(name.toLowerCase());
}

/** Checks whether a name is that of a sum where it goes with `target`: the "estimated value" next to a price. */
export function isMoneyNextTo(name: string, target: string): boolean {
  return isMoneyName(name) || (MAYBE_MONEY.test(headPhrase(name)) && isMoneyName(target));
}
