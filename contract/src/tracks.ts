/** A commentary on the film, or a description of its picture for blind viewers. Players never choose it themselves. */
export type AudioAddition = 'commentary' | 'description'

/**
 * Returns the forced subtitles that belong to a sound: those in its language, or else those of unknown language (`und`).
 * If the language of the sound is unknown, returns the only forced subtitles, if there are no others.
 *
 * @param sound language of the sound, or `und`
 * @param isSame returns whether two codes identify the same language
 */
export function forcedSubtitles<Text extends { language: string; forced: boolean }>(
  texts: readonly Text[],
  sound: string,
  isSame: (one: string, other: string) => boolean,
): Text[] {
  const forced = texts.filter((text) => text.forced)
  const own = forced.filter(({ language }) => isSame(language, sound))
  if (own.length > 0) return own
  if (sound === 'und') return forced.length === 1 ? forced : []
  return forced.filter(({ language }) => language === 'und')
}
