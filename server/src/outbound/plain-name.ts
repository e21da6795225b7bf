/** Names that need no change, which is nearly all: Latin letters in NFC with single spaces. */
const PLAIN = /^[!-~\u00A1-\u02FF]+(?: [!-~\u00A1-\u02FF]+)*$/

/**
 * Returns a name from an outside source as one line of plain text: no control characters, no marks that change the
 * direction of the text around it, no lone surrogates, single spaces, at most `longest` characters.
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
