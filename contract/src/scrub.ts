/** Text that replaces each secret or personal part. */
const LEFT_OUT = '[left out]'

/** Names of fields that may hold secret or personal values. */
const SECRET =
  /pass|code|token|secret|proof|auth|voucher|cookie|mail|user|name|phone|address|birth|card|term|query|search|context/i

/** Returns a call's fields for logs and reports. Values that may be secret or personal are hidden. */
export function scrubFields(
  fields: Iterable<readonly [name: string, value: string]>,
): Record<string, string> {
  return Object.fromEntries(
    Array.from(fields, ([name, value]) => [name, SECRET.test(name) ? LEFT_OUT : value.slice(0, 200)]),
  )
}

/** Returns a text for reports, without e-mail addresses, queries of addresses, tokens and long numbers. */
export function scrubText(text: string): string {
  return text
    .slice(0, 4000)
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.-]+/g, LEFT_OUT)
    .replaceAll(/\?[^\s)'"]*=[^\s)'"]*/g, `?${LEFT_OUT}`)
    .replaceAll(/\/play\/[\w.~-]+/g, `/play/${LEFT_OUT}`)
    .replaceAll(/\b[\w-]{24,}(?:\.[\w-]{8,}){0,2}\b/g, LEFT_OUT)
    .replaceAll(/\d{9,}/g, LEFT_OUT)
}
