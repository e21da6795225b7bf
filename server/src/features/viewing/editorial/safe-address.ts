/** Schemes that links of a text may use. */
const SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel', 'ondine-content'])

/**
 * Returns `address` if a text may link to it: an address within this site, or with one of {@link SCHEMES}. Returns
 * undefined for an address that a browser could execute, or whose real target differs from the apparent one.
 */
export function safeAddress(address: string): string | undefined {
  const bare = address.trim()
  if (bare === '' || bare.length > 2000 || /[\\\p{Cc}\u2028\u2029]/u.test(bare) || bare.startsWith('//'))
    return undefined
  const scheme = /^([^/?#]*?):/.exec(bare)?.[1]
  if (scheme === undefined) return bare
  return SCHEMES.has(scheme.toLowerCase()) ? bare : undefined
}
