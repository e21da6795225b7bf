import { msg } from '@ondine/contract/messages'
import { call } from '../../api/call.ts'

/** Tells the service of a text that no catalogue has (V8-04). Whether it hears that changes nothing for the reader. */
export function reportMissingText(tag: string, key: string): void {
  call(msg, {
    code: 'missing-translation',
    level: 'warn',
    classification: 'words',
    context: { language: tag, key },
  }).catch(() => undefined)
}
