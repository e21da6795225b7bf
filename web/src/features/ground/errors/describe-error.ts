import type { TFunction } from 'i18next'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'

/** The code of an error that does not come from the service (V2.4-23). */
const UNKNOWN = 500

const SLOW_DOWN = 429

/**
 * The texts for systems that do not answer, by the start of the call's path (A8.3-08). Any other path means the
 * service itself.
 */
const SILENT = [
  ['/configuration/', 'errors.configurationUnreachable'],
  ['/crm/', 'errors.crmUnreachable'],
  ['/oauth/', 'errors.crmUnreachable'],
] as const

/** The texts of an error for the viewer. */
export interface ErrorDescription {
  title: string
  text: string
  /** The absolute value of the service's code, which the viewer can tell support staff (spec 40). */
  code: number
}

/**
 * Returns the texts that describe an error. The catalogue's text `errors.error{code}` takes precedence over
 * the service's message, which is the contract's text of the code in the language of the call (V2.4-23,
 * A8.1). Any other error is a fault of the page: its message goes to the console and the report, and the
 * viewer reads `errors.unexpected` (docs/decisions/0009).
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
    // The set of codes is open: an operator may add a text for any code.
    text: exists(key) ? t(key as 'errors.error503') : error.message,
    code,
  }
}
