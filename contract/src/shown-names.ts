/** Returns whether a text has a visible character. Spaces and invisible characters do not count. */
export function isShown(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

/**
 * Returns whether a text has characters that do not belong in a name: control characters, and characters that
 * change the text direction. Arabic and Hebrew letters set their own direction.
 */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(text)
}
