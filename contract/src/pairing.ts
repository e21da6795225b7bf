import * as z from 'zod'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { text } from './wire.ts'

/** A television asks for a code to show. */
export const startPairing = operation({
  method: 'POST',
  path: '/proxy/startPairing',
  as: 'visitor',
  summary: 'A code for a television to show, until somebody enters it on a device of theirs.',
  input: z.object({}),
  output: z.object({
    code: z.string(),
    /** Names the pairing to the service; the television alone has it. */
    secret: z.string(),
    expiresInSeconds: z.int(),
    pollMs: z.int(),
  }),
  errors: ['slowDown'],
})

/**
 * The television asks whether somebody has entered its code. Once they have, it is signed in. For a minute more it may ask for
 * the same again, as the same device: its answer may have been lost.
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

/** What is about to be paired, for the person to confirm on their own screen. */
export const pairingDevice = operation({
  method: 'POST',
  path: '/proxy/pairingDevice',
  as: 'profile',
  summary: 'The television that shows a code.',
  input: z.object({ code, parentalProof }),
  output: z.object({ name: z.string(), startedAt: z.int() }).nullable(),
  errors: ['slowDown'],
})

/** What a pairing failed with (A7.1-22). */
export const pairingFailure = z.object({ code: z.int(), message: z.string() })

/** Pairs the television that shows a code (A7.1-22): null when it worked, else what it failed with (A4.7-02). */
export const addMaterialByPairing = operation({
  method: 'POST',
  path: '/proxy/addMaterialByPairing',
  as: 'profile',
  summary: 'Pairs the television that shows a code.',
  input: z.object({ code, parentalProof }),
  output: pairingFailure.nullable(),
  errors: ['notFound', 'slowDown'],
})
