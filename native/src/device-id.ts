import { keep } from '@ondine/web/api/kept'
import { DEVICE_COOKIE } from '@ondine/web/api/page-context'
import type { Send } from './service-call.ts'

/** The header with the id of the device (V7-34). The id alone gives no access, unlike a token. */
const HEADER = 'x-device-id'

/** Stores the id that the service assigns to this device. In a browser, the service sets a cookie instead. */
export function keepingDeviceId(send: Send): Send {
  return async (call) => {
    const answer = await send(call)
    const id = answer.headers.get(HEADER)
    if (id !== null) keep(DEVICE_COOKIE, id, id === '' ? 0 : undefined)
    return answer
  }
}
