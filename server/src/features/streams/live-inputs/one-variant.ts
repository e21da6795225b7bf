/** A variant of a stream, as a master playlist describes it. */
interface Variant {
  tag: string
  address: string
  bandwidth: number
  /** Whether ffmpeg can copy its picture without encoding. */
  isCopied: boolean
}

/**
 * Returns a master playlist with only its best variant and the sound of this variant. ffmpeg would otherwise
 * receive all variants. H.264 is preferred, because the service does not encode it again. Other playlists are
 * returned unchanged.
 */
export function oneVariant(playlist: string): string {
  const lines = playlist.split('\n')
  const variants = lines.flatMap((tag, index): Variant[] => {
    if (!tag.startsWith('#EXT-X-STREAM-INF:')) return []
    const address = lines.slice(index + 1).find((line) => line !== '' && !line.startsWith('#'))
    const codecs = attribute(tag, 'CODECS')
    const isCopied = codecs === undefined || /avc[13]/.test(codecs)
    return address === undefined
      ? []
      : [{ tag, address, bandwidth: Number(attribute(tag, 'BANDWIDTH') ?? 0), isCopied }]
  })
  const [best] = variants.toSorted(
    (one, other) => Number(other.isCopied) - Number(one.isCopied) || other.bandwidth - one.bandwidth,
  )
  if (!best) return playlist
  const group = attribute(best.tag, 'AUDIO')
  const sound = lines.filter(
    (line) =>
      line.startsWith('#EXT-X-MEDIA:') &&
      attribute(line, 'TYPE') === 'AUDIO' &&
      attribute(line, 'GROUP-ID') === group,
  )
  return ['#EXTM3U', ...sound, best.tag, best.address, ''].join('\n')
}

function attribute(tag: string, name: string): string | undefined {
  const [, quoted, word] = new RegExp(`[:,]${name}=(?:"([^"]*)"|([^",]*))`).exec(tag) ?? []
  return quoted ?? word
}
