import { expect, test } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { FileError, failureOf, NoRoomError, UnfinishedRemovalError } from './failure.ts'
import { DownloadSetupError } from './prepare.ts'

test.each([
  ['a lost connection', new TypeError('Failed to fetch'), 'later'],
  ['a connection lost during a transfer', new DOMException('', 'NetworkError'), 'later'],
  ['a transfer that stalls', new DOMException('', 'TimeoutError'), 'later'],
  ['a removal that is not confirmed yet', new UnfinishedRemovalError(), 'later'],
  ['a service that is overloaded', new FileError(503), 'later'],
  ['a service that asks to slow down', new FileError(429), 'later'],
  ['a call without an answer', new ApiError({ code: 503, status: 503, message: '' }), 'later'],
  ['an overloaded call', new ApiError({ code: -503, status: 503, message: '' }), 'later'],
  ['a call that is asked to slow down', new ApiError({ code: -429, status: 429, message: '' }), 'later'],
  ['a file that is gone', new FileError(404), 'refused'],
  ['a right that has ended', new ApiError({ code: -11, status: 403, message: '' }), 'refused'],
  ['too many titles', new ApiError({ code: -513, status: 403, message: '' }), 'titles'],
  ['too many devices', new ApiError({ code: -514, status: 403, message: '' }), 'devices'],
  ['a full disk', new DOMException('', 'QuotaExceededError'), 'full'],
  ['too little room', new NoRoomError(), 'full'],
  ['an incomplete answer', new DownloadSetupError('no DRM token'), 'setup'],
  ['a transaction of the database that is aborted', new DOMException('', 'AbortError'), 'unknown'],
  ['anything else', new Error('?'), 'unknown'],
] as const)('A8.3-14 %s', (_what, error, failure) => {
  expect(failureOf(error)).toBe(failure)
})
