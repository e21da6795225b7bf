import { deviceKind } from '@ondine/contract/device-names'
import type { Device } from '@ondine/contract/devices'
import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import type { Place } from '../../../words/format.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { askDevicesAnew, deviceCountQuery, devicesQuery } from './devices-query.ts'
import { isRegistered } from './register-device.ts'
import { removeDevice } from './remove-device.ts'
import { whenUsed } from './when-used.ts'

const UNKNOWN = { numberOfDevices: null, maxNumberOfDevices: null }

/**
 * Opens a modal in which the viewer can remove one of the account's devices (A2.3-09). Called when the account has
 * too many devices (A8.3-02).
 *
 * @returns whether the viewer wants to see the page of all devices
 */
export async function manageDevices(queries: QueryClient, place: Place): Promise<boolean> {
  const [devices, count] = await Promise.all([
    // If the list of devices cannot be fetched, the modal still tells the viewer that there are too many devices.
    queries.fetchQuery({ ...devicesQuery, staleTime: 0 }).catch(() => []),
    queries.fetchQuery({ ...deviceCountQuery, staleTime: 0 }).catch(() => UNKNOWN),
  ])
  const now = serviceNow() / 1000
  const { t } = pageWords()
  const answer = await modal.open('manageDevices', {
    devices: devices.map((device) => ({
      idDevice: device.casDeviceId,
      name: deviceName(device, t),
      type: device.type,
      lastUsed: whenUsed(device.lastLoginDate, now, place, t),
      current: device.current,
    })),
    numberOfDevices: count.numberOfDevices,
    maxNumberOfDevices: count.maxNumberOfDevices,
  })
  if (answer === null) return false
  if (answer.action === 'page') return true
  const device = devices.find(({ casDeviceId }) => casDeviceId === answer.idDevice)
  if (device === undefined) return false
  const account = queries.getQueryData(sessionQuery.queryKey)?.account?.id
  if ((await removeDevice(queries, device, deviceName(device, t))) && account !== undefined) {
    // Registers this device in place of the removed one. If the account still has too many devices, the modal opens
    // again.
    await isRegistered(account)
    await askDevicesAnew(queries)
  }
  return false
}

/** Returns the name of a device. A device without a name gets the name of its kind. */
export function deviceName({ name, type }: Pick<Device, 'name' | 'type'>, t: TFunction): string {
  return name === '' ? t(`devices.${deviceKind(type)}`) : name
}
