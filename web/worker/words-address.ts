/** Returns the address of the texts in the HTML of a page; undefined if the page has no such address. */
export function wordsAddressIn(page: string): string | undefined {
  return /<html\b[^>]*\bdata-words="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
}
