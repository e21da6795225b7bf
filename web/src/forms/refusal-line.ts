import type { TFunction } from 'i18next'
import type { ApiError } from '../api/api-error.ts'
import { CODES } from '../api/codes.ts'

/**
 * Returns the text of a refused call for a place without a title, such as below a field. The title of code 429
 * comes first (A8.3-06).
 *
 * @param text the text of the error, without its title
 */
export function refusalLine(error: ApiError, text: string, t: TFunction): string {
  return error.code === CODES.slowDown ? `${t('errors.slowDown')} ${text}` : text
}
