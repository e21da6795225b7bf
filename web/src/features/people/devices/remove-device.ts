import { ACCOUNTS } from '@ondine/contract/constants'
import { casRemoveDevice, type Device } from '@ondine/contract/devices'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { describeError } from '../../ground/errors/describe-error.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { askDevicesAnew } from './devices-query.ts'

/**
 * Removes a device after the viewer's confirmation. If the viewer removes the device in use, this browser signs
 * out a moment later, and the device's cookie is deleted (A4.7-01).
 *
 * @returns whether a device other than the one in use was removed
 */
export async function removeDevice(
  queries: QueryClient,
  { casDeviceId, current }: Pick<Device, 'casDeviceId' | 'current'>,
  name: string,
): Promise<boolean> {
  const { t, exists } = pageWords()
  const sure = await modal.open('confirm', {
    title: t('devices.removeTitle', { name }),
    description: t(current ? 'devices.removeCurrent' : 'devices.removeText'),
    primaryLabel: t('devices.remove'),
  })
  if (!sure) return false
  try {
    await call(casRemoveDevice, { casDeviceId })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A8.3-16 requires this title for every failure.
    await modal.open('alert', {
      title: t('devices.error'),
      description: describeError(error, t, exists).text,
    })
    return false
  }
  if (current) {
    setTimeout(() => void signOut(), ACCOUNTS.deviceRemovalLogoutMs)
    return false
  }
  await askDevicesAnew(queries)
  return true
}
