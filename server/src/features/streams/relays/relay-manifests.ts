/** Rewrites addresses so that they lead through this service's origin. */
export interface Leading {
  /** @param address a complete http or https address */
  address(address: string): string
  /** @param query the query of a relative address, with its question mark */
  query(query: string): string
}

/**
 * Rewrites an address of a manifest to lead through this service's origin.
 *
 * @param base the address to which `address` is relative
 * @returns undefined for an address that cannot be rewritten
 */
export function through(address: string, base: string, leading: Leading): string | undefined {
  const url = URL.parse(address, base)
  if (url?.protocol === 'data:') return holdsAddress(url.href) ? undefined : url.href
  if (!isWeb(url)) return undefined
  url.hash = ''
  return keepingTemplates(leading.address(url.href))
}

/** Returns whether an address has the scheme http or https. */
export function isWeb(url: URL | null): url is URL {
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}

/** Pattern of a query, a path of several folders, or a user and a host. A byte range (`9@0`) does not match. */
const ADDRESS = /[\\=]|[?#]\S|(?<!\d)@|@(?!\d)|^\s*\/|\/.*\//s

/**
 * Returns whether a value is free of addresses, and of paths and queries of addresses.
 *
 * @param base address of the manifest; a value that contains its host is not plain
 */
export function isPlain(value: string, base: string): boolean {
  const { hostname } = new URL(base)
  // A host name without a dot may also be an ordinary word of the manifest, such as `video`.
  const namesHost = hostname.includes('.') && value.toLowerCase().includes(hostname)
  return !(ADDRESS.test(value) || namesHost || value.startsWith('data:'))
}

/** Returns whether inline data of a manifest, such as the header of a licence system, contains an address. */
function holdsAddress(dataAddress: string): boolean {
  const [, head = '', body = ''] = /^data:([^,]*),(.*)$/s.exec(dataAddress) ?? []
  const bytes = Buffer.from(body, head.endsWith(';base64') ? 'base64' : 'latin1')
  // Headers of PlayReady are in UTF-16.
  return /:\/\/|%/.test(bytes.toString('latin1').replaceAll('\0', ''))
}

/** Restores the `$Number%05d$` of templates, which URL parsers encode. */
function keepingTemplates(address: string): string {
  return address.replaceAll(/\$(\w+)%25(0\d+d)\$/g, '$$$1%$2$$')
}
