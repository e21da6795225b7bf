import { logout } from '@ondine/contract/accounts'
import { pairingStatus, startPairing } from '@ondine/contract/pairing'
import { call } from '../../api/call.ts'
import {
  NAMESPACE,
  type PhoneMessage,
  type ReceiverMessage,
} from '../../features/viewing/casting/google/google-screen.ts'
import type { Receiver } from './receiver.ts'

type MessageListener = (event: { data: unknown }) => void

/** The parts of Google's receiver framework that Ondine uses, taken from its published types. */
export interface ReceiverContext {
  addCustomMessageListener(namespace: string, listener: MessageListener): void
  removeCustomMessageListener(namespace: string, listener: MessageListener): void
  /** Sends a message to a sender; to all senders if `senderId` is undefined. */
  sendCustomMessage(namespace: string, senderId: string | undefined, data: unknown): void
  start(options: { disableIdleTimeout: boolean; skipPlayersLoad: boolean }): unknown
  /** Ends the session: the device closes this page. */
  stop(): void
}

/** Time after a phone's `stop` in which another cast can begin before the session ends, in milliseconds. */
export const CLOSE_DELAY_MS = 5000

const SCRIPT = 'https://www.gstatic.com/cast/sdk/libs/caf_receiver/v3/cast_receiver_framework.js'

/** Returns whether this page runs as the receiver of a Google Cast device. */
export function isGoogleReceiver(userAgent: string): boolean {
  return /\bCrKey\b/.test(userAgent)
}

/** Loads Google's receiver framework. @throws Error if the script cannot be loaded */
export async function loadReceiver(): Promise<ReceiverContext> {
  const script = document.createElement('script')
  script.src = SCRIPT
  await new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('The receiver framework could not be loaded')))
    document.head.append(script)
  })
  // Google's script has set `window.cast`.
  const { cast } = window as unknown as {
    cast: { framework: { CastReceiverContext: { getInstance(): ReceiverContext } } }
  }
  return cast.framework.CastReceiverContext.getInstance()
}

/** The account with which the receiver page is signed in, and functions that change it. */
export interface ReceiverAccount {
  /** Undefined if nobody is signed in on the receiver. */
  idAccount: number | undefined
  /** Waits until the service has registered the receiver as a screen. @returns the id of the screen */
  opened(): Promise<number>
  signOut(): Promise<void>
  /** Waits until the receiver is paired. Calls `show` with the code that the phone must enter. */
  pair(show: (code: string) => void): Promise<void>
  /** Loads the page again. The page is then signed in if an account has been paired. */
  reload(): void
}

/**
 * Returns the account of this page. `opened` resolves to the id of this screen once the service has registered it.
 */
export function receiverAccount(idAccount: number | undefined, opened: Promise<number>): ReceiverAccount {
  return {
    idAccount,
    opened: () => opened,
    signOut: async () => {
      await call(logout, {})
    },
    pair: async (show) => {
      const { code, secret, pollMs } = await call(startPairing, {})
      show(code)
      while ((await call(pairingStatus, { secret })).state === 'waiting')
        await new Promise((resolve) => setTimeout(resolve, pollMs))
    },
    reload: () => location.reload(),
  }
}

/**
 * Answers phones that have started this receiver by Google Cast. The answer is the id of the screen, or a code
 * with which the phone pairs the receiver (docs/decisions/0090). Ondine's own player plays the content, so
 * Google's players are not loaded.
 *
 * @returns a function that stops answering
 */
export function serveGoogleCast(
  context: ReceiverContext,
  account: ReceiverAccount,
  screen: Pick<Receiver, 'assignment' | 'followStops'>,
): () => void {
  const tell = (message: ReceiverMessage) => context.sendCustomMessage(NAMESPACE, undefined, message)
  let isAnswering = false
  const answer = async (idAccount: number) => {
    if (account.idAccount === idAccount) {
      tell({ type: 'screen', casDeviceId: await account.opened() })
      return
    }
    if (account.idAccount !== undefined) await account.signOut()
    await account.pair((code) => tell({ type: 'pair', code }))
    account.reload()
  }
  const hear: MessageListener = ({ data }) => {
    if (!isHello(data) || isAnswering) return
    isAnswering = true
    void answer(data.idAccount).finally(() => {
      isAnswering = false
    })
  }
  context.addCustomMessageListener(NAMESPACE, hear)
  const unfollow = closeAfterStop(context, screen)
  // Google's framework does not see what Ondine's player plays, and would close the page during a film.
  context.start({ disableIdleTimeout: true, skipPlayersLoad: true })
  // After the pairing, the receiver has reloaded this page, and the phone is still waiting for the id of the
  // screen.
  if (account.idAccount !== undefined)
    void account.opened().then((casDeviceId) => tell({ type: 'screen', casDeviceId }))
  return () => {
    context.removeCustomMessageListener(NAMESPACE, hear)
    unfollow()
  }
}

/**
 * Ends the session after a phone has stopped the screen, unless another cast begins. A phone ends the session
 * itself only in the page that has started it, and not after that page was loaded again.
 *
 * @returns a function that stops following the phones
 */
function closeAfterStop(
  context: ReceiverContext,
  { assignment, followStops }: Pick<Receiver, 'assignment' | 'followStops'>,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unfollow = followStops(() => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (assignment() === null) context.stop()
    }, CLOSE_DELAY_MS)
  })
  return () => {
    clearTimeout(timer)
    unfollow()
  }
}

function isHello(data: unknown): data is PhoneMessage {
  return (
    typeof data === 'object' &&
    data !== null &&
    Reflect.get(data, 'type') === 'hello' &&
    Number.isSafeInteger(Reflect.get(data, 'idAccount'))
  )
}
