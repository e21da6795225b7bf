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

/** Keeps a choice for the profile's next film. */
export function keepChosenLanguages(
  storage: Pick<Storage, 'setItem'>,
  profileId: number,
  { audio, sub }: Languages,
): void {
  storage.setItem(key(profileId), `${audio}/${sub}`)
}

function key(profileId: number): string {
  return `ondine.languages.${profileId}`
}
