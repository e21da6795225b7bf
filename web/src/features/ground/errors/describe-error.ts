import type { TFunction } from 'i18next'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { CODES } from '../../../api/codes.ts'

/** The code of an error that does not come from the service (V2.4-23). */
const UNKNOWN = 500

/**
 * Texts for systems that do not answer, by the start of the call's path (A8.3-08). For any other path, the service
 * itself does not answer.
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
  /** The absolute value of the error's code, which the viewer can tell the support staff (spec 40). */
  code: number
}

/**
 * Returns the texts that describe an error to the viewer. An error of a call has the text `errors.error{code}` of
 * the catalogue, or else the service's message in the language of the call (V2.4-23, A8.1). Any other error is a
 * fault of the page. The viewer then sees `errors.unexpected`, and only the console and the report contain the
 * error's message (docs/decisions/0009).
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
    title: t(error.code === CODES.slowDown ? 'errors.slowDown' : 'errors.title'),
    // The key is computed at run time, because an operator can add a text for any code.
    text: exists(key) ? t(key as 'errors.error503') : error.message,
    code,
  }
}
