import { pushState, renewPush, subscribePush, unsubscribePush } from '@ondine/contract/push'
import type { On } from '../../../http/operations.ts'
import { type PushParts, readPushState, renew, subscribe, unsubscribe } from './push.service.ts'

/** Registers the calls that enable and disable notifications, and renew the subscription of a browser. */
export function registerPush(on: On, parts: PushParts): void {
  on(pushState, async (input, call) => await readPushState(parts, call, input))
  on(subscribePush, async (input, call) => {
    await subscribe(parts, call, input)
    return null
  })
  on(renewPush, async (input, call) => await renew(parts, call, input))
  on(unsubscribePush, async (input, call) => await unsubscribe(call, input))
}
