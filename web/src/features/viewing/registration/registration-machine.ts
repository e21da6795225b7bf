import { assign, type SnapshotFrom, setup } from 'xstate'
import type { RouteName } from '../../../routes.ts'

/** The data that registration passes from step to step. It contains no password, because it survives a reload. */
export interface RegistrationContext {
  /** The address of the verification e-mail; empty until the account is created. */
  email: string
  /**
   * The chosen offers: a plan with its options. If the viewer is signed in by then, the offers are paid on
   * the summary, otherwise later.
   */
  offerIds: readonly number[]
  /** The order of the payment; null while nothing is paid. */
  orderId: number | null
  /** Whether there are offers to choose from. */
  hasOffers: boolean
}

type RegistrationEvent =
  | { type: 'made'; email: string }
  | { type: 'chosen'; offerIds: readonly number[] }
  | { type: 'confirmed' }
  | { type: 'paid'; orderId: number }
  | { type: 'back' }
  | { type: 'profileClosed' }

/**
 * The steps of registration: details; where there are offers, a choice and a summary; then the verification
 * e-mail (A2.1-06 to A2.1-10). A viewer who signs in meanwhile, for example by the e-mail in another tab, may
 * create a profile. Closing the form of the profile ends the steps, except on the summary, which the viewer
 * must confirm (A4.6-04).
 */
export const registrationMachine = setup({
  types: {
    context: {} as RegistrationContext,
    events: {} as RegistrationEvent,
    input: {} as { hasOffers: boolean },
  },
  guards: { hasOffers: ({ context }) => context.hasOffers },
}).createMachine({
  id: 'registration',
  context: ({ input }) => ({ email: '', offerIds: [], orderId: null, ...input }),
  initial: 'register-informations',
  states: {
    'register-informations': {
      on: {
        made: [
          {
            guard: 'hasOffers',
            target: 'register-offers',
            actions: assign({ email: ({ event }) => event.email }),
          },
          { target: 'register-confirmation', actions: assign({ email: ({ event }) => event.email }) },
        ],
        profileClosed: 'register-confirmation',
      },
    },
    'register-offers': {
      on: {
        chosen: { target: 'register-summary', actions: assign({ offerIds: ({ event }) => event.offerIds }) },
        profileClosed: 'register-confirmation',
      },
    },
    'register-summary': {
      on: {
        chosen: { actions: assign({ offerIds: ({ event }) => event.offerIds }) },
        confirmed: 'register-confirmation',
        paid: { target: 'register-confirmation', actions: assign({ orderId: ({ event }) => event.orderId }) },
        back: 'register-offers',
      },
    },
    'register-confirmation': {},
  },
})

/** A step of registration, by the name of its screen. */
export type RegistrationStep = Extract<
  RouteName,
  'register-informations' | 'register-offers' | 'register-summary' | 'register-confirmation'
>

export type RegistrationSnapshot = SnapshotFrom<typeof registrationMachine>
