import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { adultCode } from '@ondine/contract/parental-code'
import { createProfile, deleteProfile, listAvatars, type Profile } from '@ondine/contract/profiles'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { bundledWords } from '../../../words/bundled-words.ts'
import { editProfile } from './edit-profile.ts'

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', prefix: { path: '', atRoot: true } }),
}))
vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn() } }))
vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => bundledWords('fra') }))

const TOM = { name: 'Tom', language: 'fra', avatarId: null, isKid: false, hasControl: false, level: 6 }
const PROFILE: Profile = {
  id: 2,
  name: 'Lou',
  language: 'fra',
  picture: null,
  avatarId: null,
  imageId: null,
  kidProfile: true,
  parentalControl: false,
  default: false,
  maximumMoralityLevel: 1,
  settings: {},
}

/** The values that the form of the profile showed at each opening. */
const begun: unknown[] = []
/** The answers of the viewer to the forms, in order. */
let replies: ('save' | 'delete' | null)[] = []
let alerts: unknown[] = []

beforeEach(() => {
  begun.length = 0
  alerts = []
  // The account has no parental code, and a child's profile is active.
  vi.mocked(call).mockImplementation(async (operation): Promise<never> => {
    if (operation === listAvatars) return [] as never
    if (operation === adultCode) return { set: false } as never
    if (operation === createProfile || operation === deleteProfile)
      throw new ApiError({ code: -1612, status: 403, message: 'refused' })
    throw new Error(`The test answers no call ${operation.name}.`)
  })
  vi.mocked(modal.open).mockImplementation(async (type, opened): Promise<never> => {
    if (type === 'alert') alerts.push(opened)
    if (type === 'confirm') return true as never
    if (type !== 'profile') return undefined as never
    const form = opened as { initial: unknown; save: (fields: unknown) => Promise<unknown> }
    begun.push(form.initial)
    const reply = replies.shift() ?? null
    if (reply !== 'save') return reply as never
    expect(await form.save(TOM)).toBeUndefined()
    return 'saved' as never
  })
})

const ADULT_FIRST = {
  title: 'Passez d’abord à un profil adulte',
  description: 'Un profil enfant ne peut pas modifier les profils du compte.',
}

test('A6-05 a child of an account without a code is told to leave the profile first, and keeps what was entered', async () => {
  replies = ['save', null]
  expect(await editProfile(undefined, [PROFILE], DEFAULT_CONFIGURATION, undefined)).toBeNull()
  expect(alerts).toEqual([ADULT_FIRST])
  expect(begun).toEqual([expect.objectContaining({ name: '' }), TOM])
})

test('A6-05 a child of an account without a code is told to leave the profile before deleting one', async () => {
  replies = ['delete']
  expect(await editProfile(PROFILE, [PROFILE], DEFAULT_CONFIGURATION, undefined)).toBeNull()
  expect(alerts).toEqual([ADULT_FIRST])
})
