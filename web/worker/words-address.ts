/** Returns the address of the texts that a page of the service names; undefined if it names none. */
export function wordsAddressIn(page: string): string | undefined {
  return /<html\b[^>]*\bdata-words="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
}
