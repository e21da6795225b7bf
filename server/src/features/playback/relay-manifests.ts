/** Where an absolute address leads through our own origin. */
export type Leading = (address: string) => string

/** A playlist (HLS) whose every address leads through our origin. What is no http or https address stays as it is. */
export function rewriteHls(text: string, base: string, leading: Leading): string {
  return text
    .split(/\r?\n/)
    .map((line) => {
      if (line.startsWith('#'))
        return line.replaceAll(/URI="([^"]*)"/g, (_, uri: string) => `URI="${through(uri, base, leading)}"`)
      return line.trim() === '' ? line : through(line.trim(), base, leading)
    })
    .join('\n')
}

/**
 * A manifest (DASH) whose every address leads through our origin: the one that all relative ones start from stands at its head, absolute
 * ones are led each. Where the provider would have its clients look for the manifest or the time is left out.
 */
export function rewriteDash(text: string, base: string, leading: Leading): string {
  const period = text.search(/<Period\b/)
  const own = /<BaseURL\b[^>]*>([^<]*)<\/BaseURL>/.exec(period === -1 ? text : text.slice(0, period))?.[1]
  const from = own === undefined ? base : (URL.parse(unescaped(own.trim()), base)?.href ?? base)
  // A folder, so that what follows it is found in it.
  const folder = new URL('.', from).href
  const head = `<BaseURL>${escaped(leading(folder))}</BaseURL>`
  return text
    .replaceAll(/<(Location|PatchLocation)\b[^>]*>[^<]*<\/\1>/g, '')
    .replaceAll(
      /<UTCTiming\b[^>]*?\/>|<UTCTiming\b[^>]*>[^<]*<\/UTCTiming>/g,
      '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/time"/>',
    )
    .replaceAll(/<BaseURL\b[^>]*>([^<]*)<\/BaseURL>/g, (_, written: string, at: number) => {
      const address = unescaped(written.trim())
      // The first of the whole manifest has become the one at its head.
      if (at < period && written === own) return ''
      if (!/^(https?:|\/|\.\.)/i.test(address)) return `<BaseURL>${written}</BaseURL>`
      return `<BaseURL>${escaped(through(address, folder, leading))}</BaseURL>`
    })
    .replaceAll(
      /\b(media|initialization|sourceURL|index|href)="((?:https?:|\/|\.\.)[^"]*)"/g,
      (_, name: string, written: string) =>
        `${name}="${escaped(through(unescaped(written), folder, leading))}"`,
    )
    .replace(/<MPD\b[^>]*>/, (open) => `${open}${head}`)
}

function through(uri: string, base: string, leading: Leading): string {
  const url = URL.parse(uri, base)
  return url && (url.protocol === 'http:' || url.protocol === 'https:')
    ? keepingTemplates(leading(url.href))
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
