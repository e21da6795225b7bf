import { useNavigate } from '@tanstack/react-router'
import { useMachine } from '@xstate/react'
import { useEffect } from 'react'
import type { Snapshot } from 'xstate'
import { pathOf } from '../../ground/links/content-link.ts'
import { afterNewProfile } from '../../people/profiles/after-new-profile.ts'
import { rememberPlan } from '../../rights/offers/chosen-plan.ts'
import { useShop } from '../../rights/offers/use-shop.ts'
import { keep, kept } from './kept.ts'
import { type RegistrationStep, registrationMachine } from './registration-machine.ts'

const PLACE = 'registration-steps'

/**
 * Returns the state of the registration, for the screen of `step`. When the state changes, goes to the screen of
 * the new step. Restores the state after a reload.
 */
export function useRegistration(step: RegistrationStep) {
  const { sellsSubscriptions } = useShop()
  const navigate = useNavigate()
  const [state, send, actor] = useMachine(registrationMachine, {
    input: { hasOffers: sellsSubscriptions },
    // The state that this tab has stored. Without a stored state, or on a return to the form after the
    // confirmation, a new registration begins.
    ...restored(step),
  })
  useEffect(() => {
    const { unsubscribe } = actor.subscribe(({ context: { offerIds, orderId } }) => {
      keep(PLACE, actor.getPersistedSnapshot())
      rememberPlan(orderId === null ? offerIds : [])
    })
    return unsubscribe
  }, [actor])
  useEffect(
    () =>
      afterNewProfile(() => {
        const goesOn = actor.getSnapshot().can({ type: 'profileClosed' })
        actor.send({ type: 'profileClosed' })
        return goesOn
      }),
    [actor],
  )
  useEffect(() => {
    if (state.value !== step) void navigate({ to: pathOf(state.value), replace: true })
  }, [state.value, step, navigate])
  return { context: state.context, send }
}

function restored(step: RegistrationStep): { snapshot?: Snapshot<unknown> } {
  const snapshot = kept(PLACE)
  const value: unknown =
    typeof snapshot === 'object' && snapshot !== null ? Reflect.get(snapshot, 'value') : undefined
  // If the viewer returns to the form after the confirmation, another registration begins.
  if (step === 'register-informations' && value === 'register-confirmation') return {}
  return typeof value === 'string' && value in registrationMachine.states
    ? { snapshot: snapshot as Snapshot<unknown> }
    : {}
}
