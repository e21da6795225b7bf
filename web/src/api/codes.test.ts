import { ERRORS } from '@ondine/contract/errors'
import { expect, test } from 'vitest'
import { CODES } from './codes.ts'

test.each(Object.entries(CODES))('A8.3-01 %s equals the code of the closed list', (name, code) => {
  expect(Reflect.get(ERRORS, name)).toMatchObject({ code })
})
