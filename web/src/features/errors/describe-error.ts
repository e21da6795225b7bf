import type { TFunction } from 'i18next'
import { ApiError, NO_ANSWER } from '../../api/api-error.ts'

/** The code of an error that is not the service's (V2.4-23). */
const UNKNOWN = 500

const SLOW_DOWN = 429

/** What does not answer, by the beginning of the call's path (A8.3-08); all else is simply the service. */
const SILENT = [
  ['/configuration/', 'errors.configurationUnreachable'],
  ['/crm/', 'errors.crmUnreachable'],
  ['/oauth/', 'errors.crmUnreachable'],
] as const

/** What a viewer is told of an error. */
export interface ErrorDescription {
  title: string
  text: string
  /** What they can tell those who help: the absolute value of the wire's code (decision 40). */
  code: number
}

/**
 * An error in words: by its code the text `errors.error{code}` where the catalogue has one, else what the service said,
 * which is the contract's text of the code in the language of the call (V2.4-23, A8.1). Any other error is a fault of the
 * page: its message is for the console and the report, and the viewer reads `errors.unexpected` (docs/decisions/0009).
 */
export function describeError(
  error: unknown,
  t: TFunction,
  exists: (key: string) => boolean,
): ErrorDescription {
  if (!(error instanceof ApiError)) {
    return { title: t('errors.title'), text: t('errors.unexpected'), code: UNKNOWN }
  }
  const code = Math.abs(error.code)
  const silent = code === NO_ANSWER && SILENT.find(([path]) => error.endpoint.startsWith(path))
  const key = silent ? silent[1] : `errors.error${code}`
  return {
    title: t(code === SLOW_DOWN ? 'errors.slowDown' : 'errors.title'),
    // Codes are open: an operator may add a text for any of them.
    text: exists(key) ? t(key as 'errors.error503') : error.message,
    code,
  }
}
