/** How what a manifest names leads through our own origin. */
export interface Leading {
  /** @param address complete, http or https */
  address(address: string): string
  /** @param query of a relative address, with its question mark */
  query(query: string): string
}

/**
 * Rewrites a playlist (HLS) so that every http and https address in it leads through our origin. Comments are dropped:
 * packagers write addresses into them.
 */
export function rewriteHls(text: string, base: string, leading: Leading): string {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#') || line.startsWith('#EXT'))
    .map((line) => {
      if (line.startsWith('#'))
        return line.replaceAll(
          /(URI|X-ASSET-LIST)="([^"]*)"/g,
          (_, name: string, uri: string) => `${name}="${through(uri, base, leading)}"`,
        )
      return line.trim() === '' ? line : through(line.trim(), base, leading)
    })
    .join('\n')
}

/** Elements that lead to other services of a provider, and comments. */
const ASIDE = [
  /<!--[\s\S]*?-->/g,
  /<(Location|PatchLocation|ContentSteering|ProgramInformation|Metrics)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1>)/g,
]

/**
 * Rewrites a manifest (DASH) so that every address leads through our origin: a BaseURL for the relative ones stands at its
 * head, absolute ones are rewritten, and queries are sealed. What leads to other services of the provider, such as where
 * to reload the manifest or read the time, is dropped.
 */
export function rewriteDash(written: string, base: string, leading: Leading): string {
  const text = ASIDE.reduce((rest, pattern) => rest.replaceAll(pattern, ''), written)
  const period = text.search(/<Period\b/)
  const own = /<BaseURL\b[^>]*>([^<]*)<\/BaseURL>/.exec(period === -1 ? text : text.slice(0, period))?.[1]
  const from = own === undefined ? base : (URL.parse(unescaped(own.trim()), base)?.href ?? base)
  // A folder, so that what follows it is found in it.
  const folder = new URL('.', from).href
  const head = `<BaseURL>${escaped(leading.address(folder))}</BaseURL>`
  return text
    .replaceAll(
      /<UTCTiming\b[^>]*?\/>|<UTCTiming\b[^>]*>[^<]*<\/UTCTiming>/g,
      '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/time"/>',
    )
    .replaceAll(/<BaseURL\b[^>]*>([^<]*)<\/BaseURL>/g, (_, address: string, at: number) => {
      // The first of the whole manifest has become the one at its head.
      if (at < period && address === own) return ''
      return `<BaseURL>${reference(address.trim(), folder, leading)}</BaseURL>`
    })
    .replaceAll(
      /\b(media|initialization|sourceURL|index|bitstreamSwitching|href)=(?:"([^"]*)"|'([^']*)')/g,
      (_, name: string, double: string | undefined, single: string | undefined) =>
        `${name}="${reference(double ?? single ?? '', folder, leading)}"`,
    )
    .replace(/<MPD\b[^>]*>/, (open) => `${open}${head}`)
}

/** An address of a manifest as XML has it. One inside its own folder stays relative: its base may be another element's. */
function reference(written: string, folder: string, leading: Leading): string {
  const address = unescaped(written)
  if (/^([a-z][a-z0-9+.-]*:|\/|\.\.)/i.test(address)) return escaped(through(address, folder, leading))
  const query = address.indexOf('?')
  if (query === -1) return escaped(address)
  return escaped(address.slice(0, query) + leading.query(address.slice(query)))
}

function through(uri: string, base: string, leading: Leading): string {
  const url = URL.parse(uri, base)
  return url && (url.protocol === 'http:' || url.protocol === 'https:')
    ? keepingTemplates(leading.address(url.href))
    : uri
}

/** A URL parser writes the `$Number%05d$` of templates out. */
function keepingTemplates(address: string): string {
  return address.replaceAll(/\$(\w+)%25(0\d+d)\$/g, '$$$1%$2$$')
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
