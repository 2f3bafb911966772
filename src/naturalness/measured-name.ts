/** Nouns that say what is measured; a unit may stand behind them. */
const MEASURES = new Set(
  (
    'length width height depth distance diameter thickness elevation altitude radius perimeter draft range weight mass load capacity ' +
    'yield dose dosage strength duration time delay interval age area volume size speed velocity temperature pressure power voltage'
  ).split(' '),
);
const UNITS = new Set(
  (
    'meters millimeters centimeters kilometers feet inches yards miles grams milligrams micrograms kilograms tons tonnes pounds ounces ' +
    'milliseconds seconds minutes hours days weeks months years hectares acres liters milliliters gallons barrels knots degrees watts ' +
    'kilowatts megawatts volts bytes kilobytes megabytes gigabytes'
  ).split(' '),
);

/** A name without the unit that stands behind what is measured: "water depth" of "water depth meters", but "opening hours". */
export function withoutUnit(words: readonly string[]): readonly string[] {
  const [measure, unit] = words.slice(-2);
  const isMeasured = measure !== undefined && unit !== undefined && MEASURES.has(measure) && UNITS.has(unit);
  return isMeasured ? words.slice(0, -1) : words;
}
