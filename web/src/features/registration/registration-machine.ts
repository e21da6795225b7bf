import { assign, type SnapshotFrom, setup } from 'xstate'
import type { RouteName } from '../../routes.ts'

/** What registering carries from step to step. No password is among it: it outlives a reload of the page. */
export interface RegistrationContext {
  /** The address that the letter went to; empty until the account is made. */
  email: string
  /** The offers that were chosen: a plan, with its options. They are paid on the summary by who is signed in by then, else later. */
  offerIds: readonly number[]
  /** The order that they were bought by; null while nothing is paid. */
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
 * The steps of registering: details, and where there are offers a choice and a summary, then the letter (A2.1-06 to A2.1-10). Who
 * is signed in meanwhile, such as by the letter in another tab, may make a profile: that ends the steps, whether one was made or
 * not, but for the summary, which is to be confirmed (A4.6-04).
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

/** A step of registering, by the name of its screen. */
export type RegistrationStep = Extract<
  RouteName,
  'register-informations' | 'register-offers' | 'register-summary' | 'register-confirmation'
>

export type RegistrationSnapshot = SnapshotFrom<typeof registrationMachine>
