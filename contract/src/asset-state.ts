/** Metadata of an asset or a programme (V3-11 to V3-13). */
type Metadata = Readonly<Record<string, string | number | undefined>>

/**
 * Returns whether an asset is live: at or after its start, and before its end (V3-15). An asset without a start or
 * without an end is never live.
 *
 * @param now seconds since the Unix epoch
 */
export function isLive({ TS_STARTUTC: start, TS_ENDUTC: end }: Metadata, now: number): boolean {
  return start !== undefined && end !== undefined && Number(start) <= now && now < Number(end)
}

/** Returns the id of the category at the end of a path (V3-10); undefined if the text is not a path. */
export function categoryOfPath(path: string): number | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return /^[1-9]\d{0,9}$/.test(last) ? Number(last) : undefined
}

/**
 * An audio language and a subtitle language for simultaneous playback, as three-letter codes. `non` means no
 * subtitle.
 */
export interface LanguagePair {
  audio: string
  subtitle: string
}

/** Formats pairs for `AD_LIASMEDI`: `fra/non, fra/eng` (V3-12). */
export function writePairs(pairs: readonly LanguagePair[]): string {
  return pairs.map(({ audio, subtitle }) => `${audio}/${subtitle}`).join(', ')
}

const PAIR = /^\s*([a-z]{3})\s*\/\s*([a-z]{3})\s*$/

/** Parses the pairs of `AD_LIASMEDI` (V3-12). Skips text between commas that is not a pair. */
export function readPairs({ AD_LIASMEDI: written }: Metadata): LanguagePair[] {
  return String(written ?? '')
    .split(',')
    .flatMap((each) => {
      const [, audio, subtitle] = PAIR.exec(each) ?? []
      return audio === undefined || subtitle === undefined ? [] : [{ audio, subtitle }]
    })
}
