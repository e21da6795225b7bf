import type { CastTarget } from '../cast-target.ts'
import type { SenderFramework, SenderSession } from './sender-framework.ts'

/** Namespace of the messages between the phone and the receiver that Google Cast has started. */
export const NAMESPACE = 'urn:x-cast:ondine.receiver'

/** The first message of the phone. The receiver answers with its screen, or with a code to pair it. */
export interface PhoneMessage {
  type: 'hello'
  /** The account that casts. If the receiver belongs to another account, it is paired again. */
  idAccount: number
}

/** A message of the receiver. */
export type ReceiverMessage =
  /** The receiver shows this code, and waits for its pairing. */
  | { type: 'pair'; code: string }
  /** The receiver is paired as this screen of the account. */
  | { type: 'screen'; casDeviceId: number }

/**
 * How long the phone waits for each answer of a receiver, in milliseconds. The receiver loads its page in this
 * time. After its pairing, the receiver loads the page again.
 */
const ANSWER_MS = 60_000

/**
 * Starts the receiver on a device that the viewer chooses, and pairs it (docs/decisions/0090). Call this only in a
 * press handler, because browsers do not open the list of devices otherwise.
 *
 * @param pair enters the receiver's code, and returns whether the receiver is paired
 * @returns the id of the screen; undefined if the viewer chose no device, or did not pair it
 * @throws Error if the receiver does not answer in time
 */
export async function startReceiver(
  framework: SenderFramework,
  idAccount: number,
  pair: (code: string) => Promise<boolean>,
): Promise<number | undefined> {
  const context = framework.CastContext.getInstance()
  // A rejection means that the viewer closed the list or that the device did not answer. The browser has told the
  // viewer.
  await context.requestSession().catch(() => undefined)
  const session = context.getCurrentSession()
  if (session === null) return undefined
  const hello: PhoneMessage = { type: 'hello', idAccount }
  return await new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unlisten = listen(session, (message) => {
      if (message.type === 'screen') {
        stop()
        resolve(message.casDeviceId)
        return
      }
      void enter(message.code)
    })
    const stop = () => {
      clearTimeout(timer)
      unlisten()
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        reject(new Error('The receiver does not answer'))
        leave()
      }, ANSWER_MS)
    }
    const enter = async (code: string) => {
      // The time limit does not apply while the viewer enters the parental code.
      clearTimeout(timer)
      try {
        if (await pair(code)) {
          // After the pairing, the receiver sends the id of its screen.
          wait()
          return
        }
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
    wait()
    session.sendMessage(NAMESPACE, hello).catch((error: unknown) => {
      stop()
      reject(error)
    })
  })
}

/** Calls `heard` with each valid message of a receiver. Ignores invalid messages. */
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
 * Returns a target for a screen that Google Cast has started. The target plays like any other screen of the account.
 * When the Google Cast session ends, this browser is disconnected from the screen. The command `stop` also ends the
 * Google Cast session (V4-54).
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
      // The cached list of screens may not contain the new screen yet, so null is not reported before the screen
      // is listed.
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
