import { msg } from '@ondine/contract/messages'
import { call } from '../../api/call.ts'
import { collectFault } from '../errors/report-fault.ts'

/** A text that no catalogue has. */
class MissingText extends Error {
  override readonly name = 'MissingText'
}

/**
 * Tells of a text that no catalogue has: the service, and where the operator collects errors (V8-04). Whether anyone hears
 * that changes nothing for the reader.
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
