import { ACCOUNTS } from '@ondine/contract/constants'
import type { Profile, ProfileSettings } from '@ondine/contract/profiles'
import type { Database, Transaction } from '../../../database/connection.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import { avatarImageId, avatarOfImage, isAvatar } from './avatars.service.ts'
import {
  changeProfile,
  listProfilesOf,
  lockAccount,
  mergeSettings,
  type ProfileRow,
  removeProfile,
  storeProfile,
} from './profiles.repository.ts'

/**
 * Returns the profile `profileId` of the account; without `profileId`, the account's default profile. @throws
 * ServiceError notFound
 */
export async function requireProfile(
  db: Database | Transaction,
  accountId: number,
  profileId?: number,
): Promise<ProfileRow> {
  const all = await listProfilesOf(db, accountId)
  const found = profileId === undefined ? all[0] : all.find((profile) => profile.id === profileId)
  // Another account's profile gives `notFound` instead of `forbidden`, so that the answer does not reveal whether
  // the profile exists.
  if (!found) throw new ServiceError('notFound')
  return found
}

/** Fields of the profile form. */
export interface WrittenProfile {
  name: string
  language: string
  kidProfile?: boolean | undefined
  parentalControl?: boolean | undefined
  maximumMoralityLevel?: number | undefined
  avatarId?: number | undefined
  imageId?: string | undefined
}

/** The lowest age level. The default for a child's profile. */
const LOWEST_LEVEL = 1

/** The operator's limits for the profiles of an account. */
export interface ProfileRules {
  maximumProfiles: number
  isMultiProfileEnabled: boolean
  isKidProfileCreationEnabled: boolean
  /** Languages that viewers may choose (A5-24). */
  languages: readonly string[]
}

/**
 * Returns whether an account may have several profiles. An account that already has several keeps them and can add more,
 * even if the operator has disabled several profiles (V1-12, A2.3-07, spec 31).
 */
export function isMultiProfile(
  existing: readonly ProfileRow[],
  { isMultiProfileEnabled }: Pick<ProfileRules, 'isMultiProfileEnabled'>,
): boolean {
  return isMultiProfileEnabled || existing.length > 1
}

type Kept = Pick<ProfileRow, 'kid' | 'parentalControl' | 'avatarId' | 'maximumMoralityLevel'>

const NEW_PROFILE: Kept = {
  kid: false,
  parentalControl: false,
  avatarId: null,
  maximumMoralityLevel: ACCOUNTS.moralityLevelDefault,
}

/**
 * Returns the values to store for a profile form. Omitted fields keep the values of `before`. An adult's profile
 * without parental control gets level 0, no limit (A5-27). A child's profile always gets a level above 0.
 *
 * @throws ServiceError for an unknown avatar
 */
function storedFields(written: WrittenProfile, before: Kept) {
  const kid = written.kidProfile ?? before.kid
  const level = written.maximumMoralityLevel ?? before.maximumMoralityLevel
  // `parentalControl` exists for adults' profiles only, because the level of a child's profile always applies
  // (A5-28).
  const keepsControl = written.maximumMoralityLevel === undefined && before.parentalControl
  const parentalControl = !kid && (written.parentalControl ?? (keepsControl || level > 0))
  return {
    name: written.name,
    language: written.language,
    kid,
    parentalControl,
    avatarId: avatarOf(written, before),
    maximumMoralityLevel: kid ? Math.max(level, LOWEST_LEVEL) : parentalControl ? level : 0,
  }
}

function avatarOf({ avatarId, imageId }: WrittenProfile, before: Kept): number | null {
  if (avatarId !== undefined && !isAvatar(avatarId))
    throw invalidFields([{ field: 'avatarId', message: 'is not an avatar' }])
  // A client may send back both fields of the profile although the viewer has changed only one of them.
  if (avatarId !== undefined && (imageId === undefined || avatarId !== before.avatarId)) return avatarId
  if (imageId === undefined) return before.avatarId
  if (imageId === '') return null
  const named = avatarOfImage(imageId)
  if (named === undefined) throw invalidFields([{ field: 'imageId', message: 'is not an avatar' }])
  return named
}

/**
 * Creates a profile of the account.
 *
 * @throws ServiceError tooManyProfiles, profileNameTaken, forbidden if the account may not have a child's profile
 */
