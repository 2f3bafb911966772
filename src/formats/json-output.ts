/** A JSON array, one record per line. */
export function* renderJsonArray(records: Iterable<unknown>): Generator<string> {
  let separator = '[\n';
  for (const record of records) {
    yield `${separator}${JSON.stringify(record)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** JSON Lines: one record per line. */
export function* renderJsonLines(records: Iterable<unknown>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}
