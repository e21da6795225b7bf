import type { Languages } from './playable.ts'

const CODE = /^[a-z]{2,3}(-[\w-]+)?$/i

/** The languages that a profile chose last on this device (decision 21); nothing where nothing readable is kept. */
export function readChosenLanguages(
  storage: Pick<Storage, 'getItem'>,
  profileId: number,
): Partial<Languages> {
  const [audio = '', sub = ''] = (storage.getItem(key(profileId)) ?? '').split('/')
  return { ...(CODE.test(audio) && { audio }), ...(CODE.test(sub) && { sub }) }
}

/** Keeps a choice for the profile's next film, beside what it chose before. */
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
