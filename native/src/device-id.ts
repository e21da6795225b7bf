import { keep } from '@ondine/web/api/kept'
import { DEVICE_COOKIE } from '@ondine/web/api/page-context'
import type { Send } from './service-call.ts'

/** The header with the id of the device (V7-34). The id alone gives no access, so it is not a token. */
const HEADER = 'x-device-id'

/** Keeps the id that the service gives to this device. For a browser, the service would set a cookie. */
export function keepingDeviceId(send: Send): Send {
  return async (call) => {
    const answer = await send(call)
    const id = answer.headers.get(HEADER)
    if (id !== null) keep(DEVICE_COOKIE, id, id === '' ? 0 : undefined)
    return answer
  }
}
