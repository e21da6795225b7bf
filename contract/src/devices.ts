import * as z from 'zod'
import { DEVICE_TYPES } from './device-names.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { id, text } from './wire.ts'

/** A device of the account (A3-13). */
const device = z.object({
  uniqueDeviceId: z.string(),
  casDeviceId: z.int(),
  name: z.string(),
  type: z.enum(DEVICE_TYPES),
  /** Seconds since the Unix epoch. */
  lastLoginDate: z.int(),
  /** Whether the device is the calling device. */
  current: z.boolean(),
})
export type Device = z.infer<typeof device>

/** The id that a device generates once and stores in the cookie `device` (V7-34). */
const deviceUniqueId = z
  .string()
  .regex(/^[\w-]{8,100}$/, 'must be 8 to 100 letters, digits, hyphens or underscores')

/** The devices of the account, the most recently used first (A7.1-13). */
export const casAvailableDevice = operation({
  method: 'POST',
  path: '/proxy/casAvailableDevice',
  as: 'account',
  summary: 'The devices of the account.',
  input: z.object({ parentalProof }),
  output: z.array(device),
})

/** Returns the number of the account's devices, and the maximum, which is null for no limit (A7.1-14). */
export const casDeviceCount = operation({
  method: 'POST',
  path: '/proxy/casDeviceCount',
  as: 'account',
  summary: 'The number of the account’s devices, and the maximum.',
  input: z.object({ parentalProof }),
  output: z.object({ numberOfDevices: z.int(), maxNumberOfDevices: z.int().nullable() }),
})

/**
 * Registers the calling device, or finds its registration, and returns the device's token (A7.1-15). The type and
 * the name come from `User-Agent` (A3-14, A3-15). The browser also gets the token as a cookie, and the device's id
 * as the cookie `device`. In a child's profile, registering a new device requires the proof of the parental code.
 */
export const casAddDevice = operation({
  method: 'POST',
  path: '/proxy/casAddDevice',
  as: 'account',
  child: 'allowed',
  summary: 'Registers the calling device.',
  input: z.object({ deviceUniqueId: deviceUniqueId.optional(), parentalProof }),
  output: z.object({ deviceAuthToken: z.string() }),
  errors: ['deviceUniqueIdMissing', 'tooManyDevices', 'invalidAccessCode'],
})

/**
 * Sets the type and name of a device (A7.1-16). They replace the type and name from `User-Agent`, which are less
 * accurate.
 */
export const casAuth = operation({
  method: 'POST',
  path: '/proxy/casAuth',
  as: 'account',
  summary: 'Names a device, and records that it is in use.',
  input: z.object({
    casDeviceId: id.optional(),
    name: text(100).trim().min(1, 'must not be empty'),
    type: z.enum(DEVICE_TYPES),
    parentalProof,
  }),
  output: z.null(),
  errors: ['casDeviceIdMissing', 'notFound'],
})

/** Removes a device and invalidates its token (A7.1-17). */
export const casRemoveDevice = operation({
  method: 'POST',
  path: '/proxy/casRemoveDevice',
  as: 'account',
  summary: 'Removes a device of the account.',
  input: z.object({ casDeviceId: id.optional(), parentalProof }),
  output: z.null(),
  errors: ['casDeviceIdMissing', 'notFound'],
})
