/** How what a manifest names leads through our own origin. */
export interface Leading {
  /** @param address complete, http or https */
  address(address: string): string
  /** @param query of a relative address, with its question mark */
  query(query: string): string
}

/**
 * An address of a manifest, led through our origin.
 *
 * @param base what it is relative to
 * @returns undefined for one that can not be led through it
 */
export function through(address: string, base: string, leading: Leading): string | undefined {
  const url = URL.parse(address, base)
  if (url?.protocol === 'data:') return holdsAddress(url.href) ? undefined : url.href
  if (!isWeb(url)) return undefined
  url.hash = ''
  return keepingTemplates(leading.address(url.href))
}

/** Whether an address is one of http or https. */
export function isWeb(url: URL | null): url is URL {
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}

/** What a query, a path of several folders, or a user and a host look like. A range of bytes (`9@0`) is no address. */
const ADDRESS = /[\\=]|[?#]\S|(?<!\d)@|@(?!\d)|^\s*\/|\/.*\//s

/**
 * Whether a value of a manifest that is meant to be no address is none: not a whole one, and not a path or a query of one.
 *
 * @param base where the manifest came from; a value that names its host is not plain
 */
export function isPlain(value: string, base: string): boolean {
  const { hostname } = new URL(base)
  // A host of one word may be a word of the manifest: `video`.
  const namesHost = hostname.includes('.') && value.toLowerCase().includes(hostname)
  return !(ADDRESS.test(value) || namesHost || value.startsWith('data:'))
}

/** Whether data that a manifest holds itself, such as the header of a licence system, has an address in it. */
function holdsAddress(dataAddress: string): boolean {
  const [, head = '', body = ''] = /^data:([^,]*),(.*)$/s.exec(dataAddress) ?? []
  const bytes = Buffer.from(body, head.endsWith(';base64') ? 'base64' : 'latin1')
  // Headers of PlayReady are written in UTF-16.
  return /:\/\/|%/.test(bytes.toString('latin1').replaceAll('\0', ''))
}

/** A URL parser writes the `$Number%05d$` of templates out. */
function keepingTemplates(address: string): string {
  return address.replaceAll(/\$(\w+)%25(0\d+d)\$/g, '$$$1%$2$$')
}
