/** JSON with keys of an older form of a file under the names of today, at any depth; values are kept. */
export function renameKeys(json: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(json)) return json.map((value) => renameKeys(value, names));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [names.get(key) ?? key, renameKeys(value, names)]),
  );
}
