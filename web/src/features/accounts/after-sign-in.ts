import type { Configuration } from '@ondine/contract/configuration'
import type { QueryClient } from '@tanstack/react-query'
import { askDevicesAnew } from '../devices/devices-query.ts'
import { isRegistered } from '../devices/register-device.ts'
import { alertError } from '../errors/alert-error.ts'
import { takeConsent } from './consent.ts'
import { sessionQuery } from './session.ts'
import { forgetVisitor } from './sign-in.ts'

/**
 * What follows a sign-in, in order (A4.3-03): the consent; then the profiles, of which the service has made the default one
 * active; then, on the page that was asked for, the device is registered, and who watches is asked.
 *
 * @param arrive goes to the page that was asked for, and to home when another profile was chosen there
 * @throws ConsentDeclined when the consent was declined; then nobody is signed in
 */
export async function signInSteps(
  queries: QueryClient,
  configuration: Configuration,
  arrive: (to: 'asked' | 'home') => Promise<void>,
): Promise<void> {
  await takeConsent(configuration.accounts)
  await forgetVisitor(queries)
  // First: going to a page closes what is open.
  await arrive('asked')
  // The form that was sent is gone: what fails from here on is an action that failed.
  await settleIn().catch(alertError)

  async function settleIn(): Promise<void> {
    const { account, profile } = await queries.ensureQueryData(sessionQuery)
    // Who has too many devices is signed in all the same.
    if (account === null || !(await isRegistered(account.id))) return
    await askDevicesAnew(queries)
    const { chooseProfile } = await import('../profiles/switch-profile.ts')
    await chooseProfile(queries, profile, configuration, async () => await arrive('home'))
  }
}
