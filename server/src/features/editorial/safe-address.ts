/** What a link of a text may open. */
const SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel', 'ondine-content'])

/**
 * An address as a text may link to it: by one of a few schemes, or inside this site. Undefined for whatever a browser
 * could run, or could take for another address than it looks.
 */
export function safeAddress(address: string): string | undefined {
  const bare = address.trim()
  if (bare === '' || bare.length > 2000 || /[\\\p{Cc}\u2028\u2029]/u.test(bare) || bare.startsWith('//'))
    return undefined
  const scheme = /^([^/?#]*?):/.exec(bare)?.[1]
  if (scheme === undefined) return bare
  return SCHEMES.has(scheme.toLowerCase()) ? bare : undefined
}
