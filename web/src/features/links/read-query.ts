/** Reads one value of a query, which anybody may have written; undefined where it says nothing. */
type Reader = (value: unknown) => unknown

/** What a query says: each name may be missing. */
type QueryOf<Readers extends Record<string, Reader>> = {
  [Name in keyof Readers]?: ReturnType<Readers[Name]> | undefined
}

/**
 * What a route takes from its query: of each name what its reader makes of it.
 *
 * The router adds what a route has read to what the address says. So a name of which nothing was read has to be there, as
 * undefined: left out, its value would stay as it was written, and who signs in could be led to any site.
 */
export function queryReader<Readers extends Record<string, Reader>>(
  readers: Readers,
): (query: Record<string, unknown>) => QueryOf<Readers> {
  return (query) =>
    // A list of pairs makes TypeScript forget which name has which value.
    Object.fromEntries(
      Object.entries(readers).map(([name, read]) => [
        name,
        Object.hasOwn(query, name) ? read(query[name]) : undefined,
      ]),
    ) as QueryOf<Readers>
}

/** A text, or nothing. */
export function textIn(value: unknown): string | undefined {
  // The router makes a number of digits, as the code of a television may be.
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' ? value : undefined
}

/** A text of a form, or nothing. */
export function textLike(value: unknown, form: RegExp): string | undefined {
  const text = textIn(value)
  return text !== undefined && form.test(text) ? text : undefined
}

/** A whole number from 1 on, also one that is written as a text, or nothing. */
export function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(count) && count > 0 ? count : undefined
}
