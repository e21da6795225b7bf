/**
 * Reads one value from the query string of an address. Returns undefined for an invalid value, because anybody can
 * write an address.
 */
type Reader = (value: unknown) => unknown

/** The values that a query reader returns, by parameter. Each parameter can be missing. */
type QueryOf<Readers extends Record<string, Reader>> = {
  [Name in keyof Readers]?: ReturnType<Readers[Name]> | undefined
}

/**
 * Creates a function that parses the query string of a route's address. Each parameter has its own reader.
 *
 * The router merges the result into the raw query string, so the result contains each invalid value as undefined. If
 * the result left the name out, the raw value would remain, and a sign-in could redirect to any site.
 */
export function queryReader<Readers extends Record<string, Reader>>(
  readers: Readers,
): (query: Record<string, unknown>) => QueryOf<Readers> {
  return (query) =>
    // `as`, because the type of `Object.fromEntries` does not relate names to the types of their values.
    Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [
        name,
        Object.hasOwn(query, name) ? read(query[name]) : undefined,
      ]),
    ) as QueryOf<Readers>
}

/** Reads a text. */
export function textIn(value: unknown): string | undefined {
  // The router parses a value of digits as a number, for example the code that a television shows.
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' ? value : undefined
}

/** Reads a text that matches `form`. */
export function textLike(value: unknown, form: RegExp): string | undefined {
  const text = textIn(value)
  return text !== undefined && form.test(text) ? text : undefined
}

/** Reads a whole number of at least 1, which may be given as text. */
export function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(count) && count > 0 ? count : undefined
}
