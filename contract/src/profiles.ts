import * as z from 'zod'
import { SORT_OPTIONS } from './configuration-values.ts'
import { ACCOUNTS } from './constants.ts'
import type { FieldFault } from './field-faults.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { hasControls, isShown } from './shown-names.ts'
import { flag, id, integer, json, language, text } from './wire.ts'

/** Preferences of a profile. Preferences that were never set are omitted (A3-10). */
const profileSettings = z.object({
  categorySortingOption: z.enum(SORT_OPTIONS).optional(),
  layoutMode: z.enum(['grid', 'list']).optional(),
  /** Three-letter codes; `non` for no subtitles. */
  audioLanguage: z.string().max(3).optional(),
  subtitleLanguage: z.string().max(3).optional(),
  /** Whether the subtitles are those for the deaf, if a title has both kinds. */
  subtitleCaptions: z.boolean().optional(),
})
export type ProfileSettings = z.infer<typeof profileSettings>

/** A viewer of the account (A3-08). */
export const profile = z.object({
  id: z.int(),
  name: z.string(),
  language: z.string(),
  /** Id of the profile's picture; null without one. */
  picture: z.string().nullable(),
  avatarId: z.int().nullable(),
  imageId: z.string().nullable(),
  kidProfile: z.boolean(),
  parentalControl: z.boolean(),
  default: z.boolean(),
  /** Highest age level of the content that the profile sees, 0 to 6; 0 means no limit (spec 27). */
  maximumMoralityLevel: z.int(),
  settings: profileSettings,
})
export type Profile = z.infer<typeof profile>

/** An avatar (A3-10). The call `imgdata` with the type `avatar` returns the picture that `imageId` names. */
const avatar = z.object({ id: z.int(), imageId: z.string(), name: z.string() })

/** Longest name of a profile, in characters. */
export const PROFILE_NAME_MAX = 40

const fields = {
  name: text(PROFILE_NAME_MAX)
    .trim()
    .refine(isShown, 'requiredField' satisfies FieldFault)
    .refine((name) => !hasControls(name), 'invalid' satisfies FieldFault),
  language,
  kidProfile: flag.optional(),
  /** Whether an adult's profile has a limit. By default, it has one if its level is above 0. */
  parentalControl: flag.optional(),
  avatarId: integer(1, 1000).optional(),
  /** Names the avatar by its picture, instead of `avatarId`. Empty for no avatar. */
  imageId: text(100).optional(),
  maximumMoralityLevel: integer(0, ACCOUNTS.moralityLevelMax).optional(),
  default: flag.optional(),
  parentalProof,
}

/** The profiles of the account, the default one first (A7.3-03). */
export const listProfiles = operation({
  name: 'listProfiles',
  method: 'GET',
  path: '/crm/profile',
  as: 'account',
  child: 'allowed',
  summary: 'The profiles of the account.',
  input: z.object({}),
  output: z.array(profile),
})

/** The avatars for profiles (A7.3-04). */
export const listAvatars = operation({
  name: 'listAvatars',
  method: 'GET',
  path: '/crm/profile/avatars',
  as: 'account',
  child: 'allowed',
  summary: 'The available avatars for profiles.',
  input: z.object({}),
  output: z.array(avatar),
})

/**
 * Creates a profile (A7.3-05). With `parentalControl=false`, an adult's profile has no limit, even if a level is given
 * (A5-27). A child's profile always has a limit: the given level, or level 1, the lowest. A call from a child's
 * profile requires the proof of the parental code.
 */
export const createProfile = operation({
  name: 'createProfile',
  method: 'POST',
  path: '/crm/profile',
  as: 'account',
  summary: 'Creates a profile.',
  input: z.object(fields),
  output: profile,
  errors: ['tooManyProfiles', 'profileNameTaken', 'forbidden', 'invalidAccessCode'],
})

/**
 * Changes a profile (A7.3-06). Omitted fields stay the same. A child's profile with level 0 gets the lowest level, 1. A
 * change that lets the profile see more requires the proof of the parental code.
 */
export const updateProfile = operation({
  name: 'updateProfile',
  method: 'PUT',
  path: '/crm/profile/:id',
  as: 'account',
  summary: 'Changes a profile.',
  input: z.object({ id, ...fields }),
  output: profile,
  errors: ['notFound', 'profileNameTaken', 'forbidden', 'invalidAccessCode'],
})

/** Deletes a profile and its data. The default profile cannot be deleted (A7.3-07, A6-04). */
export const deleteProfile = operation({
  name: 'deleteProfile',
  method: 'DELETE',
  path: '/crm/profile/:id',
  as: 'account',
  summary: 'Deletes a profile.',
  input: z.object({ id, parentalProof }),
  output: z.null(),
  errors: ['notFound', 'forbidden', 'invalidAccessCode'],
})

/** Activates a profile (A7.3-08). Leaving a child's profile requires the proof of the parental code (A6-05). */
export const activateProfile = operation({
  name: 'activateProfile',
  method: 'POST',
  path: '/crm/profile/active',
  as: 'account',
  child: 'allowed',
  summary: 'Makes a profile the active one.',
  input: z.object({ idProfile: id, parentalProof }),
  output: z.object({ profileToken: z.string() }),
  errors: ['notFound', 'invalidAccessCode'],
})

/** Changes preferences of the active profile. Omitted preferences stay the same (A3-10). */
export const changeProfileSettings = operation({
  name: 'changeProfileSettings',
  method: 'POST',
  path: '/crm/profile/settings',
  as: 'profile',
  child: 'allowed',
  summary: 'Changes preferences of the active profile.',
  input: z.object({ settings: json(profileSettings.strict()) }),
  output: profileSettings,
  errors: ['notFound'],
})
