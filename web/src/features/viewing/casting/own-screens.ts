import { castTo, controlScreen, type Screen } from '@ondine/contract/casting'
import { call } from '../../../api/call.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import type { CastTarget, TargetState } from './cast-target.ts'
import { followService } from './service-socket.ts'

type Heard = (screens: readonly Screen[]) => void

const listeners = new Set<Heard>()
/** The last list from the service; undefined before the first list. */
let known: readonly Screen[] | undefined
let stop: (() => void) | undefined

/**
 * Calls `heard` with the account's paired screens: at once if they are known, and at each change. If the service has
 * ended the connection for good, the list is empty. All callers in one page share one connection.
 *
 * @returns a function that stops the calls
 */
export function followScreens(heard: Heard): () => void {
  listeners.add(heard)
  if (known !== undefined) heard(known)
  stop ??= followService({
    heard: (message) => {
      if (message.type === 'screens') tell(message.screens)
    },
    // An empty list ends every cast, so that playback continues on this device.
    ended: () => tell([]),
  })
  return () => {
    listeners.delete(heard)
    if (listeners.size > 0) return
    stop?.()
    stop = undefined
    known = undefined
  }
}

function tell(screens: readonly Screen[]): void {
  known = screens
  for (const heard of listeners) heard(screens)
}

/** Returns a target for a paired screen of the account (spec 54). */
export function ownScreen(casDeviceId: number): CastTarget {
  return {
    id: String(casDeviceId),
    load: async (media, session) => {
      const isHandedOver = await withParentalCode(async (parentalProof) => {
        await call(castTo, { casDeviceId, media, session: session ?? undefined, parentalProof })
        return true
      })
      if (isHandedOver === null) throw new DOMException('The viewer entered no parental code', 'AbortError')
    },
    control: async (command) => {
      await call(controlScreen, { casDeviceId, command })
    },
    listen: (listener) => followScreens((screens) => listener(stateOf(screens, casDeviceId))),
  }
}

function stateOf(screens: readonly Screen[], casDeviceId: number): TargetState | null {
  const screen = screens.find((each) => each.casDeviceId === casDeviceId)
  if (screen === undefined) return null
  const { name, isConnected, state } = screen
  // A screen without a connection may be switched off, so its position stays at the last report.
  const hasStopped = !isConnected && state?.playback === 'playing'
  return {
    device: name,
    isAvailable: isConnected,
    media: hasStopped ? { ...state, playback: 'paused' } : state,
  }
}
