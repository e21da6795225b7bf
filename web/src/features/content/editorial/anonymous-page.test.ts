import { expect, test } from 'vitest'
import { anonymousPage } from './anonymous-page.ts'

const configuration = (isPrivateAccessEnabled: boolean, page: string) => ({
  accounts: { isPrivateAccessEnabled },
  home: { anonymousPage: page },
})

test('V2.3-05 visitors of a private service see its page instead of home, everyone else sees home', () => {
  expect(anonymousPage(configuration(true, 'welcome'), false)).toBe('welcome')
  expect(anonymousPage(configuration(true, 'welcome'), true)).toBeUndefined()
  expect(anonymousPage(configuration(false, 'welcome'), false)).toBeUndefined()
  expect(anonymousPage(configuration(true, ''), false)).toBeUndefined()
})
