/** Matches names that need no change, as nearly all do: Latin letters in NFC with single spaces. */
const PLAIN = /^[!-~\u00A1-\u02FF]+(?: [!-~\u00A1-\u02FF]+)*$/

/**
 * Returns a name from an outside source as one line of plain text: without control characters, lone surrogates and
 * characters that change the text direction, with single spaces, and with at most `longest` characters.
 */
export function plainName(written: string, longest: number): string {
  if (written.length <= longest && (written === '' || PLAIN.test(written))) return written
  const plain = written
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return (plain.length <= longest ? plain : plain.slice(0, longest).trim()).toWellFormed()
}
