import { removeActiveAsset, restoreActiveAsset } from '@ondine/contract/catalogue'
import {
  casAddDevice,
  casAuth,
  casAvailableDevice,
  casDeviceCount,
  casRemoveDevice,
} from '@ondine/contract/devices'
import {
  addFavoriteAsset,
  addFavoriteChannel,
  favoriteAssets,
  favoriteChannels,
  removeFavoriteAsset,
  removeFavoriteChannel,
} from '@ondine/contract/favourites'
import type { InputOf } from '@ondine/contract/operation'
import { addMaterialByPairing, pairingDevice, pairingStatus, startPairing } from '@ondine/contract/pairing'
import { adultCode, setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import {
  activateProfile,
  changeProfileSettings,
  createProfile,
  deleteProfile,
  listAvatars,
  listProfiles,
  updateProfile,
} from '@ondine/contract/profiles'
import { assetScore, changeScoreAsset } from '@ondine/contract/scores'
import type { ActorOptions } from '../builders.ts'
import type { Tokens } from '../service.ts'
import {
  type Case,
  CODE,
  configured,
  type Fields,
  type Given,
  type Row,
  row,
  type Scene,
  withCode,
} from './answers.ts'

const CAMILLE = { name: 'Camille', language: 'fra' }
const NOA = {
  name: 'Noa',
  language: 'fra',
  kidProfile: false,
  parentalControl: false,
  maximumMoralityLevel: 0,
} as const
const KID = { kid: true, maximumMoralityLevel: 2 }
const LAYOUT = { settings: '{"layoutMode":"grid"}' }
/** An id that does not exist. */
const NOWHERE = '2147483647'

/** Creates another profile of an account. @returns its id, and the tokens of its viewer */
async function secondProfile(
  { service, actor: { tokens } }: Scene,
  fields: Partial<InputOf<typeof createProfile>> = {},
): Promise<{ id: number; watching: Tokens }> {
  const { id } = (await service.call(createProfile, { ...NOA, ...fields }, tokens)).result
  const { profileToken } = (await service.call(activateProfile, { idProfile: id }, tokens)).result
  return { id, watching: { ...tokens, 'x-profile-token': profileToken } }
}

/** Prepares the tokens of a profile that was deleted while it was active. */
const deletedProfile: Given = async (scene) => {
  const { id, watching } = await secondProfile(scene)
  await scene.service.call(deleteProfile, { id }, scene.actor.tokens)
  return { tokens: watching }
}

/** Returns the case of a call in an account with a parental code and this profile. */
function guarded(profile: ActorOptions['profile'], field: string, fields: Fields = {}): Case {
  return {
    given: async (scene) => {
      const actor = await scene.make.actor({ profile: profile ?? {} })
      await withCode(scene, actor)
      return { tokens: actor.tokens, fields: { ...fields, [field]: String(actor.profileId) } }
    },
  }
}

/** Returns the case of a call about a profile of the actor (`own`) or of another account (`other`). */
const onProfile = (field: string, whose: 'own' | 'other', fields: Fields = {}): Case => ({
  given: async ({ make, actor }) => {
    const { profileId } = whose === 'own' ? actor : await make.actor()
    return { fields: { ...fields, [field]: String(profileId) } }
  },
})

const onSecondProfile = (field: string, fields: Fields = {}): Case => ({
  given: async (scene) => ({ fields: { ...fields, [field]: String((await secondProfile(scene)).id) } }),
})

const codeSet: Given = async (scene) => {
  await withCode(scene, scene.actor)
  return undefined
}

/** Returns the case of a call about a device of the actor (`own`) or of another account (`other`). */
const onDevice = (whose: 'own' | 'other', fields: Fields = {}): Case => ({
  given: async ({ service, make, actor }) => {
    const { tokens } = whose === 'own' ? actor : await make.actor()
    await service.call(casAddDevice, { deviceUniqueId: 'browser-of-zoe' }, tokens)
    const [device] = (await service.call(casAvailableDevice, {}, tokens)).result
    return { fields: { ...fields, casDeviceId: String(device?.casDeviceId) } }
  },
})
const fullOfDevices = async ({ service, actor, configure }: Scene) => {
  await service.call(casAddDevice, { deviceUniqueId: 'browser-of-zoe' }, actor.tokens)
  await configure({ 'accounts.maximumDevices': 1 })
}
const DEVICE = { name: 'Salon', type: 'device_tv' }

/** Starts a pairing, as a television does that shows a code. */
const shownTo = async ({ service, client }: Scene) => (await service.call(startPairing, {}, client)).result

/** Returns the case of a call about an existing film. */
const onFilm = (fields: Fields = {}): Case => ({
  given: async ({ make }) => ({ fields: { ...fields, idAsset: String((await make.asset('La Houle')).id) } }),
})
const onChannel: Case = {
  given: async ({ make, actor }) => {
    const rules = { kind: 'sequence', titles: ['x'] }
    const { id } = await make.channel(`The channel of ${actor.account.id}`, rules)
    return { fields: { idChannel: String(id) } }
  },
}
/** Returns the error cases of a call that names a title. */
const named = (fields: Fields = {}) => ({
  invalidInput: { fields: { ...fields, idAsset: '1', idCategory: '1' } },
  contentIdMissing: { fields },
})
/** Returns the case of a call about an existing title after the deletion of the calling profile. */
const afterDeletion = (about: Case): Case => ({
  given: async (scene) => ({ ...(await about.given?.(scene)), ...(await deletedProfile(scene)) }),
})

export const VIEWER_ROWS: readonly Row[] = [
  row(listProfiles, {}),
  row(listAvatars, {}),
  row(
    createProfile,
    { fields: { name: 'Noa', language: 'fra' } },
    {
      invalidInput: { fields: { name: 'Noa', language: 'fra', avatarId: '999' } },
      tooManyProfiles: {
        fields: { name: 'Noa', language: 'fra' },
        given: configured({ 'accounts.maximumProfiles': 1 }),
      },
      profileNameTaken: { fields: CAMILLE },
      forbidden: {
        fields: { name: 'Noa', language: 'fra', kidProfile: 'true' },
        given: configured({ 'accounts.isKidProfileCreationEnabled': false }),
      },
      invalidAccessCode: guarded(KID, 'unused', { name: 'Noa', language: 'fra' }),
    },
  ),
  row(updateProfile, onProfile('id', 'own', CAMILLE), {
    invalidInput: onProfile('id', 'own', { ...CAMILLE, name: '' }),
    notFound: onProfile('id', 'other', CAMILLE),
    profileNameTaken: onSecondProfile('id', CAMILLE),
    forbidden: onProfile('id', 'own', { ...CAMILLE, kidProfile: 'true' }),
    invalidAccessCode: guarded({ parentalControl: true, maximumMoralityLevel: 2 }, 'id', {
      ...CAMILLE,
      maximumMoralityLevel: '0',
    }),
  }),
  row(deleteProfile, onSecondProfile('id'), {
    invalidInput: { fields: { id: '0' } },
    notFound: onProfile('id', 'other'),
    forbidden: onProfile('id', 'own'),
    invalidAccessCode: guarded(KID, 'id'),
  }),
  row(activateProfile, onProfile('idProfile', 'own'), {
    invalidInput: {},
    notFound: onProfile('idProfile', 'other'),
    invalidAccessCode: {
      given: async (scene) => {
        const { watching } = await secondProfile(scene, { kidProfile: true, maximumMoralityLevel: 2 })
        await withCode(scene, scene.actor)
        return { tokens: watching, fields: { idProfile: String(scene.actor.profileId) } }
      },
    },
  }),
  row(
    changeProfileSettings,
    { fields: LAYOUT },
    {
      invalidInput: { fields: { settings: '{"layoutMode":"pile"}' } },
      notFound: { fields: LAYOUT, given: deletedProfile },
    },
  ),

  row(adultCode, {}),
  row(
    setAdultCode,
    { fields: { adultCode: CODE } },
    {
      invalidInput: { fields: { adultCode: '258' } },
      forbidden: {
        fields: { adultCode: CODE },
        given: async (scene) => ({ tokens: (await secondProfile(scene)).watching }),
      },
      notFound: { fields: { adultCode: CODE }, given: deletedProfile },
      invalidAccessCode: { fields: { adultCode: '1111' }, given: codeSet },
      signInFailed: { fields: { adultCode: '1111', currentPassword: 'wrong' }, given: codeSet },
      slowDown: { fields: { adultCode: '1111', currentAdultCode: '0000' }, given: codeSet, times: 5 },
    },
  ),
  row(
    validateAdultCode,
    { fields: { parentalCode: CODE }, given: codeSet },
    {
      invalidInput: { fields: { parentalCode: 'abcd' } },
      notFound: { fields: { parentalCode: CODE } },
      invalidAccessCode: { fields: { parentalCode: '0000' }, given: codeSet },
      slowDown: { fields: { parentalCode: '0000' }, given: codeSet, times: 5 },
    },
  ),

  row(casAvailableDevice, {}),
  row(casDeviceCount, {}),
  row(
    casAddDevice,
    { fields: { deviceUniqueId: 'browser-of-noa' } },
    {
      invalidInput: { fields: { deviceUniqueId: 'short' } },
      deviceUniqueIdMissing: {},
      invalidAccessCode: guarded(KID, 'id', { deviceUniqueId: 'browser-of-noa' }),
      tooManyDevices: {
        fields: { deviceUniqueId: 'browser-of-noa' },
        given: async (scene) => {
          await fullOfDevices(scene)
          return undefined
        },
      },
    },
  ),
  row(casAuth, onDevice('own', DEVICE), {
    invalidInput: onDevice('own', { ...DEVICE, type: 'device_fridge' }),
    casDeviceIdMissing: { fields: DEVICE },
    notFound: onDevice('other', DEVICE),
  }),
  row(casRemoveDevice, onDevice('own'), {
    invalidInput: { fields: { casDeviceId: '-1' } },
    casDeviceIdMissing: {},
    notFound: onDevice('other'),
  }),

  row(startPairing, {}, { slowDown: { times: 60 } }),
  // An unknown secret gives the same answer as an expired secret and the secret of a closed account: `expired`. So
  // the answer reveals nothing.
  row(
    pairingStatus,
    { fields: { secret: 'forged' } },
    {
      invalidInput: {},
      tooManyDevices: {
        given: async (scene) => {
          const { code, secret } = await shownTo(scene)
          await fullOfDevices(scene)
          await scene.service.call(addMaterialByPairing, { code }, scene.actor.tokens)
          return { fields: { secret } }
        },
      },
    },
  ),
  row(
    pairingDevice,
    { given: async (scene) => ({ fields: { code: (await shownTo(scene)).code } }) },
    { invalidInput: { fields: { code: ' ' } }, slowDown: { fields: { code: 'ZZZZZZ' }, times: 5 } },
  ),
  // A code that no television shows gives a result instead of an error, because the screen has a step for it
  // (A4.7-02).
  row(
    addMaterialByPairing,
    { given: async (scene) => ({ fields: { code: (await shownTo(scene)).code } }) },
    {
      invalidInput: { fields: { code: ' ' } },
      notFound: {
        given: async (scene) => ({
          ...(await deletedProfile(scene)),
          fields: { code: (await shownTo(scene)).code },
        }),
      },
      slowDown: { fields: { code: 'ZZZZZZ' }, times: 5 },
    },
  ),

  row(favoriteChannels, {}),
  row(favoriteAssets, {}),
  row(addFavoriteChannel, onChannel, {
    invalidInput: {},
    channelNotFound: { fields: { idChannel: NOWHERE } },
    notFound: afterDeletion(onChannel),
  }),
  // Removing an item that is no favourite succeeds, even if the item does not exist (V7-14, V7-15).
  row(
    removeFavoriteChannel,
    { fields: { idChannel: NOWHERE } },
    { invalidInput: {}, notFound: { fields: { idChannel: NOWHERE }, given: deletedProfile } },
  ),
  // Removing or restoring an asset in continue watching also succeeds if the viewer never started the asset.
  ...[removeActiveAsset, restoreActiveAsset].map((operation) =>
    row(
      operation,
      { fields: { idAsset: NOWHERE } },
      { invalidInput: {}, notFound: { fields: { idAsset: NOWHERE }, given: deletedProfile } },
    ),
  ),
  row(addFavoriteAsset, onFilm(), { ...named(), notFound: { fields: { idAsset: NOWHERE } } }),
  row(
    removeFavoriteAsset,
    { fields: { idAsset: NOWHERE } },
    { ...named(), notFound: { fields: { idAsset: NOWHERE }, given: deletedProfile } },
  ),
  row(assetScore, onFilm(), { ...named(), notFound: { fields: { idAsset: NOWHERE } } }),
  row(changeScoreAsset, onFilm({ score: '4' }), {
    ...named({ score: '4' }),
    notFound: { fields: { idAsset: NOWHERE, score: '4' } },
  }),
]

/** Calls that store data for the calling profile, made after the deletion of this profile. */
export const DELETED_PROFILE: readonly (readonly [Row['operation'], Case])[] = [
  [addFavoriteAsset, afterDeletion(onFilm())],
  [changeScoreAsset, afterDeletion(onFilm({ score: '4' }))],
]
