import { expect, test } from 'vitest'
import { serverFaults } from './server-faults.ts'

const NAMES = ['email', 'password'] as const

test('A5-04 returns the service’s faults by field, the first of each, limited to known ones', () => {
  const fields = [
    { field: 'email', message: 'invalidEmail' },
    { field: 'email', message: 'tooLong' },
    { field: 'password', message: 'must be at most 3 <b>characters</b>' },
    { field: 'idChannel', message: 'requiredField' },
    { field: '__proto__', message: 'requiredField' },
  ]
  expect(serverFaults({ fields }, NAMES)).toEqual({ email: 'invalidEmail', password: 'invalid' })
})

test.each([null, {}, { fields: [] }])('finds no faults in %j', (details) => {
  expect(serverFaults(details, NAMES)).toEqual({})
})
