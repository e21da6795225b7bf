import type { Configuration } from '@ondine/contract/configuration'
import { adultCode } from '@ondine/contract/parental-code'
import { activateProfile, listProfiles, type Profile } from '@ondine/contract/profiles'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { askParentalCode, withParentalCode } from '../parental/ask-code.ts'
import { forgetVisitor } from '../sign-in/sign-in.ts'
import { newProfileClosed } from './after-new-profile.ts'
import { editProfile } from './edit-profile.ts'
import { profilePicture } from './profile-picture.ts'

/** Goes home, unless home is already shown (A4.6-02). */
type GoHome = () => Promise<void>

/**
 * Asks who is watching, and makes that profile the active one (A4.6, A2.3). To leave a child's profile, the viewer enters the parental code
 * first, where parental control is enabled (A4.6-03, V1-11). The chooser also creates and changes profiles, and reopens afterwards.
 */
export async function switchProfile(
  queries: QueryClient,
  active: Pick<Profile, 'id' | 'kidProfile'> | null,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  let proof: string | undefined
  const isGuarded = active?.kidProfile === true && configuration.accounts.isParentalControlEnabled
  // If the account has no code, none can be entered, and the service lets the child leave the profile.
  if (isGuarded && (await call(adultCode, {})).set) {
    const given = await askParentalCode()
    if (given === null) return
    proof = given
  }
  let current = active?.id ?? null
  for (;;) {
    const profiles = await call(listProfiles, {})
    await modal.free()
    const answer = await modal.open('switchProfile', {
      profiles: profiles.map((profile) => ({
        idProfile: profile.id,
        name: profile.name,
        isKid: profile.kidProfile,
        picture: profilePicture(profile),
      })),
      activeProfile: current,
      // An account with several profiles can add another one even if the setting is off (spec 31).
      canAdd: configuration.accounts.isMultiProfileEnabled || profiles.length > 1,
    })
    if (answer === null) return
    if (answer.action === 'switch') {
      if (answer.idProfile !== current) await activate(queries, answer.idProfile, proof, goHome)
      return
    }
    const edited = answer.action === 'edit' ? profiles.find(({ id }) => id === answer.idProfile) : undefined
    const became = await editProfile(edited, profiles, configuration, proof)
    // Applies even if the viewer closed the form without a new profile (A4.6-04).
    if (answer.action !== 'edit' && newProfileClosed()) return
    if (edited === undefined || edited.id !== current) continue
    if (became === 'deleted') {
      // A profile must be active. The default profile becomes active, because it cannot be deleted.
      const [left] = await call(listProfiles, {})
      if (left === undefined) return
      current = (await activate(queries, left.id, proof, goHome)) ? left.id : null
    } else if (became === 'saved') {
      await changed(queries, edited, goHome)
    }
  }
}

/**
 * Asks who is watching after a sign-in (A4.6-01), if the operator enables the chooser, and if no profile is
 * active or the account has several.
 */
export async function chooseProfile(
  queries: QueryClient,
  active: Profile | null,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  const { isSwitchProfileModalEnabled, isMultiProfileEnabled } = configuration.accounts
  if (!isSwitchProfileModalEnabled) return
  const isOpen = active !== null && (!isMultiProfileEnabled || (await call(listProfiles, {})).length < 2)
  if (isOpen) return
  // The page may already show another modal, such as the dialog for the code of a television.
  await modal.free()
  await switchProfile(queries, active, configuration, goHome)
}

/** Makes a profile the active one. @returns false when the parental code was required and not entered */
async function activate(
  queries: QueryClient,
  idProfile: number,
  known: string | undefined,
  goHome: GoHome,
): Promise<boolean> {
  const activated = await withParentalCode(
    async (asked) => await call(activateProfile, { idProfile, parentalProof: asked ?? known }),
  )
  if (activated === null) return false
  await forgetVisitor(queries, goHome)
  return true
}

/**
 * Handles a change of the active profile. If the profile may see other content now, leaves the page, because
 * its content may not be suitable.
 */
async function changed(queries: QueryClient, before: Profile, goHome: GoHome): Promise<void> {
  await forgetVisitor(queries, async () => {
    const { profile } = await queries.ensureQueryData(sessionQuery)
    if (profile === null || !seesTheSame(before, profile)) await goHome()
  })
}

function seesTheSame(one: Profile, other: Profile): boolean {
  return (
    one.id === other.id &&
    one.kidProfile === other.kidProfile &&
    one.parentalControl === other.parentalControl &&
    one.maximumMoralityLevel === other.maximumMoralityLevel
  )
}

/** Opens the form of the active profile, for an account with only one profile (V2.4-16). */
export async function editActiveProfile(
  queries: QueryClient,
  active: Profile,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  const became = await editProfile(active, await call(listProfiles, {}), configuration, undefined)
  if (became !== null) await changed(queries, active, goHome)
}
