import { ERRORS } from '@ondine/contract/errors'
import { expect, test } from 'vitest'
import { DOWNLOAD_CODES } from './codes.ts'

test.each(Object.entries(DOWNLOAD_CODES))('A8.3-14 %s equals the code of the closed list', (name, code) => {
  expect(Reflect.get(ERRORS, name)).toMatchObject({ code })
})
