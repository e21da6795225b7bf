/** Reads one value of an address's query, which anybody may have written. Returns undefined for an invalid value. */
type Reader = (value: unknown) => unknown

/** The values that a query reader returns, by parameter. Each parameter may be missing. */
type QueryOf<Readers extends Record<string, Reader>> = {
  [Name in keyof Readers]?: ReturnType<Readers[Name]> | undefined
}

/**
 * Creates a function that parses the query of a route's address. Each parameter has its own reader.
 *
 * The router merges the result into the raw query, so an invalid value must be replaced by undefined. If its name were
 * missing, the raw value would remain, and a sign-in could redirect to any site.
 */
export function queryReader<Readers extends Record<string, Reader>>(
  readers: Readers,
): (query: Record<string, unknown>) => QueryOf<Readers> {
  return (query) =>
    // `as`, because `Object.fromEntries` loses which type belongs to which name.
    Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [
        name,
        Object.hasOwn(query, name) ? read(query[name]) : undefined,
      ]),
    ) as QueryOf<Readers>
}

/** Reads a text. */
export function textIn(value: unknown): string | undefined {
  // The router parses digits as a number, for example the code that a television shows.
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' ? value : undefined
}

/** Reads a text that matches `form`. */
export function textLike(value: unknown, form: RegExp): string | undefined {
  const text = textIn(value)
  return text !== undefined && form.test(text) ? text : undefined
}

/** Reads a whole number of at least 1, also if it is given as text. */
export function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(count) && count > 0 ? count : undefined
}
