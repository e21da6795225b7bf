import type { Profile } from '@ondine/contract/profiles'
import { avatarImageId } from './avatars.ts'
import type { ProfileRow } from './profiles.repository.ts'

export function presentProfile(row: ProfileRow): Profile {
  const imageId = row.avatarId === null ? null : avatarImageId(row.avatarId)
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    picture: imageId,
    avatarId: row.avatarId,
    imageId,
    kidProfile: row.kid,
    // For an adult, a level means parental control, even if it was set directly in the database.
    parentalControl: row.parentalControl || (!row.kid && row.maximumMoralityLevel > 0),
    default: row.isDefault,
    maximumMoralityLevel: row.maximumMoralityLevel,
    settings: row.settings,
  }
}
