import type { Configuration } from '@ondine/contract/configuration'
import { adultCode } from '@ondine/contract/parental-code'
import { activateProfile, listProfiles, type Profile } from '@ondine/contract/profiles'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { modal } from '../../modals/modal.ts'
import { sessionQuery } from '../accounts/session.ts'
import { forgetVisitor } from '../accounts/sign-in.ts'
import { askParentalCode, withParentalCode } from '../parental/ask-code.ts'
import { newProfileClosed } from './after-new-profile.ts'
import { editProfile } from './edit-profile.ts'
import { profilePicture } from './profile-picture.ts'

/** Goes to home, where one is not there already (A4.6-02). */
type GoHome = () => Promise<void>

/**
 * Asks who watches, and makes that profile the active one (A4.6, A2.3). Who leaves a child's profile gives the parental
 * code first, where there is parental control (A4.6-03, V1-11). Profiles are made and changed from here too, and the chooser comes back afterwards.
 */
export async function switchProfile(
  queries: QueryClient,
  active: Pick<Profile, 'id' | 'kidProfile'> | null,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  let proof: string | undefined
  const isGuarded = active?.kidProfile === true && configuration.accounts.isParentalControlEnabled
  // Where no code was set there is none to give: the service lets the child go.
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
      // Decision 31.
      canAdd: configuration.accounts.isMultiProfileEnabled || profiles.length > 1,
    })
    if (answer === null) return
    if (answer.action === 'switch') {
      if (answer.idProfile !== current) await activate(queries, answer.idProfile, proof, goHome)
      return
    }
    const edited = answer.action === 'edit' ? profiles.find(({ id }) => id === answer.idProfile) : undefined
    const became = await editProfile(edited, profiles, configuration, proof)
    // Whether one was made or not (A4.6-04).
    if (answer.action !== 'edit' && newProfileClosed()) return
    if (edited === undefined || edited.id !== current) continue
    if (became === 'deleted') {
      // Somebody has to watch: the default profile, which cannot be deleted.
      const [left] = await call(listProfiles, {})
      if (left === undefined) return
      current = (await activate(queries, left.id, proof, goHome)) ? left.id : null
    } else if (became === 'saved') {
      await changed(queries, edited, goHome)
    }
  }
}

/**
 * Asks after a sign-in who watches (A4.6-01): where the operator lets the chooser open, and no profile is active or there are
 * several to choose from.
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
  // The page that one came to may have asked something, such as the code of a television.
  await modal.free()
  await switchProfile(queries, active, configuration, goHome)
}

/** Makes a profile the active one. @returns whether it did: the parental code may have been asked for and not given */
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

/** The profile that watches was changed. One that may see something else now leaves the page, which may not be for it. */
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

/** Changes the profile that watches, where an account has one alone (V2.4-16). */
export async function editActiveProfile(
  queries: QueryClient,
  active: Profile,
  configuration: Configuration,
  goHome: GoHome,
): Promise<void> {
  const became = await editProfile(active, await call(listProfiles, {}), configuration, undefined)
  if (became !== null) await changed(queries, active, goHome)
}
