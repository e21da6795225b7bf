import type { ProfileSettings } from '@ondine/contract/profiles'
import type { Database, Transaction } from '../../database/connection.ts'
import { invalidFields, ServiceError } from '../../http/errors.ts'
import { isAvatar } from './avatars.ts'
import {
  changeProfile,
  listProfilesOf,
  lockAccount,
  mergeSettings,
  type ProfileRow,
  removeProfile,
  storeProfile,
} from './profiles.repository.ts'

/** A profile of the account: the one asked for, or the default one. */
export async function requireProfile(
  db: Database | Transaction,
  accountId: number,
  profileId?: number,
): Promise<ProfileRow> {
  const all = await listProfilesOf(db, accountId)
  const found = profileId === undefined ? all[0] : all.find((profile) => profile.id === profileId)
  // Another account's profile is not found, never forbidden: nobody learns that it exists.
  if (!found) throw new ServiceError('notFound')
  return found
}

/** A profile as it was filled in. */
export interface WrittenProfile {
  name: string
  language: string
  kidProfile: boolean
  parentalControl: boolean
  maximumMoralityLevel: number
  avatarId?: number | undefined
}

/** The lowest level that there is: all that a child may see of whom nobody said more. */
const LOWEST_LEVEL = 1

function levelOf(kid: boolean, parentalControl: boolean, written: number): number {
  if (kid) return Math.max(written, LOWEST_LEVEL)
  return parentalControl ? written : 0
}

/** What the operator lets an account have. */
export interface ProfileRules {
  maximumProfiles: number
  isMultiProfileEnabled: boolean
  isKidProfileCreationEnabled: boolean
}

/** What is stored of a written profile: without kid flag and parental control there is no level (A5-27), and a child always has one. */
function storedFields(written: WrittenProfile) {
  const { name, language, kidProfile: kid, avatarId } = written
  if (avatarId !== undefined && !isAvatar(avatarId)) {
    throw invalidFields([{ field: 'avatarId', message: 'is no avatar' }])
  }
  // A child's level holds by itself: the switch of parental control is a grown-up's (A5-28).
  const parentalControl = written.parentalControl && !kid
  return {
    name,
    language,
    kid,
    parentalControl,
    avatarId: avatarId ?? null,
    maximumMoralityLevel: levelOf(kid, parentalControl, written.maximumMoralityLevel),
  }
}

/**
 * Makes a profile of the account.
 *
 * @throws ServiceError tooManyProfiles, usernameTaken, forbidden where the operator lets no child have one
 */
export async function createProfile(
  db: Database,
  accountId: number,
  written: WrittenProfile,
  rules: ProfileRules,
): Promise<ProfileRow> {
  const fields = storedFields(written)
  return await db.transaction(async (tx) => {
    // Of two that are made at once, the second one counts the first.
    await lockAccount(tx, accountId)
    const existing = await listProfilesOf(tx, accountId)
    const most = rules.isMultiProfileEnabled ? rules.maximumProfiles : 1
    if (existing.length >= most) throw new ServiceError('tooManyProfiles')
    requireFreeName(existing, fields.name)
    if (fields.kid) requireKidAllowed(existing, rules)
    return await storeProfile(tx, { ...fields, accountId, isDefault: existing.length === 0 })
  })
}

/** A child's profile needs a grown-up's beside it (A5-25, A5-26). */
function requireKidAllowed(others: readonly ProfileRow[], rules: ProfileRules): void {
  if (!rules.isKidProfileCreationEnabled || !others.some(({ kid }) => !kid))
    throw new ServiceError('forbidden')
}

function requireFreeName(others: readonly ProfileRow[], name: string): void {
  const taken = others.some((other) => other.name.toLowerCase() === name.toLowerCase())
  if (taken) throw new ServiceError('usernameTaken')
}

/**
 * Changes a profile of the account.
 *
 * @param requireCode is called where the change gives the profile more to see than it has when nobody else can change it
 * @throws ServiceError notFound, usernameTaken, forbidden for a default profile that becomes a child's; whatever `requireCode` throws
 */
export async function updateProfile(
  db: Database,
  accountId: number,
  id: number,
  written: WrittenProfile,
  rules: ProfileRules,
  requireCode: (tx: Transaction) => Promise<void>,
): Promise<ProfileRow> {
  const fields = storedFields(written)
  return await db.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const profiles = await listProfilesOf(tx, accountId)
    const row = profiles.find((each) => each.id === id)
    if (!row) throw new ServiceError('notFound')
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

/** Whether a change lets a profile see what it could not see before. 0 is no limit. */
function showsMore(before: Limits, after: Limits): boolean {
  const level = (limits: Limits) => limits.maximumMoralityLevel || Number.POSITIVE_INFINITY
  return (before.kid && !after.kid) || level(after) > level(before)
}

/**
 * Deletes a profile of the account, with all that it kept.
 *
 * @throws ServiceError notFound, forbidden for the default one (A6-04)
 */
export async function deleteProfile(db: Database, accountId: number, id: number): Promise<void> {
  const { isDefault } = await requireProfile(db, accountId, id)
  if (isDefault) throw new ServiceError('forbidden')
  await removeProfile(db, id)
}

/** Keeps preferences beside those that the profile has. @throws ServiceError notFound */
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
  insertProfiles,
  listProfilesOf as listProfiles,
  type NewProfile,
  type ProfileRow,
  renameDefaultProfile,
} from './profiles.repository.ts'
