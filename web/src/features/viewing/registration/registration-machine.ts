import { assign, setup } from 'xstate'
import type { RouteName } from '../../../routes.ts'

/**
 * The data that a registration passes from step to step. It survives a reload, so it never contains the password.
 */
export interface RegistrationContext {
  /** The address to which the verification e-mail was sent; empty until the account is created. */
  email: string
  /**
   * Ids of the chosen offers: a plan, and options of the plan. A viewer who is signed in pays for them at the
   * summary, any other viewer later.
   */
  offerIds: readonly number[]
  /** Id of the paid order; null before the payment. */
  orderId: number | null
  /** Whether the service sells offers that the viewer can choose. */
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
 * The steps of a registration (A2.1-06 to A2.1-10): the details, the choice of an offer, the summary, and the
 * confirmation that the e-mail was sent. If the service sells no offers, the choice and the summary are left out. A
 * viewer who is already signed in, for example through the e-mail in another tab, can create a profile. When the form
 * of that profile closes, the registration ends. At the summary it continues, because the viewer must still confirm
 * (A4.6-04).
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

/** A step of a registration, named like its screen. */
export type RegistrationStep = Extract<
  RouteName,
  'register-informations' | 'register-offers' | 'register-summary' | 'register-confirmation'
>
