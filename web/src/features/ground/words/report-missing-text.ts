import { msg } from '@ondine/contract/messages'
import { call } from '../../../api/call.ts'
import { collectFault } from '../errors/report-fault.ts'

/** A text that is missing in every catalogue. */
class MissingText extends Error {
  override readonly name = 'MissingText'
}

/** Reports a missing text to the service and to the operator's error collector (V8-04). A failed report has no effect for the viewer. */
export function reportMissingText(tag: string, key: string): void {
  collectFault(new MissingText(`${key} (${tag})`))
  call(msg, {
    code: 'missing-translation',
    level: 'warn',
    classification: 'words',
    context: { language: tag, key },
  }).catch(() => undefined)
}
