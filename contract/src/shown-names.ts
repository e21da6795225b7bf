/** Whether a text shows anything: spaces and characters without a picture alone are as good as none. */
export function isShown(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)
}

/**
 * Whether a text has characters that nobody types in a name: control characters, and those that turn the direction of all that
 * stands after them. Letters of Arabic and Hebrew have a direction without any.
 */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(text)
}
