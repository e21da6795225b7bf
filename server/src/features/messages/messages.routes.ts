import { msg } from '@ondine/contract/messages'
import type { On } from '../../http/operations.ts'

export function registerMessages(on: On): void {
  // A client's words go into the log as data, never as the line itself, and never lead to an error (A8.3-04).
  on(msg, ({ level, ...report }, { request }) => {
    request.log[level]({ report }, 'a client reports')
    return null
  })
}
