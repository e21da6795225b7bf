import { ECDH } from 'node:crypto'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import type { pushState, renewPush, subscribePush, unsubscribePush } from '@ondine/contract/push'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import type { Call } from '../../../http/operations.ts'
import { checkAddress, OutboundError } from '../../../outbound/fetch-outside.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { type DeviceRow, findDevice } from '../../people/devices/devices.service.ts'
import type { PushKeys } from './push-keys.ts'
import {
  deleteSubscription,
  replaceSubscriptions,
  storeSubscription,
  subscriptionsAt,
} from './subscriptions.ts'

/** Dependencies of the calls about notifications. */
export interface PushParts extends Pick<Context, 'configurations'> {
  keysOf: () => Promise<PushKeys>
}

/**
 * Returns the key with which a browser subscribes, and whether it shows notifications of the profile.
 *
 * @throws ServiceError notFound if the operator does not offer notifications
 */
export async function readPushState(
  { configurations, keysOf }: PushParts,
  { db, storefront, account, profile, device }: Call<'profile'>,
  { endpoint }: InputOf<typeof pushState>,
): Promise<OutputOf<typeof pushState>> {
  if (!configurations.of(storefront.id).accounts.pushEnabled) throw new ServiceError('notFound')
  const { publicKey } = await keysOf()
  const shown = endpoint === undefined ? [] : await subscriptionsAt(db, { accountId: account.id, endpoint })
  const isOn = shown.some(({ profileId, deviceId }) => profileId === profile.id && deviceId === device?.id)
  return { publicKey, isOn }
}

/**
 * Subscribes the calling browser to notifications of the profile.
 *
 * @throws ServiceError notFound if the operator does not offer notifications, or if the caller is no registered
 * device; invalidInput for an address that must not be called, or for an invalid public key; tokenInvalid if the
 * account is closed or the sign-in has ended
 */
export async function subscribe(
  { configurations }: PushParts,
  { db, now, storefront, account, profile, device }: Call<'profile'>,
  { endpoint, publicKey, secret }: InputOf<typeof subscribePush>,
): Promise<void> {
  if (!configurations.of(storefront.id).accounts.pushEnabled) throw new ServiceError('notFound')
  requireEndpoint(endpoint)
  requirePoint(publicKey)
  await db.transaction(async (tx) => {
    const known = await callingDevice(tx, { account, device })
    if (known === undefined) throw new ServiceError('notFound')
    const { id: deviceId, accountId } = known
    const subscription = { accountId, profileId: profile.id, deviceId, endpoint, publicKey, secret }
    await storeSubscription(tx, subscription, now)
  })
}

/**
 * Replaces the subscription of the calling browser for all profiles. Replaces nothing, and returns false as
 * `isUsed`, if the operator does not offer notifications, if the caller is no registered device, or if the device
 * has no subscription.
 *
 * @throws ServiceError invalidInput as {@link subscribe}; tokenInvalid if the account is closed or the sign-in has
 * ended
 */
export async function renew(
  { configurations }: PushParts,
  { db, now, storefront, account, device }: Call<'account'>,
  { endpoint, publicKey, secret }: InputOf<typeof renewPush>,
): Promise<OutputOf<typeof renewPush>> {
  if (!configurations.of(storefront.id).accounts.pushEnabled) return { isUsed: false }
  requireEndpoint(endpoint)
  requirePoint(publicKey)
  return await db.transaction(async (tx) => {
    const known = await callingDevice(tx, { account, device })
    if (known === undefined) return { isUsed: false }
    const subscription = { deviceId: known.id, endpoint, publicKey, secret }
    return { isUsed: await replaceSubscriptions(tx, subscription, now) }
  })
}

/** Ends the notifications of the profile in a browser. Repeated calls succeed. */
export async function unsubscribe(
  { db, account, profile }: Call<'profile'>,
  { endpoint }: InputOf<typeof unsubscribePush>,
): Promise<OutputOf<typeof unsubscribePush>> {
  return await db.transaction(async (tx) => {
    await deleteSubscription(tx, { profileId: profile.id, endpoint })
    const others = await subscriptionsAt(tx, { accountId: account.id, endpoint })
    return { isUsedByOthers: others.length > 0 }
  })
}

/**
 * Returns the calling device; undefined if the device is not registered with the sign-in of the caller. Locks the
 * account, so that its password cannot change before the transaction ends.
 *
 * @throws ServiceError tokenInvalid if the account is closed or the sign-in has ended
 */
async function callingDevice(
  tx: Transaction,
  { account, device }: Pick<Call<'account'>, 'account' | 'device'>,
): Promise<DeviceRow | undefined> {
  const { id: accountId } = await requireHeldAccount(tx, account)
  const known = device && (await findDevice(tx, accountId, device.id))
  return known?.signIn === account.signIn ? known : undefined
}

/**
 * Requires an address that a push service may have. The address comes from a browser, so it may be forged. The
 * exceptions of `OUTBOUND_ALLOW` do not apply to it. Each message resolves and checks its host name again.
 *
 * @throws ServiceError invalidInput
 */
function requireEndpoint(endpoint: string): void {
  const refuse = (message: string) => invalidFields([{ field: 'endpoint', message }])
  try {
    checkAddress(endpoint, [])
  } catch (error) {
    if (error instanceof OutboundError) throw refuse('is not an address of a push service')
    throw error
  }
  if (new URL(endpoint).protocol !== 'https:') throw refuse('must begin with https')
}

/** @throws ServiceError invalidInput if the point is not on the curve */
function requirePoint(publicKey: string): void {
  try {
    ECDH.convertKey(publicKey, 'prime256v1', 'base64url')
  } catch {
    throw invalidFields([{ field: 'publicKey', message: 'is not a point of P-256' }])
  }
}
