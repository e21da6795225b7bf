import type { Configuration } from '@ondine/contract/configuration'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { CODES } from '../../api/codes.ts'
import { deviceCountQuery, devicesQuery } from '../devices/devices-query.ts'
import { registerDevice } from '../devices/register-device.ts'
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
    if (account === null || !(await isRegistered(account.id))) return
    await Promise.all(
      [devicesQuery, deviceCountQuery].map(
        async ({ queryKey }) => await queries.invalidateQueries({ queryKey }),
      ),
    )
    const { chooseProfile } = await import('../profiles/switch-profile.ts')
    await chooseProfile(queries, profile, configuration, async () => await arrive('home'))
  }
}

/** Who has too many devices is signed in all the same: their management opens by itself (A8.3-02). */
async function isRegistered(account: number): Promise<boolean> {
  try {
    await registerDevice(account)
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== CODES.tooManyDevices) throw error
    return false
  }
}