export async function createProfile(
  db: Database,
  accountId: number,
  written: WrittenProfile,
  rules: ProfileRules,
): Promise<ProfileRow> {
  const fields = storedFields(written, NEW_PROFILE)
  requireLanguage(fields.language, rules)
  return await db.transaction(async (tx) => {
    // Lock the account. The second of two concurrent calls then counts the profile of the first call too.
    await lockAccount(tx, accountId)
    const existing = await listProfilesOf(tx, accountId)
    const most = isMultiProfile(existing, rules) ? rules.maximumProfiles : 1
    if (existing.length >= most) throw new ServiceError('tooManyProfiles')
    requireFreeName(existing, fields.name)
    if (fields.kid) requireKidAllowed(existing, rules)
    return await storeProfile(tx, { ...fields, accountId, isDefault: existing.length === 0 })
  })
}

/**
 * Throws `forbidden` if the operator allows no children's profiles, or if the account has no other adult's profile
 * (A5-25, A5-26).
 */
function requireKidAllowed(others: readonly ProfileRow[], rules: ProfileRules): void {
  if (!rules.isKidProfileCreationEnabled || !others.some(({ kid }) => !kid))
    throw new ServiceError('forbidden')
}

function requireLanguage(language: string, { languages }: ProfileRules): void {
  if (!languages.includes(language))
    throw invalidFields([{ field: 'language', message: 'is not a language of the storefront' }])
}

function requireFreeName(others: readonly ProfileRow[], name: string): void {
  const taken = others.some((other) => other.name.toLowerCase() === name.toLowerCase())
  if (taken) throw new ServiceError('profileNameTaken', { fields: [{ field: 'name', message: 'is taken' }] })
}

/**
 * Changes a profile of the account.
 *
 * @param requireCode called while the profile is locked, if the change lets the profile see more than before
 * @throws ServiceError notFound, profileNameTaken, the errors of `requireCode`; forbidden for a child's profile if it
 * is the default profile, or the account may not have a child's profile
 */
export async function updateProfile(
  db: Database,
  accountId: number,
  id: number,
  written: WrittenProfile,
  rules: ProfileRules,
  requireCode: (tx: Transaction) => Promise<void>,
): Promise<ProfileRow> {
  return await db.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const profiles = await listProfilesOf(tx, accountId)
    const row = profiles.find((each) => each.id === id)
    if (!row) throw new ServiceError('notFound')
    const fields = storedFields(written, row)
    // A profile may keep a language that the operator no longer offers.
    if (fields.language !== row.language) requireLanguage(fields.language, rules)
    if (showsMore(row, fields)) await requireCode(tx)
    const others = profiles.filter((each) => each.id !== id)
    requireFreeName(others, fields.name)
    if (fields.kid && row.isDefault) throw new ServiceError('forbidden')
    if (fields.kid && !row.kid) requireKidAllowed(others, rules)
    const changed = await changeProfile(tx, id, fields)
    if (!changed) throw new ServiceError('notFound')
    return changed
  })
}

type Limits = Pick<ProfileRow, 'kid' | 'maximumMoralityLevel'>

/** Returns whether a change shows the profile more titles than before. A level of 0 means no limit. */
function showsMore(before: Limits, after: Limits): boolean {
  const level = (limits: Limits) => limits.maximumMoralityLevel || Number.POSITIVE_INFINITY
  return (before.kid && !after.kid) || level(after) > level(before)
}

/**
 * Deletes a profile of the account, with all its data.
 *
 * @throws ServiceError notFound, forbidden for the default profile (A6-04)
 */
export async function deleteProfile(db: Database, accountId: number, id: number): Promise<void> {
  const { isDefault } = await requireProfile(db, accountId, id)
  if (isDefault) throw new ServiceError('forbidden')
  await removeProfile(db, id)
}

/** Merges the given preferences into the preferences of the profile. @throws ServiceError notFound */
export async function changeSettings(
  db: Database,
  profileId: number,
  settings: ProfileSettings,
): Promise<ProfileSettings> {
  const changed = await mergeSettings(db, profileId, settings)
  if (!changed) throw new ServiceError('notFound')
  return changed
}

export {
  listProfilesOf as listProfiles,
  type NewProfile,
  type ProfileRow,
  renameDefaultProfile,
} from './profiles.repository.ts'

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
    // An adult's profile with a level above 0 has parental control, even if the level was set directly in the
    // database.
    parentalControl: row.parentalControl || (!row.kid && row.maximumMoralityLevel > 0),
    default: row.isDefault,
    maximumMoralityLevel: row.maximumMoralityLevel,
    settings: row.settings,
  }
}
