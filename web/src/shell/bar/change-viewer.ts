import type { Session } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import type { RegisteredRouter } from '@tanstack/react-router'
import { configurationOf } from '../../features/ground/configuration/configuration-query.ts'
import { editActiveProfile, switchProfile } from '../../features/people/profiles/switch-profile.ts'
import { signOut } from '../../features/people/sign-in/sign-out.ts'
import { goHome } from '../../features/viewing/accounts/go-home.ts'

/** Executes an entry of the profile menu: signs out, edits the active profile, or switches to another profile. */
export async function changeViewer(
  entry: string,
  queries: QueryClient,
  { profile }: Pick<Session, 'profile'>,
  router: RegisteredRouter,
): Promise<void> {
  if (entry === 'logout') return await signOut()
  const configuration = configurationOf(queries)
  const leave = async () => await goHome(router)
  if (entry === 'update-profile' && profile !== null)
    await editActiveProfile(queries, profile, configuration, leave)
  else await switchProfile(queries, profile, configuration, leave)
}
