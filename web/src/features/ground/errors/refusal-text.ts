import type { TFunction } from 'i18next'
import type { ApiError } from '../../../api/api-error.ts'
import { refusalLine } from '../../../forms/refusal-line.ts'
import { describeError } from './describe-error.ts'

/** Returns the text of a refused call for a place without a title, such as below a field. */
export function refusalText(error: ApiError, t: TFunction, exists: (key: string) => boolean): string {
  return refusalLine(error, describeError(error, t, exists).text, t)
}
