import {
  casAddDevice,
  casAuth,
  casAvailableDevice,
  casDeviceCount,
  casRemoveDevice,
  type Device,
} from '@ondine/contract/devices'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { clearDeviceCookies, setDeviceCookie, setTokenCookie } from '../../../http/token-cookies.ts'
import { requireAccount } from '../accounts/accounts.service.ts'
import { grownUpRule } from '../parental/parental.service.ts'
import * as devices from './devices.service.ts'
import { deviceToken } from './devices.service.ts'

const DAY_SECONDS = 86_400

export function registerDevices(on: On, { db, keys, configurations, viewers }: Context): void {
  const requireGrownUp = grownUpRule({ db, keys, viewers })

  on(casAvailableDevice, async (_input, call) => {
    await viewers.of(call, call.now)
    const { account, device } = call
    return (await devices.listDevices(db, account.id)).map((row) => presentDevice(row, row.id === device?.id))
  })

  on(casDeviceCount, async (_input, call) => {
    await viewers.of(call, call.now)
    return {
      numberOfDevices: await devices.countDevices(db, call.account.id),
      maxNumberOfDevices: configurations.of(call.storefront.id).accounts.maximumDevices || null,
    }
  })

  on(casAddDevice, async ({ deviceUniqueId, parentalProof }, call) => {
    const { account, storefront, now, request, reply } = call
    if (deviceUniqueId === undefined) throw new ServiceError('deviceUniqueIdMissing')
    // From a child's profile, a device that is already registered for the account can be registered again without
    // the parental code. A new device requires the code.
    if (!(await devices.isRegistered(db, account.id, deviceUniqueId)))
      await requireGrownUp(call, parentalProof, now)
    const { maximumDevices, deviceCookieDays } = configurations.of(storefront.id).accounts
    const userAgent = request.headers['user-agent'] ?? ''
    const { kid, profileId } = await viewers.of(call, now)
    const childProfileId = kid ? profileId : null
    const wanted = { uniqueId: deviceUniqueId, userAgent, signIn: account.signIn, childProfileId }
    const device = await devices.registerDevice(db, account, wanted, maximumDevices, now)
    const seconds = deviceCookieDays * DAY_SECONDS
    const token = deviceToken(keys, device, seconds)
    setTokenCookie(reply, 'device', token, seconds)
    setDeviceCookie(reply, deviceUniqueId, seconds)
    return { deviceAuthToken: token }
  })

  on(casAuth, async ({ casDeviceId, name, type }, { account, now }) => {
    if (casDeviceId === undefined) throw new ServiceError('casDeviceIdMissing')
    await devices.nameDevice(db, account, casDeviceId, { name, type }, now)
    return null
  })

  on(casRemoveDevice, async ({ casDeviceId }, { account, device, reply }) => {
    if (casDeviceId === undefined) throw new ServiceError('casDeviceIdMissing')
    await requireAccount(db, account)
    await devices.removeDevice(db, account.id, casDeviceId)
    if (casDeviceId === device?.id) clearDeviceCookies(reply)
    return null
  })
}

function presentDevice(row: devices.DeviceRow, current: boolean): Device {
  return {
    uniqueDeviceId: row.uniqueId,
    casDeviceId: row.id,
    name: row.name,
    type: row.type,
    lastLoginDate: Math.floor(row.lastLoginAt / 1000),
    current,
  }
}
