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

/** Replaces a comma and a space inside a name, so that only `, ` separates the names of a list. The space is no-break. */
const COMMA_IN_NAME = ',\u00A0'

/**
 * Joins names to one text, such as `AD_LIACTORS` (V3-13). {@link splitNames} splits it again, even if a name contains a
 * comma, such as `Sammy Davis, Jr.`
 */
export function joinNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(', ', COMMA_IN_NAME)).join(', ')
}

/** Returns the names in a text that {@link joinNames} has made. */
export function splitNames(joined: string): string[] {
  return joined.split(', ').map((name) => name.replaceAll(COMMA_IN_NAME, ', '))
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
