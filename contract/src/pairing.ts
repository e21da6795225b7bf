import * as z from 'zod'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { text } from './wire.ts'

/** Requests a code for a television to show. */
export const startPairing = operation({
  method: 'POST',
  path: '/proxy/startPairing',
  as: 'visitor',
  summary: 'A code for a television to show. A person enters it on another device.',
  input: z.object({}),
  output: z.object({
    code: z.string(),
    /** Identifies the pairing to the service. Only the television has it. */
    secret: z.string(),
    expiresInSeconds: z.int(),
    pollMs: z.int(),
  }),
  errors: ['slowDown'],
})

/**
 * Asks whether a person has entered the television's code. If so, the answer signs the television in. The answer
 * may get lost, so the service repeats it to the same device for one minute.
 */
export const pairingStatus = operation({
  method: 'POST',
  path: '/proxy/pairingStatus',
  as: 'visitor',
  summary: 'Whether a television was paired; if so, it is signed in.',
  input: z.object({ secret: text(100) }),
  output: z.discriminatedUnion('state', [
    z.object({ state: z.literal('waiting') }),
    z.object({ state: z.literal('expired') }),
    z.object({
      state: z.literal('paired'),
      authToken: z.string(),
      profileToken: z.string(),
      deviceAuthToken: z.string(),
    }),
  ]),
  errors: ['tooManyDevices'],
})

const code = text(40).trim().min(1, 'must not be empty')

/** Returns the device to be paired, which the person confirms on another screen. */
export const pairingDevice = operation({
  method: 'POST',
  path: '/proxy/pairingDevice',
  as: 'profile',
  summary: 'The television that shows a code.',
  input: z.object({ code, parentalProof }),
  output: z.object({ name: z.string(), startedAt: z.int() }).nullable(),
  errors: ['slowDown'],
})

/** Why a pairing failed (A7.1-22). */
const pairingFailure = z.object({ code: z.int(), message: z.string() })

/**
 * Pairs the television that shows a code (A7.1-22). Returns null on success, else the reason for the failure (A4.7-02).
 */
export const addMaterialByPairing = operation({
  method: 'POST',
  path: '/proxy/addMaterialByPairing',
  as: 'profile',
  summary: 'Pairs the television that shows a code.',
  input: z.object({ code, parentalProof }),
  output: pairingFailure.nullable(),
  errors: ['notFound', 'slowDown'],
})
