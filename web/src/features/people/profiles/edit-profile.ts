import type { Configuration } from '@ondine/contract/configuration'
import { ACCOUNTS } from '@ondine/contract/constants'
import { isLanguage } from '@ondine/contract/languages'
import { adultCode } from '@ondine/contract/parental-code'
import {
  createProfile,
  deleteProfile,
  listAvatars,
  type Profile,
  updateProfile,
} from '@ondine/contract/profiles'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { environment } from '../../../api/environment.ts'
import { modal } from '../../../modals/modal.ts'
import type { ProfileFault, ProfileFields } from '../../../modals/modal-kinds.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { languageTitle } from '../../../words/format.ts'
import { describeError } from '../../ground/errors/describe-error.ts'
import { providerError } from '../../ground/errors/provider-errors.ts'
import { refusalText } from '../../ground/errors/refusal-text.ts'
import { askParentalCode, withParentalCode } from '../parental/ask-code.ts'
import { avatarPicture } from './profile-picture.ts'

/**
 * Opens the form of a profile, and stores the entered values (A2.3-08). If a change requires the parental code,
 * the viewer is asked for the code before the change is stored. If storing fails, or the viewer gives no code, the form
 * opens again with the same values.
 *
 * @param profile the profile to change; undefined for a new one
 * @param profiles all profiles of the account
 * @param given the proof of the parental code, if the viewer has already entered the code
 * @returns whether the profile was saved or deleted; null if nothing was stored
 */
export async function editProfile(
  profile: Profile | undefined,
  profiles: readonly Profile[],
  configuration: Configuration,
  given: string | undefined,
): Promise<'saved' | 'deleted' | null> {
  const { t, exists } = pageWords()
  const { accounts, languages } = configuration
  const { language } = environment()
  const [avatars, { set: hasCode }] = await Promise.all([call(listAvatars, {}), call(adultCode, {})])
  const isDefault = profile?.default ?? false
  let proof = given
  let initial = fieldsOf(profile, language)
  for (;;) {
    let wantsCode = false
    const storing: { fault?: Promise<ProfileFault | undefined> } = {}
    const storeOrFault = async (fields: ProfileFields): Promise<ProfileFault | undefined> => {
      try {
        await store(profile?.id, fields, proof)
        return undefined
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code !== CODES.invalidAccessCode) return faultOf(error)
        wantsCode = true
        return undefined
      }
    }
    const saved = await modal.open('profile', {
      initial,
      avatars: avatars.map(({ id, name, imageId }) => ({ id, name, picture: avatarPicture(imageId) })),
      languages: languages.languages.map((id) => ({ id, title: languageTitle(id, language) })),
      levels: accounts.levelAges.map((age, index) => ({
        id: String(index + 1),
        title: t('profiles.levelOption', { age }),
      })),
      isNew: profile === undefined,
      isDefault,
      noKid: noKid(),
      hasControl: accounts.isParentalControlEnabled,
      hasCode,
      save: async (fields) => {
        initial = fields
        storing.fault = storeOrFault(fields)
        return await storing.fault
      },
    })
    if (saved === 'delete' && profile !== undefined) return await removeProfile(profile, proof)
    // The viewer may have closed the form while the values were stored.
    const isStored = saved === 'saved' || (storing.fault !== undefined && (await storing.fault) === undefined)
    if (!isStored) return null
    if (!wantsCode) return 'saved'
    if (saved !== 'saved') return null
    // Without a proof, the form opens again with the same values.
    proof = (await askParentalCode('profiles')) ?? proof
  }

  function noKid(): string | undefined {
    if (!accounts.isKidProfileCreationEnabled) return t('profiles.kidDisabled')
    const others = profiles.filter(({ id }) => id !== profile?.id)
    return others.some(({ kidProfile }) => !kidProfile) ? undefined : t('profiles.error-no-adult-profile')
  }

  function faultOf(error: ApiError): ProfileFault {
    const known = providerError(error, t)
    return known?.field === 'name'
      ? { field: 'name', text: known.text }
      : { text: refusalText(error, t, exists) }
  }
}

function fieldsOf(profile: Profile | undefined, language: string): ProfileFields {
  if (profile === undefined) {
    return {
      name: '',
      language,
      avatarId: null,
      isKid: false,
      hasControl: false,
      level: ACCOUNTS.moralityLevelFormDefault,
    }
  }
  return {
    name: profile.name,
    language: profile.language,
    avatarId: profile.avatarId,
    isKid: profile.kidProfile,
    hasControl: profile.parentalControl,
    // For a profile without a limit, the form suggests the highest level (A3-09).
    level: profile.maximumMoralityLevel || ACCOUNTS.moralityLevelFormDefault,
  }
}

async function store(
  id: number | undefined,
  fields: ProfileFields,
  parentalProof: string | undefined,
): Promise<void> {
  const { name, language, avatarId, isKid, hasControl, level } = fields
  if (!isLanguage(language)) return
  const written = {
    name,
    language,
    kidProfile: isKid,
    parentalControl: hasControl,
    maximumMoralityLevel: isKid || hasControl ? level : 0,
    ...(avatarId === null ? {} : { avatarId }),
    parentalProof,
  }
  if (id === undefined) await call(createProfile, written)
  else await call(updateProfile, { id, ...written })
}

async function removeProfile({ id, name }: Profile, known: string | undefined): Promise<'deleted' | null> {
  const { t, exists } = pageWords()
  const sure = await modal.open('confirm', {
    title: t('profiles.deleteTitle', { name }),
    description: t('profiles.deleteText'),
    primaryLabel: t('profiles.delete'),
  })
  if (!sure) return null
  try {
    const deleted = await withParentalCode(async (asked) => {
      await call(deleteProfile, { id, parentalProof: asked ?? known })
      return 'deleted' as const
    }, 'profiles')
    return deleted
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { text } = describeError(error, t, exists)
    await modal.open('alert', { title: t('profiles.popup-error-title'), description: text })
    return null
  }
}
