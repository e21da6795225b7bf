import type { CastTarget } from '../cast-target.ts'
import type { SenderFramework, SenderSession } from './sender-framework.ts'

/** Namespace of the messages between the phone and the receiver that Google Cast has started. */
export const NAMESPACE = 'urn:x-cast:ondine.receiver'

/** A message of the phone. The receiver answers whose screen it is. */
export interface PhoneMessage {
  type: 'hello'
  /** The account that casts. A receiver of another account is paired anew. */
  idAccount: number
}

/** A message of the receiver. */
export type ReceiverMessage =
  /** The receiver waits to be paired, and would show this code. */
  | { type: 'pair'; code: string }
  /** The receiver is this screen of the account. */
  | { type: 'screen'; casDeviceId: number }

/**
 * Starts the receiver on a device that the viewer chooses, and pairs it (docs/decisions/0090). Call this while a press is
 * handled, because the browser opens its list of devices.
 *
 * @param pair enters the code that the receiver would show, and returns whether the receiver is paired
 * @returns the id of the screen; undefined if the viewer chose no device, or did not pair it
 */
export async function startReceiver(
  framework: SenderFramework,
  idAccount: number,
  pair: (code: string) => Promise<boolean>,
): Promise<number | undefined> {
  const context = framework.CastContext.getInstance()
  // The viewer closed the list, or the device did not answer. The browser has told the viewer.
  await context.requestSession().catch(() => undefined)
  const session = context.getCurrentSession()
  if (session === null) return undefined
  const hello: PhoneMessage = { type: 'hello', idAccount }
  return await new Promise((resolve, reject) => {
    const stop = listen(session, (message) => {
      if (message.type === 'screen') {
        stop()
        resolve(message.casDeviceId)
        return
      }
      void enter(message.code)
    })
    const enter = async (code: string) => {
      try {
        // Once it is paired, the receiver says which screen it is.
        if (await pair(code)) return
        resolve(undefined)
      } catch (error) {
        reject(error)
      }
      leave()
    }
    const leave = () => {
      stop()
      context.endCurrentSession(true)
    }
    session.sendMessage(NAMESPACE, hello).catch((error: unknown) => {
      stop()
      reject(error)
    })
  })
}

/** Calls `heard` with each message of a receiver. Messages that are none of ours are left out. */
function listen(session: SenderSession, heard: (message: ReceiverMessage) => void): () => void {
  const listener = (_namespace: string, text: string) => {
    const message = readMessage(text)
    if (message !== undefined) heard(message)
  }
  session.addMessageListener(NAMESPACE, listener)
  return () => session.removeMessageListener(NAMESPACE, listener)
}

function readMessage(text: string): ReceiverMessage | undefined {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof read !== 'object' || read === null) return undefined
  const { type, code, casDeviceId } = read as Record<string, unknown>
  if (type === 'pair' && typeof code === 'string') return { type, code }
  if (type === 'screen' && Number.isSafeInteger(casDeviceId))
    return { type, casDeviceId: Number(casDeviceId) }
  return undefined
}

/**
 * Returns a screen that Google Cast has started, as a target. It plays as every screen of the account does. When Google
 * reports that its session has stopped, the screen is disconnected; stopping it ends the session (V4-54).
 */
export function googleScreen(screen: CastTarget, framework: SenderFramework): CastTarget {
  const context = framework.CastContext.getInstance()
  return {
    ...screen,
    control: async (command) => {
      await screen.control(command)
      if (command.type === 'stop') context.endCurrentSession(true)
    },
    listen: (listener) => {
      const { SESSION_STATE_CHANGED } = framework.CastContextEventType
      const onSession = ({ sessionState }: { sessionState: string }) => {
        if (sessionState === framework.SessionState.SESSION_ENDED) listener(null)
      }
      context.addEventListener(SESSION_STATE_CHANGED, onSession)
      // The list of screens may be older than the new screen.
      let wasListed = false
      const unlisten = screen.listen((state) => {
        wasListed ||= state !== null
        if (wasListed) listener(state)
      })
      return () => {
        context.removeEventListener(SESSION_STATE_CHANGED, onSession)
        unlisten()
      }
    },
  }
}
