import { useNavigate } from '@tanstack/react-router'
import { useMachine } from '@xstate/react'
import { useEffect } from 'react'
import type { Snapshot } from 'xstate'
import { pathOf } from '../links/content-link.ts'
import { rememberPlan } from '../offers/chosen-plan.ts'
import { useShop } from '../offers/use-shop.ts'
import { afterNewProfile } from '../profiles/after-new-profile.ts'
import { keep, kept } from './kept.ts'
import { type RegistrationStep, registrationMachine } from './registration-machine.ts'

const PLACE = 'registration-steps'

/**
 * How far one has come with registering, on the screen of a step: it leads to the step that is next, and goes on after a reload.
 */
export function useRegistration(step: RegistrationStep) {
  const { sellsSubscriptions } = useShop()
  const navigate = useNavigate()
  const [state, send, actor] = useMachine(registrationMachine, {
    input: { hasOffers: sellsSubscriptions },
    // Kept by ourselves a moment ago; one that does not fit begins anew.
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
  // Who comes to the form once all is done registers somebody else.
  if (step === 'register-informations' && value === 'register-confirmation') return {}
  return typeof value === 'string' && value in registrationMachine.states
    ? { snapshot: snapshot as Snapshot<unknown> }
    : {}
}
