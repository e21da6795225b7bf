/** Replacement for secret and personal parts. */
const LEFT_OUT = '[left out]'

/** Names of fields that may hold secret or personal values. */
const SECRET =
  /pass|code|token|secret|proof|auth|voucher|cookie|mail|user|name|phone|address|birth|card|term|query|search|context/i

/** Returns a call's fields for logs and reports, with values that may be secret or personal replaced. */
export function scrubFields(
  fields: Iterable<readonly [name: string, value: string]>,
): Record<string, string> {
  return Object.fromEntries(
    Array.from(fields, ([name, value]) => [name, SECRET.test(name) ? LEFT_OUT : value.slice(0, 200)]),
  )
}

/** Removes e-mail addresses, query strings, tokens and long numbers from a text for reports. */
export function scrubText(text: string): string {
  return text
    .slice(0, 4000)
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.-]+/g, LEFT_OUT)
    .replaceAll(/\?[^\s)'"]*=[^\s)'"]*/g, `?${LEFT_OUT}`)
    .replaceAll(/\/play\/[\w.~-]+/g, `/play/${LEFT_OUT}`)
    .replaceAll(/\b[\w-]{24,}(?:\.[\w-]{8,}){0,2}\b/g, LEFT_OUT)
    .replaceAll(/\d{9,}/g, LEFT_OUT)
}
