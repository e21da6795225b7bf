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

/** Goes to home. Does nothing if the viewer is already there (A4.6-02). */
type GoHome = () => Promise<void>

/**
 * Asks who is watching, and makes that profile the active one (A4.6, A2.3). If parental control is enabled, a
 * child's profile can only be left with the parental code (A4.6-03, V1-11). The viewer can also create and change
 * profiles, and then chooses again.
 */
export async function switchProfile(
  queries: QueryClient,
  active: Pick<Profile, 'id' | 'kidProfile'> | null,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  let proof: string | undefined
  const isGuarded = active?.kidProfile === true && configuration.accounts.isParentalControlEnabled
  // If the account has no parental code, the service lets the child leave the profile without a code.
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
      // The session may be older than the profiles, so their number counts here (spec 31).
      canAdd: configuration.accounts.isMultiProfileEnabled || profiles.length > 1,
    })
    if (answer === null) return
    if (answer.action === 'switch') {
      if (answer.idProfile !== current) await activate(queries, answer.idProfile, proof, goHome)
      return
    }
    const edited = answer.action === 'edit' ? profiles.find(({ id }) => id === answer.idProfile) : undefined
    const became = await editProfile(edited, profiles, configuration, proof)
    // The current screen decides on the next page, even if the viewer closed the form without creating a profile
    // (A4.6-04).
    if (answer.action !== 'edit' && newProfileClosed()) return
    if (edited === undefined || edited.id !== current) continue
    if (became === 'deleted') {
      // The active profile was deleted. The default profile, which cannot be deleted, becomes the active one.
      const [left] = await call(listProfiles, {})
      if (left === undefined) return
      current = (await activate(queries, left.id, proof, goHome)) ? left.id : null
    } else if (became === 'saved') {
      await changed(queries, edited, goHome)
    }
  }
}

/**
 * Asks who is watching after a sign-in (A4.6-01), if the operator enables the question. Asks if no profile is
 * active, or if the account has several profiles.
 */
export async function chooseProfile(
  queries: QueryClient,
  active: Profile | null,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  if (!configuration.accounts.isSwitchProfileModalEnabled) return
  if (active !== null && (await call(listProfiles, {})).length < 2) return
  // Waits until no modal is open, because the page may already show the modal for a television's code.
  await modal.free()
  await switchProfile(queries, active, configuration, goHome)
}

/** Makes a profile the active one. @returns false if the viewer did not enter the required parental code */
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
 * Handles a change of the active profile. Goes to home if another profile or no profile is active now, or if the
 * level, the parental control or the kind (adult or child) of the active profile has changed. The content of the
 * current page is then possibly not suitable.
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

/**
 * Opens the form of the active profile. An account with only one profile opens this form instead of the choice of
 * a profile (V2.4-16).
 */
export async function editActiveProfile(
  queries: QueryClient,
  active: Profile,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  const became = await editProfile(active, await call(listProfiles, {}), configuration, undefined)
  if (became !== null) await changed(queries, active, goHome)
}
