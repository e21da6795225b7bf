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

function key(profileId: number): string {
  return `ondine.languages.${profileId}`
}
