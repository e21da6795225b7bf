import { activateProfile, listProfiles } from '@ondine/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { forgetVisitor } from '../../features/accounts/sign-in.ts'
import { modal } from '../../modals/modal.ts'

/**
 * Asks who watches, and makes that profile the active one (V4.7, A2.3). The service decides whether one may be left: from
 * a child's profile it asks for the code.
 *
 * @param isMultiProfile whether the operator lets an account have several
 */
export async function switchProfile(
  queries: QueryClient,
  { active, isMultiProfile }: { active: number | null; isMultiProfile: boolean },
): Promise<void> {
  const profiles = await call(listProfiles, {})
  const answer = await modal.open('switchProfile', {
    profiles: profiles.map(({ id, name, kidProfile }) => ({ idProfile: id, name, isKid: kidProfile })),
    activeProfile: active,
    // Decision 31.
    canAdd: isMultiProfile || profiles.length > 1,
  })
  if (answer === null) return
  if (answer.action === 'add') {
    await modal.open('profile', {})
    return
  }
  if (answer.idProfile === active) return
  await call(activateProfile, { idProfile: answer.idProfile })
  await forgetVisitor(queries)
}
