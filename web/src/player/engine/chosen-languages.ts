import type { Languages } from '../content/playable.ts'

const CODE = /^[a-z]{2,3}(-[\w-]+)?$/i

/** Reads the languages that a profile last chose on this device (spec 21). Empty if nothing readable is stored. */
export function readChosenLanguages(
  storage: Pick<Storage, 'getItem'>,
  profileId: number,
): Partial<Languages> {
  const [audio = '', sub = ''] = (storage.getItem(key(profileId)) ?? '').split('/')
  return { ...(CODE.test(audio) && { audio }), ...(CODE.test(sub) && { sub }) }
}

/** Stores a choice for the profile's next film, in addition to its earlier choices. */
export function keepChosenLanguages(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  profileId: number,
  chosen: Partial<Languages>,
): void {
  const { audio = '', sub = '' } = { ...readChosenLanguages(storage, profileId), ...chosen }
  storage.setItem(key(profileId), `${audio}/${sub}`)
}

function key(profileId: number): string {
  return `ondine.languages.${profileId}`
}
