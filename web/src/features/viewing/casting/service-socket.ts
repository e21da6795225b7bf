import { ALIVE_SECONDS, type CastMessage, connectScreens } from '@ondine/contract/casting'
import { ApiError } from '../../../api/api-error.ts'
import { atService } from '../../../api/at-service.ts'
import { call } from '../../../api/call.ts'
import { isRegistered } from '../../people/devices/register-device.ts'

/**
 * Pauses before a reconnection, in milliseconds: they double from the first to the longest. Each pause is lengthened
 * by a random factor of up to 2, so that the devices do not all reconnect at once after a failure of the service.
 */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * A connection without messages for this many milliseconds counts as lost, even if the browser has not noticed it.
 */
const SILENCE_MS = 2.5 * ALIVE_SECONDS * 1000

/**
 * From this close code on, the service has ended the connection for good: the device was removed, or has a newer
 * connection.
 */
const ENDED_FOR_GOOD = 4000

/** Close code of the service for a device that was removed, or whose sign-in has ended. */
const REVOKED = 4001

/** HTTP statuses from this one on mean that the service failed to handle the call. Lower statuses are refusals. */
const SERVICE_FAULT = 500

/**
 * The reason why a connection has ended for good. `refused`: the service does not accept the device. `superseded`:
 * the device has a newer connection, or the account has too many connections. `revoked`: the device was removed,
 * or its sign-in has ended.
 */
export type Ending = 'refused' | 'superseded' | 'revoked'

/**
 * Connects this device to the service, and reconnects after each loss of the connection.
 *
 * @param options.screenOf the account of which this device is a screen; undefined for a phone
 * @param options.after returns the number of the last command that this screen has carried out
 * @param options.ended called when the service has refused or ended the connection for good
 * @returns a function that ends the connection
 */
export function followService({
  screenOf,
  after = () => undefined,
  heard,
  ended = () => undefined,
}: {
  screenOf?: number
  after?: () => number | undefined
  heard: (message: CastMessage) => void
  ended?: (reason: Ending) => void
}): () => void {
  let socket: WebSocket | undefined
  let pause = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false

  const end = (reason: Ending) => {
    hasEnded = true
    ended(reason)
  }
  const again = () => {
    if (hasEnded) return
    timer = setTimeout(() => void open(), pause * (1 + Math.random()))
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  }
  const hurry = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    pause = FIRST_PAUSE_MS
    void open()
  }
  const open = async () => {
    timer = undefined
    try {
      // Does not connect if the account has too many devices, or if a child uses a device that no adult has
      // registered.
      if (screenOf !== undefined && !(await isRegistered(screenOf)) && !hasEnded) end('refused')
      if (hasEnded) return
      const as = screenOf === undefined ? 'phone' : 'screen'
      const { address } = await call(connectScreens, { as, after: after() })
      if (!hasEnded) listen(new URL(atService(address), location.href))
    } catch (error) {
      console.warn('The screens of the account cannot be followed', error)
      // A refusal is final. The viewer then sees no screens (V8-03). If the service does not answer or is
      // overloaded, this device tries again.
      if (!(error instanceof ApiError) || error.status >= SERVICE_FAULT) again()
      else if (!hasEnded) end('refused')
    }
  }
  const listen = (url: URL) => {
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const opened = new WebSocket(url)
    socket = opened
    const lose = () => {
      if (socket !== opened) return
      socket = undefined
      clearTimeout(silence)
      opened.close()
      again()
    }
    const wait = () => {
      clearTimeout(silence)
      silence = setTimeout(lose, SILENCE_MS)
    }
    wait()
    opened.addEventListener('message', ({ data }) => {
      pause = FIRST_PAUSE_MS
      wait()
      // `as`, because the service sends only messages of the contract.
      const message = JSON.parse(String(data)) as CastMessage
      if (message.type !== 'alive') heard(message)
    })
    opened.addEventListener('close', ({ code }) => {
      if (code < ENDED_FOR_GOOD) lose()
      else if (socket === opened && !hasEnded) {
        clearTimeout(silence)
        end(code === REVOKED ? 'revoked' : 'superseded')
      }
    })
  }

  window.addEventListener('online', hurry)
  void open()
  return () => {
    hasEnded = true
    clearTimeout(timer)
    clearTimeout(silence)
    window.removeEventListener('online', hurry)
    socket?.close()
  }
}
