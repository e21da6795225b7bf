import { sameLanguage } from '../../words/same-language.ts'
import type { Languages } from '../content/playable.ts'

/** Stored names of the kinds of subtitles. */
const CAPTIONS = 'captions'
const SUBTITLES = 'subtitles'

const CODE = /^[a-z]{2,3}(-[\w-]+)?$/i

/** Reads the languages that a profile last chose on this device (spec 21). Empty if nothing readable is stored. */
export function readChosenLanguages(
  storage: Pick<Storage, 'getItem'>,
  profileId: number,
): Partial<Languages> {
  const [audio = '', sub = '', kind] = (storage.getItem(key(profileId)) ?? '').split('/')
  return {
    ...(CODE.test(audio) && { audio }),
    ...(CODE.test(sub) && { sub }),
    ...((kind === CAPTIONS || kind === SUBTITLES) && { captions: kind === CAPTIONS }),
  }
}

/** Stores a choice for the profile's next film, in addition to its earlier choices. */
export function keepChosenLanguages(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  profileId: number,
  chosen: Partial<Languages>,
): void {
  const { audio = '', sub = '', captions } = { ...readChosenLanguages(storage, profileId), ...chosen }
  const kind = captions === undefined ? [] : [captions ? CAPTIONS : SUBTITLES]
  storage.setItem(key(profileId), [audio, sub, ...kind].join('/'))
}

type AudioTrackChoice = Pick<Languages, 'audioLabel' | 'audioAddition'>

/**
 * Reads which of several audio tracks in the language `audio` a profile last chose on this device. Empty if the last
 * choice was a track in another language, or if nothing readable is stored.
 */
export function readChosenTrack(
  storage: Pick<Storage, 'getItem'>,
  profileId: number,
  audio: string | undefined,
): AudioTrackChoice {
  const [language, audioLabel, addition] = readList(storage.getItem(trackKey(profileId)))
  if (typeof language !== 'string' || typeof audioLabel !== 'string' || !sameLanguage(language, audio))
    return {}
  const isAddition = addition === 'commentary' || addition === 'description'
  return { audioLabel, audioAddition: isAddition ? addition : undefined }
}

/** Stores the profile's choice of an audio track, instead of its earlier choice. */
export function keepChosenTrack(
  storage: Pick<Storage, 'setItem'>,
  profileId: number,
  { audio, audioLabel, audioAddition }: Partial<Languages>,
): void {
  storage.setItem(trackKey(profileId), JSON.stringify([audio, audioLabel, audioAddition]))
}

function readList(text: string | null): unknown[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read : []
  } catch {
    // The stored text may be invalid.
    return []
  }
}

function trackKey(profileId: number): string {
  return `ondine.audio-track.${profileId}`
}

function key(profileId: number): string {
  return `ondine.languages.${profileId}`
}
