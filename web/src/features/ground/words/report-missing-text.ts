import { msg } from '@ondine/contract/messages'
import { call } from '../../../api/call.ts'
import { collectFault } from '../errors/report-fault.ts'

/** A text that no catalogue contains. */
class MissingText extends Error {
  override readonly name = 'MissingText'
}

/**
 * Reports a missing text to the service, and to the operator's collector of errors (V8-04). The viewer does not notice
 * if the report fails.
 */
export function reportMissingText(tag: string, key: string): void {
  collectFault(new MissingText(`${key} (${tag})`))
  call(msg, {
    code: 'missing-translation',
    level: 'warn',
    classification: 'words',
    context: { language: tag, key },
  }).catch(() => undefined)
}
