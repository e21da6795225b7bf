import type { TokenKeys } from '../../settings/keys/keys.service.ts'
import type { ProfileRow } from './profiles.repository.ts'

/** Signs a token that identifies the profile that watches. */
export function profileToken(keys: TokenKeys, profile: ProfileRow, seconds: number): string {
  return keys.sign(
    'profile',
    {
      sub: String(profile.id),
      account: profile.accountId,
      kid: profile.kid,
      level: profile.maximumMoralityLevel,
    },
    seconds,
  )
}
