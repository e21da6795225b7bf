/** Metadata that travel with assets and programmes (V3-11 to V3-13). */
type Metadata = Readonly<Record<string, string | number | undefined>>

/**
 * Whether it is live: between its start and its end, the start included (V3-15). What has no such times never is.
 *
 * @param now seconds since the Unix epoch
 */
export function isLive({ TS_STARTUTC: start, TS_ENDUTC: end }: Metadata, now: number): boolean {
  return start !== undefined && end !== undefined && Number(start) <= now && now < Number(end)
}

/** The id of the category that a path of V3-10 leads to; undefined for what is no path. */
export function categoryOfPath(path: string): number | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return /^[1-9]\d{0,9}$/.test(last) ? Number(last) : undefined
}

/** Sound and subtitles that play together, as three-letter codes; `non` is no subtitle. */
export interface LanguagePair {
  audio: string
  subtitle: string
}

/** Writes pairs as `AD_LIASMEDI` has them: `fra/non, fra/eng` (V3-12). */
export function writePairs(pairs: readonly LanguagePair[]): string {
  return pairs.map(({ audio, subtitle }) => `${audio}/${subtitle}`).join(', ')
}

const PAIR = /^\s*([a-z]{3})\s*\/\s*([a-z]{3})\s*$/

/** Reads the pairs of `AD_LIASMEDI` (V3-12); what is none is left out. */
export function readPairs({ AD_LIASMEDI: written }: Metadata): LanguagePair[] {
  return String(written ?? '')
    .split(',')
    .flatMap((each) => {
      const [, audio, subtitle] = PAIR.exec(each) ?? []
      return audio === undefined || subtitle === undefined ? [] : [{ audio, subtitle }]
    })
}
