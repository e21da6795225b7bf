import { LAYOUT } from '@ondine/contract/constants'
import { imageAddress } from '@ondine/contract/images'
import type { Profile } from '@ondine/contract/profiles'
import { environment } from '../../api/environment.ts'

const SIZE = { width: LAYOUT.profileImageSize, height: LAYOUT.profileImageSize }

/** Where the picture of a profile is; of one that has none, the default one (A3-11). */
export function profilePicture({ id, avatarId }: Pick<Profile, 'id' | 'avatarId'>): string {
  const address = imageAddress({ type: 'profile', objectId: id, ...SIZE }, environment().language)
  // Another avatar is another address, so that it is seen at once.
  return `${address}&avatar=${avatarId ?? 0}`
}

/** Where the picture of an avatar is. */
export function avatarPicture(imageId: string): string {
  return imageAddress({ type: 'avatar', objectId: imageId, ...SIZE }, environment().language)
}
