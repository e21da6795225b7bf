/**
 * The parts of Google's sender framework that Ondine uses, according to its reference and its published types
 * (`cast.framework`, `chrome.cast`). Ondine does not contain Google's script. A page loads the script at run time.
 */
export interface SenderFramework {
  CastContext: { getInstance(): SenderContext }
  CastContextEventType: { SESSION_STATE_CHANGED: string }
  SessionState: { SESSION_ENDED: string }
}

/** `cast.framework.CastContext`. */
interface SenderContext {
  setOptions(options: { receiverApplicationId: string; autoJoinPolicy: string }): void
  /** Opens the browser's list of devices. Rejects with a code, such as `cancel`. */
  requestSession(): Promise<unknown>
  getCurrentSession(): SenderSession | null
  endCurrentSession(stopCasting: boolean): void
  addEventListener(type: string, listener: (event: { sessionState: string }) => void): void
  removeEventListener(type: string, listener: (event: { sessionState: string }) => void): void
}

/** `cast.framework.CastSession`. */
export interface SenderSession {
  addMessageListener(namespace: string, listener: (namespace: string, message: string) => void): void
  removeMessageListener(namespace: string, listener: (namespace: string, message: string) => void): void
  sendMessage(namespace: string, message: unknown): Promise<unknown>
}

const SCRIPT = 'https://www.gstatic.com/cv/js/sender/v1/cast_sender.js?loadCastFramework=1'

/** The join policy: a page joins sessions that pages of the same origin have started. */
const ORIGIN_SCOPED = 'origin_scoped'

declare global {
  interface Window {
    cast?: { framework?: SenderFramework }
  }
}

let loading: Promise<SenderFramework | undefined> | undefined

/**
 * Loads Google's sender framework, once per page, and sets the application of the receiver.
 *
 * @returns undefined in a browser that cannot cast, or if the script cannot be loaded
 */
export function loadSender(receiverApplicationId: string): Promise<SenderFramework | undefined> {
  loading ??= new Promise((resolve) => {
    const onAvailable = (isAvailable: boolean) => {
      const framework = isAvailable ? window.cast?.framework : undefined
      framework?.CastContext.getInstance().setOptions({
        receiverApplicationId,
        autoJoinPolicy: ORIGIN_SCOPED,
      })
      resolve(framework)
    }
    // Google's script calls this function when it has found out whether the browser can cast.
    Reflect.set(window, '__onGCastApiAvailable', onAvailable)
    const script = document.createElement('script')
    script.src = SCRIPT
    script.addEventListener('error', () => resolve(undefined))
    document.head.append(script)
  })
  return loading
}

/** Returns whether a browser may have Google Cast: browsers based on Chromium, except web views and Cast devices. */
export function mayCast(userAgent: string): boolean {
  return /\bChrome\/\d/.test(userAgent) && !/\bwv\b|CrKey/.test(userAgent)
}
