import type { Configuration } from '@ondine/contract/configuration'
import type { QueryClient } from '@tanstack/react-query'
import { alertError } from '../../ground/errors/alert-error.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { askDevicesAnew } from '../../people/devices/devices-query.ts'
import { isRegistered } from '../../people/devices/register-device.ts'
import { forgetVisitor } from '../../people/sign-in/sign-in.ts'
import { subscribesAtService } from '../../rights/offers/shop.ts'
import { takeConsent } from './consent.ts'

/**
 * Runs the steps after a sign-in, in this order (A4.3-03): asks for the consent, goes to the requested page, signs
 * in at the third-party subscription service if there is one (A4.3-05), registers the device, and asks who is
 * watching. The service has already activated the default profile.
 *
 * @param arrive goes to the requested page, or to home if the viewer then chose another profile
 * @throws ConsentDeclined if the viewer declined the consent; the viewer is then signed out
 */
export async function signInSteps(
  queries: QueryClient,
  configuration: Configuration,
  arrive: (to: 'asked' | 'home') => Promise<void>,
): Promise<void> {
  await takeConsent(configuration.accounts)
  await forgetVisitor(queries)
  // Goes to the page before any modal opens, because navigation closes modals.
  await arrive('asked')
  // The sign-in form is no longer on the page, so alerts show errors from here on.
  await settleIn().catch(alertError)

  async function settleIn(): Promise<void> {
    const { account, profile } = await queries.ensureQueryData(sessionQuery)
    if (account === null) return
    if (subscribesAtService(configuration)) {
      const { signInAtService } = await import('../../rights/subscriptions/sign-in-at-service.ts')
      await signInAtService(queries)
    }
    // If the account has too many devices, the viewer stays signed in.
    if (!(await isRegistered(account.id))) return
    await askDevicesAnew(queries)
    const { chooseProfile } = await import('../../people/profiles/switch-profile.ts')
    await chooseProfile(queries, profile, configuration, async () => await arrive('home'))
  }
}
