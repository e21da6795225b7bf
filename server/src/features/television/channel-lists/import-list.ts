import { isUtf8 } from 'node:buffer'
import { isIP } from 'node:net'
import type { Context } from '../../../context.ts'
import { decodeText } from '../../../ingest/text-encoding.ts'
import { checkAddress, OutboundError, refusal } from '../../../outbound/fetch-outside.ts'
import { openSource } from '../../../outbound/open-source.ts'
import { privateHosts } from '../../../outbound/private-hosts.ts'
import type { Remark } from '../guide-import/remark.ts'
import { type ListedChannel, parseChannelList } from './channel-list.ts'
import type { ListRow } from './channel-lists.service.ts'
import { fetchLogos } from './fetch-logos.ts'
import { type StoredList, storeList } from './store-list.ts'

const BOUNDS = { maxBytes: 64_000_000, maxUnpackedBytes: 128_000_000, maxMilliseconds: 120_000 }

/** Result of an import of a list. */
export interface ListImport extends StoredList {
  /** Rejected lines, with the reasons. */
  refused: Remark[]
  /** Corrected lines, with the corrections. */
  mended: Remark[]
  /** Number of live inputs in the list. A worker receives them. */
  live: number
  /** Addresses of the guides that the list names. */
  guides: string[]
}

/**
 * Imports a channel list (M3U) from a file or an address. A listed channel updates the stored channel that it
 * matches (`matchChannels`). Stored channels that are missing in the list are switched off, never deleted. Values
 * that an operator has set by hand are kept.
 *
 * @throws ChannelListError when the file is not a channel list, or no longer contains any channel. SourceError
 * when the file cannot be read. In both cases nothing changes. ListRemovedError when the list is deleted during
 * the import.
 */
export async function importList(
  context: Pick<Context, 'db' | 'connection' | 'images' | 'clock' | 'settings' | 'log'>,
  list: ListRow,
  { signal, onProgress }: { signal: AbortSignal; onProgress(text: string, percent: number): void },
): Promise<ListImport> {
  const { settings } = context
  const { text, base, leftOut } = await readList(list.location, settings.OUTBOUND_ALLOW, signal)
  const parsed = parseChannelList(text, base)
  const outside = await withoutPrivate(parsed.channels, settings.OUTBOUND_ALLOW)
  const single = withoutDoubles(outside.listed)
  const { listed } = single
  const refused = [...outside.refused, ...single.refused]
  onProgress('Taking channels', 10)
  const outcome = await storeList(context, list, listed, {
    signal,
    onShare: (share) => onProgress('Taking channels', 10 + 10 * share),
  })
  const missing = await fetchLogos(context, list.id, signal, (share) =>
    onProgress('Fetching logos', 20 + 80 * share),
  )
  const lines = new Map(listed.map(({ logo, line }) => [logo, line]))
  const inOrder = (remarks: Remark[]) => remarks.toSorted((one, other) => one.line - other.line)
  return {
    ...outcome,
    live: listed.filter(({ kind }) => kind === 'live').length,
    refused: inOrder([...parsed.refused, ...refused]),
    mended: inOrder([
      ...parsed.mended,
      ...outcome.mended,
      ...missing.map(({ address, reason }) => ({
        line: lines.get(address) ?? 0,
        reason: `The logo is left out: ${reason}`,
      })),
      ...(leftOut === undefined ? [] : [{ line: text.trimEnd().split('\n').length, reason: leftOut }]),
    ]),
    guides: parsed.guides,
  }
}

async function readList(
  location: string,
  allow: readonly string[],
  signal: AbortSignal,
): Promise<{ text: string; base: string | undefined; leftOut: string | undefined }> {
  const { bytes, address, leftOut } = await openSource(location, { ...BOUNDS, allow }, signal)
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return { text: decodeLines(Buffer.concat(chunks)), base: address, leftOut: leftOut() }
}

const LINE_FEED = 0x0a

/**
 * Decodes a list. If it is not valid UTF-8, decodes each line separately: some lists are assembled from lists in
 * different encodings.
 */
function decodeLines(data: Buffer): string {
  // UTF-16 text contains zero bytes, and cannot be split into lines at bytes.
  if (isUtf8(data) || data.includes(0)) return decodeText(data, 'fra')
  const lines: string[] = []
  for (let at = 0; at <= data.length; ) {
    const end = data.indexOf(LINE_FEED, at)
    const next = end === -1 ? data.length : end
    lines.push(decodeText(data.subarray(at, next), 'fra'))
    at = next + 1
  }
  return lines.join('\n')
}

/**
 * Omits relays whose address is in a private network, because viewers cannot reach that address. Keeps live inputs
 * with such an address, because a worker in the same network can receive them.
 */
async function withoutPrivate(
  all: readonly ListedChannel[],
  allow: readonly string[],
): Promise<{ listed: ListedChannel[]; refused: Remark[] }> {
  const refused: Remark[] = []
  const relays = all.filter(({ kind }) => kind === 'relay')
  const inside = await privateHosts(
    relays.flatMap(({ source }) => hostOf(source.address) ?? []),
    allow,
  )
  const listed = all.filter(({ kind, line, source: { address } }) => {
    if (kind !== 'relay') return true
    try {
      const host = hostOf(address)
      checkAddress(address, allow)
      if (host !== undefined && inside.has(host)) throw refusal(host)
      return true
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      refused.push({ line, reason: error.message })
      return false
    }
  })
  return { listed, refused }
}

/** Returns the host name in an address; undefined if the host is an IP address. */
function hostOf(address: string): string | undefined {
  const host = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return host === '' || isIP(host) !== 0 ? undefined : host
}

/** Omits exact duplicates: channels with the same name and the same address. */
function withoutDoubles(all: readonly ListedChannel[]): { listed: ListedChannel[]; refused: Remark[] } {
  const first = new Map<string, number>()
  const refused: Remark[] = []
  const listed = all.filter(({ name, line, source: { address } }) => {
    const key = JSON.stringify([name, address])
    const known = first.get(key)
    if (known === undefined) first.set(key, line)
    else refused.push({ line, reason: `Line ${known} already has the same channel.` })
    return known === undefined
  })
  return { listed, refused }
}
