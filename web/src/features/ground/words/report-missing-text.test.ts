import { faultEnvelope } from '@ondine/contract/fault-report'
import { beforeEach, expect, test, vi } from 'vitest'
import { wordsOf } from '../../../words/words.ts'
import { reportMissingText } from './report-missing-text.ts'

const collected = vi.hoisted(() => vi.fn())
const told = vi.hoisted(() => vi.fn(async () => null))
vi.mock('../errors/report-fault.ts', () => ({ collectFault: collected }))
vi.mock('../../../api/call.ts', () => ({ call: told }))

beforeEach(() => {
  collected.mockClear()
  told.mockClear()
})

test('V8-04 reports a missing text, once per key', () => {
  // An operator's catalogue in which most texts are missing.
  const { t } = wordsOf('fra', { signIn: { title: 'Entrer' } }, reportMissingText)
  expect(t('signIn.title')).toBe('Entrer')
  expect(collected).not.toHaveBeenCalled()
  expect(t('signIn.email')).toBe('signIn.email')
  t('signIn.email')
  t('signIn.password')
  expect(collected.mock.calls.map(([fault]) => [fault.name, fault.message])).toEqual([
    ['MissingText', 'signIn.email (fr)'],
    ['MissingText', 'signIn.password (fr)'],
  ])
  expect(told).toHaveBeenCalledTimes(2)
  expect(told).toHaveBeenCalledWith(
    expect.objectContaining({ path: '/proxy/msg' }),
    expect.objectContaining({
      code: 'missing-translation',
      context: { language: 'fr', key: 'signIn.email' },
    }),
  )
})

test('V8-04 an unreachable service changes nothing', () => {
  told.mockRejectedValueOnce(new Error('away'))
  const { t } = wordsOf('eng', { signIn: { title: 'Enter' } }, reportMissingText)
  expect(t('signIn.lead')).toBe('signIn.lead')
})

test('V8-04 the report contains key and language, also after scrubbing', () => {
  reportMissingText('fr', 'forms.requiredField')
  const [fault] = collected.mock.calls[0] ?? []
  if (!(fault instanceof Error)) throw new Error('Nothing was reported')
  const { name, message } = fault
  const envelope = faultEnvelope(
    { type: name, message, where: '/' },
    { id: 'a', now: 0, platform: 'javascript' },
  )
  expect(envelope).toContain('forms.requiredField (fr)')
})
