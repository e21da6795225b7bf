/**
 * Returns whether an address is external. It is external if it begins with `//` or with any scheme, even a scheme
 * of Ondine. A path that contains a scheme later is internal (spec 6).
 */
export function isExternal(address: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)
}
