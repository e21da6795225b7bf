import { LAYOUT } from '@ondine/contract/constants'
import { imageAddress } from '@ondine/contract/images'
import type { Profile } from '@ondine/contract/profiles'
import { atService } from '../../../api/at-service.ts'
import { environment } from '../../../api/environment.ts'

const SIZE = { width: LAYOUT.profileImageSize, height: LAYOUT.profileImageSize }

/** Returns the address of a profile's picture. A profile without a picture has the default picture (A3-11). */
export function profilePicture({ id, avatarId }: Pick<Profile, 'id' | 'avatarId'>): string {
  const address = imageAddress({ type: 'profile', objectId: id, ...SIZE }, environment().language)
  // The address names the avatar. So every storefront and native app gets the picture, and browsers show a new avatar at
  // once.
  return atService(`${address}&avatar=${avatarId ?? 0}`)
}

/** Returns the address of an avatar's picture. */
export function avatarPicture(imageId: string): string {
  return atService(imageAddress({ type: 'avatar', objectId: imageId, ...SIZE }, environment().language))
}
