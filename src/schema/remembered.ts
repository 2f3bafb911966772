/** Names remembered by each function, unless told: a data set's columns and candidates, and a bound to memory. */
const LIMIT = 20_000;

/** A pure function of a name that remembers its answers; it starts anew when it has `limit` of them. */
export function remembered<T>(compute: (name: string) => T, limit = LIMIT): (name: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found.value;
    if (known.size >= limit) known.clear();
    const value = compute(name);
    known.set(name, { value });
    return value;
  };
}
