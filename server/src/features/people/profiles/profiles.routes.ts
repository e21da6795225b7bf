import {
  activateProfile,
  changeProfileSettings,
  createProfile,
  deleteProfile,
  listAvatars,
  listProfiles,
  updateProfile,
} from '@ondine/contract/profiles'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { Call, On } from '../../../http/operations.ts'
import type { SignedIn } from '../../../http/principal.ts'
import { requireAccount } from '../accounts/accounts.service.ts'
import { AVATARS, avatarImageId } from './avatars.service.ts'
import * as profiles from './profiles.service.ts'
import { presentProfile } from './profiles.service.ts'

/** Functions of higher features for the calls about profiles. */
export interface ProfilePorts {
  /** Requires a proof of the parental code. Does nothing for an account without a code. */
  requireProof(db: Database | Transaction, accountId: number, proof: string | undefined): Promise<void>
  /** Makes the profile active in a sign-in, and returns the profile's token. */
  watch(account: SignedIn, profile: profiles.ProfileRow, reply: FastifyReply, now: number): Promise<string>
}

export function registerProfiles(
  on: On,
  { db, configurations, viewers }: Pick<Context, 'db' | 'configurations' | 'viewers'>,
  { requireProof, watch }: ProfilePorts,
): void {
  /**
   * Requires a proof of the parental code if the active profile is a child's and the account has a code (A6-05).
   */
  async function requireLeave(call: Call<'account'>, proof: string | undefined): Promise<void> {
    if (!call.profile) return
    const all = await profiles.listProfiles(db, call.account.id)
    const active = all.find(({ id }) => id === call.profile?.id)
    if (active?.kid ?? call.profile.kid) await requireProof(db, call.account.id, proof)
  }

  const rulesOf = (call: Call) => {
    const { accounts, languages } = configurations.of(call.storefront.id)
    return { ...accounts, languages: languages.languages }
  }

  on(listProfiles, async (_input, call) => {
    await viewers.of(call, call.now)
    return (await profiles.listProfiles(db, call.account.id)).map(presentProfile)
  })

  on(listAvatars, async (_input, call) => {
    await viewers.of(call, call.now)
    return AVATARS.map(({ id, names }) => ({
      id,
      imageId: avatarImageId(id),
      name: call.language === 'fra' ? names.fra : names.eng,
    }))
  })

  on(createProfile, async (written, call) => {
    await requireAccount(db, call.account)
    return presentProfile(await profiles.createProfile(db, call.account.id, written, rulesOf(call)))
  })

  on(updateProfile, async ({ id, parentalProof, ...written }, call) => {
    await requireAccount(db, call.account)
    // The code is required even while the operator has disabled parental control. Otherwise changed limits would
    // take effect when the operator enables it again (V1-11).
    const requireCode = async (tx: Transaction) => await requireProof(tx, call.account.id, parentalProof)
    return presentProfile(
      await profiles.updateProfile(db, call.account.id, id, written, rulesOf(call), requireCode),
    )
  })

  on(deleteProfile, async ({ id }, call) => {
    await requireAccount(db, call.account)
    await profiles.deleteProfile(db, call.account.id, id)
    return null
  })

  on(activateProfile, async ({ idProfile, parentalProof }, call) => {
    await requireAccount(db, call.account)
    const profile = await profiles.requireProfile(db, call.account.id, idProfile)
    // While the operator has disabled parental control, leaving a child's profile requires no code (V1-11).
    const isGuarded = rulesOf(call).isParentalControlEnabled && profile.id !== call.profile?.id
    if (isGuarded) await requireLeave(call, parentalProof)
    return { profileToken: await watch(call.account, profile, call.reply, call.now) }
  })

  on(changeProfileSettings, async ({ settings: wanted }, { profile, account }) => {
    await requireAccount(db, account)
    const { id } = await profiles.requireProfile(db, account.id, profile.id)
    return await profiles.changeSettings(db, id, wanted)
  })
}
